import { textMatching } from "./pattern-text.ts";

/** Anything that JSON can hold, read by name. */
export function memberOf(value: unknown, name: string | number): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

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
      .map((part) => decoded(part).replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<unknown>(memberOf, document);
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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

/** Texts of formats that validators check. */
const formats: Readonly<Record<string, string>> = {
  uuid: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  time: "12:00:00",
  duration: "PT1M",
  email: "user@example.com",
  uri: "https://example.com/",
  ipv4: "192.0.2.1",
};

/**
 * A value of a JSON Schema: the stated one, else the least that its type allows. `undefined` when none can be derived,
 * as for a text with a rare pattern.
 */
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
  const inner = (each: unknown) => valueOfSchema(document, each, depth + 1, room);
  for (const name of ["anyOf", "oneOf"]) {
    const choices = memberOf(schema, name);
    if (!Array.isArray(choices)) continue;
    for (const choice of choices) {
      const value = inner(choice);
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  }
  const all = memberOf(schema, "allOf");
  if (Array.isArray(all)) return merged(all, inner);
  switch (memberOf(schema, "type")) {
    case "integer":
    case "number":
      return leastNumber(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    case "string":
      return textOf(schema);
    case "array":
      return listOf(schema, inner);
    default:
      return memberOf(schema, "properties") === undefined && memberOf(schema, "type") !== "object"
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

function leastNumber(schema: unknown): number {
  const least = memberOf(schema, "minimum");
  const below = memberOf(schema, "exclusiveMinimum");
  const most = memberOf(schema, "maximum");
  const value = Math.max(1, typeof least === "number" ? least : 1, typeof below === "number" ? below + 1 : 1);
  return typeof most === "number" ? Math.min(value, most) : value;
}

function textOf(schema: unknown): string | undefined {
  const format = memberOf(schema, "format");
  if (typeof format === "string" && Object.hasOwn(formats, format)) return formats[format];
  const [least, most] = [memberOf(schema, "minLength"), memberOf(schema, "maxLength")];
  const pattern = memberOf(schema, "pattern");
  if (typeof pattern === "string")
    return textMatching(
      pattern,
      typeof least === "number" ? least : undefined,
      typeof most === "number" ? most : undefined,
    );
  const text = "text".padEnd(Math.min(typeof least === "number" ? least : 0, 1_000), "x");
  return typeof most === "number" ? text.slice(0, most) : text;
}

function listOf(schema: unknown, inner: (schema: unknown) => unknown): unknown[] | undefined {
  const least = memberOf(schema, "minItems");
  if (typeof least !== "number" || least === 0) return [];
  const list: unknown[] = [];
  while (list.length < Math.min(least, 100)) {
    const item = inner(memberOf(schema, "items"));
    if (item === undefined) return undefined;
    list.push(item);
  }
  return list;
}

/** An object with its required members only: the app has defaults for the others. */
function objectOf(schema: unknown, inner: (schema: unknown) => unknown): object | undefined {
  const required = memberOf(schema, "required");
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const pairs: [string, unknown][] = [];
  for (const name of names) {
    const value = inner(memberOf(memberOf(schema, "properties"), name));
    if (value === undefined) return undefined;
    pairs.push([name, value]);
  }
  return Object.fromEntries(pairs);
}
