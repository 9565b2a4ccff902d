import { textOfUrlPart } from "../text/quoting.ts";
import { likelier, memberOf, numberOf, textOf } from "./plain-values.ts";

export { memberOf } from "./plain-values.ts";

/** Deepest level that is filled in: schemas may contain themselves. */
const deepest = 12;
/** Longest value, in characters, about: schemas may contain themselves several times at each level. */
const largestValue = 1_000_000;
const costOfPart = 50;

/** The target of a reference within the document; other values as they are. `undefined` when it leads nowhere. */
export function resolved(document: unknown, value: unknown): unknown {
  let found = value;
  for (let steps = 0; steps < deepest; steps += 1) {
    const reference = memberOf(found, "$ref");
    if (typeof reference !== "string") return found;
    if (!reference.startsWith("#/")) return undefined;
    found = reference
      .slice(2)
      .split("/")
      .map((part) => textOfUrlPart(part).replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<unknown>(memberOf, document);
  }
  return undefined;
}

/** The value that the author gives: an example, the default, or the first choice. `undefined` when there is none. */
export function statedValue(document: unknown, place: unknown): unknown {
  const examples = memberOf(place, "examples");
  const first = Array.isArray(examples)
    ? examples[0]
    : memberOf(resolved(document, Object.values(Object(examples))[0]), "value");
  for (const value of [
    memberOf(place, "example"),
    first,
    memberOf(place, "default"),
    memberOf(place, "const"),
  ])
    if (value !== undefined && value !== null) return value;
  return memberOf(memberOf(place, "enum"), 0);
}

/** A value of a JSON Schema: the stated one, else the least of its type; `undefined` when underivable. */
export function valueOfSchema(
  document: unknown,
  place: unknown,
  depth = 0,
  room = { characters: largestValue },
): unknown {
  room.characters -= costOfPart;
  if (depth > deepest || room.characters < 0) return undefined;
  const schema = resolved(document, place);
  if (schema === undefined) return undefined;
  const stated = statedValue(document, schema);
  if (stated !== undefined) {
    room.characters -= lengthOf(stated);
    return room.characters < 0 ? undefined : stated;
  }
  if (memberOf(schema, "const") === null) return null;
  const inner = (each: unknown) => valueOfSchema(document, each, depth + 1, room);
  for (const name of ["anyOf", "oneOf"]) {
    const choices = memberOf(schema, name);
    if (Array.isArray(choices)) return chosen(choices, inner);
  }
  const all = memberOf(schema, "allOf");
  if (Array.isArray(all)) return merged(all, inner);
  const type = memberOf(schema, "type");
  if (Array.isArray(type))
    return chosen(
      type.map((each) => ({ ...Object(schema), type: each })),
      inner,
    );
  const value = valueOfType(type, schema, inner);
  return value === undefined && memberOf(schema, "nullable") === true ? null : value;
}

/** The first choice that has a value, and `null` only where there is no other. */
function chosen(choices: readonly unknown[], inner: (schema: unknown) => unknown): unknown {
  let found: unknown;
  for (const choice of choices) {
    const value = inner(choice);
    if (value !== undefined && value !== null) return value;
    if (value === null) found = null;
  }
  return found;
}

function valueOfType(type: unknown, schema: unknown, inner: (schema: unknown) => unknown): unknown {
  switch (type) {
    case "integer":
    case "number":
      return numberOf(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    case "string":
      return textOf(schema);
    case "array":
      return listOf(schema, inner);
    default:
      return memberOf(schema, "properties") === undefined && type !== "object"
        ? undefined
        : objectOf(schema, inner);
  }
}

/** A stated value, unless it is too long, or too deep, to be sent. */
export function fittingValue(value: unknown): unknown {
  return lengthOf(value) > largestValue ? undefined : value;
}

function lengthOf(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY; // lists in lists, deeper than anything can be written
  }
}

function merged(schemas: readonly unknown[], inner: (schema: unknown) => unknown): unknown {
  if (schemas.length === 1) return inner(schemas[0]);
  const pairs: [string, unknown][] = [];
  for (const schema of schemas) {
    const part = inner(schema);
    if (typeof part !== "object") return undefined;
    pairs.push(...Object.entries(part ?? {}));
  }
  return Object.fromEntries(pairs);
}

function listOf(schema: unknown, inner: (schema: unknown) => unknown): unknown[] | undefined {
  const least = memberOf(schema, "minItems");
  if (typeof least !== "number" || least <= 0) return [];
  const list: unknown[] = [];
  while (list.length < Math.min(least, 100)) {
    const items = memberOf(memberOf(schema, "prefixItems"), list.length) ?? memberOf(schema, "items");
    const item = inner(memberOf(schema, "uniqueItems") === true ? otherThan(list, items) : items);
    if (item === undefined) return undefined;
    list.push(item);
  }
  const isRepeated = new Set(list.map((item) => JSON.stringify(item))).size < list.length;
  return least > 100 || (isRepeated && memberOf(schema, "uniqueItems") === true) ? undefined : list;
}

/** The schema of a list's next item, if each is to differ from the others. */
function otherThan(list: readonly unknown[], items: unknown): unknown {
  const last = list.at(-1);
  if (typeof last === "number") return { ...Object(items), exclusiveMinimum: last };
  if (typeof last !== "string") return items;
  const choices = memberOf(items, "enum");
  if (!Array.isArray(choices)) return { ...Object(items), minLength: last.length + 1 };
  return list.length < choices.length ? { const: choices[list.length] } : undefined;
}

/** An object with its required members only, or as many as there must be: the app has defaults for the others. */
function objectOf(schema: unknown, inner: (schema: unknown) => unknown): object | undefined {
  const required = memberOf(schema, "required");
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const pairs: [string, unknown][] = [];
  for (const name of names) {
    const property = memberOf(memberOf(schema, "properties"), name);
    if (memberOf(property, "readOnly") === true) continue; // it is of replies only
    const value = inner(property);
    if (value === undefined) return undefined;
    pairs.push([name, isStated(property) ? value : likelier(name, property, value)]);
  }
  const least = memberOf(schema, "minProperties");
  const further = memberOf(schema, "additionalProperties");
  for (let more = 1; typeof least === "number" && pairs.length < Math.min(least, 100); more += 1) {
    const value = typeof further === "object" ? inner(further) : undefined;
    if (value === undefined) return undefined;
    pairs.push([`key${more}`, value]);
  }
  return Object.fromEntries(pairs);
}

function isStated(schema: unknown): boolean {
  return ["example", "examples", "default", "const", "enum"].some(
    (name) => memberOf(schema, name) !== undefined,
  );
}

/** The path of a required member for which no value was found, e.g. `user.code`; empty for the value itself. */
export function lackingIn(document: unknown, place: unknown, depth = 0): string {
  const schema = resolved(document, place);
  const required = memberOf(schema, "required");
  const names =
    Array.isArray(required) && depth < deepest ? required.filter((name) => typeof name === "string") : [];
  const property = (name: string) => memberOf(memberOf(schema, "properties"), name);
  const lacking = names.find((name) => valueOfSchema(document, property(name)) === undefined);
  return lacking === undefined
    ? ""
    : [lacking, lackingIn(document, property(lacking), depth + 1)].filter(Boolean).join(".");
}
