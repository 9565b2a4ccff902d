import type { Reply } from "../endpoints/dry-request.ts";
import { memberOf, resolved } from "../endpoints/openapi-schema.ts";

/** Two values of a parameter that no row has. */
export type Guess = readonly [name: string, first: string | number, second: string | number];

/** Guesses for the parameters of a path; `undefined` when one is neither a number nor free text. */
export function guessesFor(
  document: unknown,
  path: string,
  names: readonly string[],
): readonly Guess[] | undefined {
  const guesses = names.flatMap((name): readonly Guess[] => {
    const schema = schemaOf(document, path, name);
    const type = memberOf(schema, "type");
    if (type === "integer" || type === "number") return [[name, 1, 987_654_321]];
    const isFree = ["format", "pattern", "enum"].every((each) => memberOf(schema, each) === undefined);
    return type === "string" && isFree ? [[name, "loadtest", "load-987654321"]] : [];
  });
  return guesses.length === names.length ? guesses : undefined;
}

function schemaOf(document: unknown, path: string, name: string): unknown {
  const item = memberOf(memberOf(document, "paths"), path);
  const parameters = [memberOf(item, "parameters"), memberOf(memberOf(item, "get"), "parameters")].flatMap(
    (each) => (Array.isArray(each) ? each : []),
  );
  const parameter = parameters
    .map((each: unknown) => resolved(document, each))
    .find((each) => memberOf(each, "name") === name);
  return resolved(document, memberOf(parameter, "schema"));
}

/**
 * True when an endpoint that answered a guess needs no other row: it has nothing for the other guess, so the first one
 * exists, or it has an answer for any value. A first reply without content may mean that there is no such row.
 */
export function isAnswerToAll(first: Reply, second: Reply | string, guesses: readonly Guess[]): boolean {
  if (typeof second === "string") return false;
  if (second.status === 404) return true;
  // An envelope around nothing is the same for both.
  const isEmpty = first.body === second.body && leavesOf(read(first.body)).includes(null);
  return !isEmpty && hasContent(first, guesses);
}

/** True when a reply to the first guess says more than the value that was asked for. */
function hasContent({ body }: Reply, guesses: readonly Guess[]): boolean {
  const asked = new Set(guesses.map(([, first]) => String(first)));
  const leaves = leavesOf(read(body));
  const own = leaves.filter((each) => !asked.has(String(each)));
  const full = own.filter((each) => each !== null && each !== "");
  return full.length > 0 || (own.length === 0 && leaves.length > 0);
}

/** The text itself when it is no JSON. */
function read(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Everything in a value that has no parts; an empty list or object counts as nothing. */
function leavesOf(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [value];
  const parts = Object.values(value);
  return parts.length === 0 ? [null] : parts.flatMap(leavesOf);
}
