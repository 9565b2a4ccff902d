import * as z from "zod";

/** Name of one app among several, with too few characters allowed to write a sentence. */
export const appNameSchema = z
  .string()
  .regex(/^[\w./-]{1,60}$/, "must be 1 to 60 letters, digits, underscores, dots, dashes and slashes");
