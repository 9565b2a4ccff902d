import type * as z from "zod";
import { InputError } from "../errors/errors.ts";
import { secretNames } from "./file/keys.ts";
import { inputNamed } from "./inputs.ts";
import type { RawInputs } from "./raw-inputs.ts";

/** Reads some inputs alone, with their defaults. Throws one `InputError` for all their problems. */
export function readInputs<S extends z.ZodObject>(schema: S, raw: RawInputs): z.output<S> {
  const texts = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, raw[name] || inputNamed(name)?.fallback || undefined]),
  );
  const result = schema.safeParse(texts);
  if (!result.success) throw new InputError(result.error.issues.map((issue) => problemOf(issue, texts)));
  return result.data;
}

/** One sentence: the input, its problem, and the given value unless that is a secret. */
export function problemOf({ path, message }: z.core.$ZodIssue, given: RawInputs): string {
  const name = String(path[0]);
  const value = secretNames.has(name) ? "" : ` (got ${JSON.stringify(given[name])})`;
  return `${name}: ${message}${value}`;
}
