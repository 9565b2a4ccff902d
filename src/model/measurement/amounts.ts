import * as z from "zod";

// Each limit is far above what a machine can do in a day, and low enough that no sum, quotient or square of what a
// document holds leaves the numbers: what is larger was not measured, and the document is not used.

/** How many of something. */
export const count = z.int().nonnegative().max(1e12);
export const milliseconds = z.number().nonnegative().max(1e15);
export const seconds = z.number().nonnegative().max(1e9);
/** A stretch of time by which something is divided. */
export const span = z.number().min(0.000_1).max(1e6);
export const bytes = z.number().nonnegative().max(1e18);
/** A share of a time: 1 is all of it; more where it was not the time meant. */
export const share = z.number().nonnegative().max(1e6);
