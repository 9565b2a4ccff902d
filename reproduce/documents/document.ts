import type * as z from "zod";

import { InputError } from "../../src/engine.ts";

/** Most problems in a message: more would hide the important ones. */
const mostProblems = 10;

/**
 * Reads a JSON document by its schema.
 *
 * @param name of the file, for the message
 * @throws InputError with the place of everything that is wrong
 */
export function parseDocument<T extends z.ZodType>(name: string, schema: T, text: string): z.infer<T> {
  return checkValue(name, schema, parseJson(name, text));
}

/** Checks a value that was read already, e.g. from YAML. Throws the same `InputError`. */
export function checkValue<T extends z.ZodType>(name: string, schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    ({ path, message }) => `${path.join(".") || "document"}: ${message}`,
  );
  throw inputError(name, problems);
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw inputError(name, [`is not JSON: ${String(error)}`]);
  }
}

/** Problems of a list with its length beside it: a wrong count, or an id that is there twice. */
export function countProblems(count: number, ids: readonly string[]): readonly string[] {
  const twice = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [
    ...(count === ids.length ? [] : [`count is ${count}, but there are ${ids.length}`]),
    ...[...twice].map((id) => `${id} appears twice`),
  ];
}

/** Throws an `InputError` when there are problems. */
export function refuse(name: string, problems: readonly string[]): void {
  if (problems.length > 0) throw inputError(name, problems);
}

function inputError(name: string, problems: readonly string[]): InputError {
  return new InputError(problems.slice(0, mostProblems).map((problem) => `${name}: ${problem}`));
}
