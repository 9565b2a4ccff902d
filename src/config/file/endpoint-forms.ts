import * as z from "zod";
import { autoLine, methods } from "../../model/endpoint/endpoint.ts";
import {
  type Body,
  type Capture,
  type EndpointForm,
  formName,
  type ParameterSource,
  type Patterns,
  placeholdersIn,
} from "../../model/endpoint/form.ts";
import { fingerprint } from "../../text/fingerprint.ts";
import { urlPart } from "../../text/quoting.ts";
import { strictObject } from "./value-kinds.ts";

const line = /^[^\r\n]*$/;
const scalar = z.union([z.string(), z.number(), z.boolean()], "must be text, a number or a flag");

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "must be the name of a header");
export const headers = z.record(headerName, z.string("must be text").regex(line, "must be one line"), {
  error: "must be a mapping, e.g. { Accept-Language: en }",
});

const range = strictObject({
  from: z.int("must be a whole number"),
  to: z.int("must be a whole number"),
}).superRefine(({ from, to }, context) => {
  if (to < from)
    context.addIssue({
      code: "custom",
      path: ["to"],
      message: `must not be below from (${from})`,
      input: to,
    });
});
const values = z
  .array(z.union([z.string(), z.number()], "must be text or a number"))
  .min(1, "is empty; add at least one value")
  .max(10_000, "must have at most 10000 values; put more into a CSV file");
const csv = strictObject({
  csv: z.string("must be the path of a CSV file"),
  column: z.string("must be the name of a column"),
});
const sql = strictObject({ sql: z.string("must be a query").min(1, "is empty") });
const parameterWays =
  "must be a range ({ from: 1, to: 1000 }), a list ([a, b]), a column of a CSV file ({ csv: items.csv, column: id }) or a query ({ sql: SELECT id FROM items })";
const parameter = z.union([values, range, csv, sql], parameterWays);

const statusCode = z
  .int("must be a status, e.g. 201")
  .min(200, "must be from 200 to 399")
  .max(399, "must be from 200 to 399: under load, a status of 400 or above counts as failed");
const expectation = strictObject({
  status: z
    .union([statusCode, z.array(statusCode).min(1, "is empty")], "must be a status or a list, e.g. 201")
    .optional(),
  contains: z.string("must be text").min(1, "is empty").optional(),
});

const captured = z.record(
  z.string().regex(/^\w+$/, "must be a word"),
  z.union(
    [
      z.string().regex(/^\/[!-~]*$/, "must be a JSON pointer, e.g. /id"),
      strictObject({ header: headerName }),
      strictObject({ cookie: headerName }),
    ],
    "must be a JSON pointer (/items/0/id), a header ({ header: Location }) or a cookie ({ cookie: session })",
  ),
  "must be a mapping, e.g. { order_id: /id }",
);

const shape = {
  path: z
    .string("must be a path, e.g. /items/{item_id}")
    .startsWith("/", "must start with /")
    .max(1_500, "must have at most 1500 characters")
    .regex(/^[!-~]*$/, "must have no spaces, and anything that is not ASCII must be percent-encoded"),
  method: z.enum(methods, `must be one of ${methods.join(", ")}`).optional(),
  headers: headers.optional(),
  query: z.record(z.string(), scalar, "must be a mapping, e.g. { page: 1 }").optional(),
  params: z
    .record(
      z.string().regex(/^\w+$/),
      parameter,
      "must be a mapping, e.g. { item_id: { from: 1, to: 1000 } }",
    )
    .optional(),
  body: z
    .union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.json()), z.record(z.string(), z.json())])
    .optional(),
  expect: expectation.optional(),
  capture: captured.optional(),
  weight: z
    .int("must be a whole number, e.g. 3")
    .min(1, "must be at least 1")
    .max(1_000, "must be at most 1000")
    .optional(),
};
/** Keys of a whole endpoint, for the documentation's test. */
export const endpointKeys: readonly string[] = Object.keys(shape);

const full = strictObject(shape).superRefine((form, context) => {
  const known = new Set(Object.keys(form.params ?? {}));
  const used = new Set(placeholdersIn(JSON.stringify([pathOf(form), form.body ?? null, form.headers ?? {}])));
  for (const name of [...known].filter((each) => !used.has(each)))
    context.addIssue({
      code: "custom",
      path: ["params", name],
      message: `is never used; put {${name}} in the path, the query, a header or the body`,
      input: form.params?.[name],
    });
  if (form.body !== undefined && JSON.stringify(form.body).length > 100_000)
    context.addIssue({
      code: "custom",
      path: ["body"],
      message: "must have at most 100000 characters",
      input: "",
    });
  if (
    form.body !== undefined &&
    (form.method === undefined || form.method === "GET" || form.method === "HEAD")
  )
    context.addIssue({
      code: "custom",
      path: ["body"],
      message: "needs a method that sends one, e.g. method: POST",
      input: "",
    });
});
type Full = z.infer<typeof full>;

const patterns = z.array(
  z
    .string("must be text")
    .regex(
      /^([A-Za-z]+ +)?[/*]\S{0,500}$/,
      "must be a path, with * as a wildcard, e.g. /items/* or POST /orders",
    ),
  "must be a list, e.g. [/items/*]",
);

/** The parts of a whole endpoint that say which names it has, whatever is wrong with the others. */
const named = z.object({
  path: z.string().startsWith("/"),
  query: z.record(z.string(), scalar).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  capture: z.record(z.string(), z.unknown()).optional(),
  headers: z.record(z.string(), z.string()).optional().catch(undefined),
  body: z.unknown().optional(),
});

/** Every name in a path has values of its own, or another endpoint captures it. */
function checkNames(items: readonly unknown[], context: z.RefinementCtx): void {
  const wholes = items.map((item) => named.safeParse(item).data);
  const captured = new Set(wholes.flatMap((item) => Object.keys(item?.capture ?? {})));
  for (const [index, item] of wholes.entries()) {
    if (item === undefined) continue;
    const known = new Set([...captured, ...Object.keys(item.params ?? {})]);
    for (const name of placeholdersIn(pathOf(item)).filter((each) => !known.has(each)))
      context.addIssue({
        code: "custom",
        path: [index, "path"],
        message: `has no values for {${name}}; add them, e.g. params: { ${name}: { from: 1, to: 1000 } }`,
        input: item.path,
      });
    const unknown = [
      ...Object.entries(item.headers ?? {}).map(([name, text]) => [["headers", name], text, false] as const),
      ...textsIn(item.body).map((text) => [["body"], text, true] as const),
    ].flatMap(([place, text, isBody]) =>
      unfilled(text, known, isBody).map((name) => ({ place, name, text })),
    );
    for (const { place, name, text } of unknown)
      context.addIssue({
        code: "custom",
        path: [index, ...place],
        message: `has no value for {${name}}; capture it in another endpoint, or add it to params`,
        input: text,
      });
  }
}

/** Names in braces that nothing fills in. Other braces in a body are those of its own language, such as GraphQL. */
function unfilled(text: string, known: ReadonlySet<string>, isBody: boolean): string[] {
  if (isBody && /[{}]/.test(text.replaceAll(/\{[A-Za-z_]\w*\}/g, ""))) return [];
  return placeholdersIn(text).filter((name) => /^[A-Za-z_]/.test(name) && !known.has(name));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

export const endpointsSchema = z.union(
  [
    z.string(),
    z
      .array(
        z.union([z.string().regex(line, "must be one line"), full], {
          error: "must be a line, e.g. POST /orders, or a mapping with a path",
        }),
      )
      .min(1, "is empty")
      .superRefine(checkNames, { when: ({ value }) => Array.isArray(value) }),
    strictObject({ include: patterns.optional(), exclude: patterns.optional() }),
  ],
  { error: "must be text or a list, e.g. [/health, POST /orders]" },
);
type EndpointsValue = z.infer<typeof endpointsSchema>;

/** The endpoints of the file: their lines, as they would be typed, and the whole form of those that have one. */
interface FileEndpoints {
  readonly text: string;
  readonly forms: readonly EndpointForm[];
  /** The app's own endpoints that the file asks for, if any. */
  readonly patterns: Patterns | undefined;
}

export function readEndpoints(
  value: EndpointsValue,
  placeOf: (path: readonly PropertyKey[]) => string,
): FileEndpoints {
  if (typeof value === "string") return { text: value, forms: [], patterns: undefined };
  if (!Array.isArray(value)) {
    const { include = [], exclude = [] } = value;
    return { text: autoLine, forms: [], patterns: { include, exclude } };
  }
  const names = new Set(
    value.flatMap((item) => (typeof item === "string" ? [] : Object.keys(item.capture ?? {}))),
  );
  const forms = value.flatMap((item, index) =>
    typeof item === "string" ? [] : [formOf(item, names, (path) => placeOf(["endpoints", index, ...path]))],
  );
  let next = 0;
  const text = value.map((item) => {
    if (typeof item === "string") return item;
    const form = forms[next];
    next += 1;
    return form === undefined ? "" : formName(form.endpoint);
  });
  return { text: text.join("\n"), forms, patterns: undefined };
}

function formOf(
  item: Full,
  captured: ReadonlySet<string>,
  placeOf: (path: readonly PropertyKey[]) => string,
): EndpointForm {
  const { method = "GET", headers: given = {}, params = {}, body, expect, weight } = item;
  const status = expect?.status ?? [];
  const captures = capturesOf(item);
  const texts = JSON.stringify([pathOf(item), body ?? null, given]);
  const needs = placeholdersIn(texts).filter((name) => captured.has(name) && !Object.hasOwn(params, name));
  const sources = Object.entries(params).map(([name, source]) => [name, sourceOf(source)] as const);
  return {
    endpoint: { method, path: pathOf(item), form: fingerprint(JSON.stringify(item)) },
    headers: given,
    body: body === undefined ? undefined : bodyOf(body),
    params: Object.fromEntries(sources),
    expect: { statuses: typeof status === "number" ? [status] : status, contains: expect?.contains },
    ...(captures.length > 0 && { captures }),
    ...(needs.length > 0 && { needs }),
    weight,
    places: Object.fromEntries([
      ["", placeOf([])],
      ...Object.keys(params).map((name) => [name, placeOf(["params", name])] as const),
    ]),
  };
}

function capturesOf({ capture = {} }: Full): readonly Capture[] {
  return Object.entries(capture).map(([name, from]) => {
    if (typeof from === "string") return { name, kind: "json", place: from };
    return "header" in from
      ? { name, kind: "header", place: from.header }
      : { name, kind: "cookie", place: from.cookie };
  });
}

function sourceOf(source: z.infer<typeof parameter>): ParameterSource {
  if (Array.isArray(source)) return { kind: "list", values: source };
  if ("from" in source) return { kind: "range", ...source };
  if ("csv" in source) return { kind: "csv", file: source.csv, column: source.column, values: [] };
  return { kind: "sql", query: source.sql };
}

/** Text stays as it is; everything else becomes JSON. */
function bodyOf(body: NonNullable<Full["body"]> | null): Body {
  return typeof body === "string" ? { kind: "text", text: body } : { kind: "json", value: body };
}

/** The path with its query, encoded except for the braces of its parameters. */
function pathOf({ path, query = {} }: Pick<Full, "path" | "query">): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`);
  if (pairs.length === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${pairs.join("&")}`;
}

function encoded(text: string): string {
  return urlPart(text).replaceAll(/%7B(\w+)%7D/g, "{$1}");
}
