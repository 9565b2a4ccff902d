import * as z from "zod";

import { nearest } from "../nearest.ts";

/** Joins the known keys in the message about unknown ones; no key has it. */
const separator = ", ";

/** An object that refuses unknown keys. The message is only for `unknownKeys`. */
export function strictObject<S extends z.ZodRawShape>(shape: S) {
  const known = Object.keys(shape).join(separator);
  return z.strictObject(shape, {
    error: ({ code }) => {
      if (code === "unrecognized_keys") return known;
      return code === "invalid_type" ? `must be a mapping of ${known}` : undefined;
    },
  });
}

/** One sentence for each unknown key, with the key that was probably meant. */
export function unknownKeys(
  keys: readonly string[],
  message: string,
): readonly (readonly [string, string])[] {
  const known = message.split(separator);
  return keys.map((key) => {
    const meant = nearest(key, known);
    const hint = meant === undefined ? `known are ${message}` : `did you mean ${meant}?`;
    return [key, `is not a key here; ${hint}`] as const;
  });
}
