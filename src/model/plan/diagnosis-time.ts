/** Time for one arm of one cell, without a slow start of its server. */
export const phaseSeconds = 10;
