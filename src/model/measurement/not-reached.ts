import * as z from "zod";

import { count } from "./amounts.ts";

/** A function or file of the user's; foreign text. */
const name = z.string().max(300);

/** The most names of each kind that are stored; the counts are whole. */
export const mostNames = 20;

/** Evidence that nothing of a change runs when an endpoint is requested, so that it need not be measured. */
export const notReachedSchema = z.strictObject({
  /** Changed functions that ran neither at the start nor for these requests, with their files: `shop.py: Shop.close`. */
  functions: z.array(name).max(mostNames),
  functionCount: count,
  /** Changed files of which the server runs and reads nothing. */
  files: z.array(name).max(mostNames),
  fileCount: count,
  requests: count,
});
export type NotReached = z.infer<typeof notReachedSchema>;
