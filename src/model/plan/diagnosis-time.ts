/** For one arm of one cell, from the start of its server to its end. */
export const phaseSeconds = 10;
