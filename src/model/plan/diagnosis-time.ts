/** For one arm of one cell, besides a start of its server that takes more than a moment. */
export const phaseSeconds = 10;
