import { formFromOpenApi, operationsOf } from "../../endpoints/openapi.ts";
import { memberOf, resolved, valueOfSchema } from "../../endpoints/openapi-schema.ts";
import { accepts } from "../../endpoints/pattern-text.ts";
import type { Endpoint } from "../../model/endpoint/endpoint.ts";
import { placeholdersIn } from "../../model/endpoint/form.ts";
import { listPaths } from "./parameters.ts";

/** A POST that may make the rows that endpoints need, in the ways worth a trial, best first. */
interface RowMaker {
  /** Its path in the document. */
  readonly path: string;
  /** What its own parameters are. */
  readonly values: PathValues;
  /** Lines of `seed-request`. */
  readonly lines: readonly string[];
}

/** Values of a path's parameters, by their names. */
export type PathValues = Readonly<Record<string, string>>;

/**
 * The POST operations that make what paths need: to their own list, e.g. to `/notes` for `/notes/{id}`. Nothing else is
 * sent: a POST elsewhere may do anything.
 *
 * @param paths of endpoints without rows
 * @param knownFor values that a list's own path may have, best first: `/{user}/notes`
 */
export function rowMakersFor(
  document: unknown,
  paths: readonly string[],
  knownFor: (path: string) => readonly PathValues[],
): readonly RowMaker[] {
  const lists = new Set(paths.flatMap((path) => [path, ...listsAbove(path)]).map(withoutSlash));
  return operationsOf(document)
    .filter(({ method, path }) => method === "POST" && lists.has(withoutSlash(path)))
    .flatMap((endpoint) =>
      (endpoint.path.includes("{") ? knownFor(endpoint.path) : [{}]).flatMap(
        (values) => rowMaker(document, endpoint, values) ?? [],
      ),
    );
}

/** True for a UUID of a version that is drawn anew each time. */
export function isRandomKey(key: string | number): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-/i.test(String(key));
}

/** The lists that each parameter of a path is an element of. */
function listsAbove(path: string): readonly string[] {
  return placeholdersIn(path).flatMap((name) => {
    const upTo = path.slice(0, path.indexOf(`{${name}}`) + name.length + 2);
    return listPaths(upTo);
  });
}

export function withoutSlash(path: string): string {
  return path.replace(/\/$/, "");
}

function rowMaker(document: unknown, endpoint: Endpoint, values: PathValues): RowMaker | undefined {
  const { path } = endpoint;
  const form = formFromOpenApi(withParameters(document, path), endpoint, true);
  if (typeof form === "string") return undefined;
  const sent = Object.entries(values).reduce(
    (each, [name, value]) => each.replace(`{${name}}`, encodeURIComponent(value)),
    form.endpoint.path,
  );
  if (form.body?.kind !== "json") return { path, values, lines: [`POST ${sent}`] };
  const schema = schemaOfBody(document, path);
  const bodies = [varied(document, schema, form.body.value), form.body.value].map((each) =>
    JSON.stringify(each),
  );
  return { path, values, lines: [...new Set(bodies)].map((body) => `POST ${sent} ${body}`) };
}

/** A new row may have any text. */
function withParameters(document: unknown, path: string): unknown {
  const paths = Object(memberOf(document, "paths"));
  const item = Object(memberOf(paths, path));
  const filled = (place: unknown) => {
    const list = memberOf(place, "parameters");
    return Array.isArray(list)
      ? list
          .map((each: unknown) => resolved(document, each))
          .map((each) => ({ example: valueOfSchema(document, memberOf(each, "schema")), ...Object(each) }))
      : [];
  };
  const post = { ...Object(memberOf(item, "post")), parameters: filled(memberOf(item, "post")) };
  return { ...Object(document), paths: { ...paths, [path]: { ...item, parameters: filled(item), post } } };
}

export function schemaOfBody(document: unknown, path: string): unknown {
  const post = memberOf(memberOf(memberOf(document, "paths"), path), "post");
  const content = memberOf(resolved(document, memberOf(post, "requestBody")), "content");
  return memberOf(memberOf(content, "application/json"), "schema");
}

/** The value with `{n}` in its free texts, so that the rows differ. */
export function varied(document: unknown, place: unknown, value: unknown): unknown {
  const schema = chosen(document, place, value);
  if (Array.isArray(value))
    return value.map((each: unknown) => varied(document, memberOf(schema, "items"), each));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        /password/i.test(name)
          ? each
          : varied(document, memberOf(memberOf(schema, "properties"), name), each),
      ]),
    );
  return typeof value === "string" ? variedText(schema, value) : value;
}

const roomForNumber = 2;

function variedText(schema: unknown, value: string): string {
  const format = memberOf(schema, "format");
  const isEmail = format === "email" || /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(value);
  if (isEmail) return value.replace("@", "{n}@");
  const isFixed = ["enum", "const"].some((name) => memberOf(schema, name) !== undefined);
  if (isFixed || format !== undefined || !/[A-Za-z]$/.test(value) || value.includes("://")) return value;
  const [pattern, most] = [memberOf(schema, "pattern"), memberOf(schema, "maxLength")];
  if (typeof most === "number" && value.length + roomForNumber > most) return value;
  return typeof pattern !== "string" || accepts(pattern, `${value}12`) ? `${value}{n}` : value;
}

/** The schema itself, or the one of several that a value is of. */
function chosen(document: unknown, place: unknown, value: unknown): unknown {
  const schema = resolved(document, place);
  for (const name of ["anyOf", "oneOf", "allOf"]) {
    const all = memberOf(schema, name);
    if (!Array.isArray(all)) continue;
    const types = { string: "string", number: "number", boolean: "boolean" };
    const type = memberOf(types, typeof value);
    return all
      .map((each) => chosen(document, each, value))
      .find((each) => type === undefined || memberOf(each, "type") === type);
  }
  return schema;
}
