/** Time for one arm of one cell, without a slow start of its server. */
export const phaseSeconds = 10;

/** Time to see where the CPU time of one cell goes: with one arm, and with two, if they differ. */
export const functionsSeconds = { alone: 7, compared: 15 } as const;
