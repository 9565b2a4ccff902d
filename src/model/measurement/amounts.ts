import * as z from "zod";

// Each limit is far above a machine's work in a day, and low enough that no sum, quotient or square of a document's
// values leaves the numbers. A larger value was not measured, and the document is not used.

export const mostThings = 1e12;
/** A number of things. */
export const count = z.int().nonnegative().max(mostThings);
export const milliseconds = z.number().nonnegative().max(1e15);
export const seconds = z.number().nonnegative().max(1e9);
/** A stretch of time that serves as a divisor. */
export const span = z.number().min(0.000_1).max(1e6);
export const bytes = z.number().nonnegative().max(1e18);
/** A share of a time: 1 is all of it; it can be more when the time was not the one meant. */
export const share = z.number().nonnegative().max(1e6);
