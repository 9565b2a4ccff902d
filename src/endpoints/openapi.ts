import { type Endpoint, methods } from "../model/endpoint/endpoint.ts";
import type {
  Body,
  EndpointForm,
  ParameterSource,
  ParameterValue,
  Patterns,
} from "../model/endpoint/form.ts";
import { fingerprint } from "../text/fingerprint.ts";
import { urlPart } from "../text/quoting.ts";
import { visibleLine } from "../text/visible.ts";
import { betweenParts } from "../text/wildcards.ts";
import { fittingValue, lackingIn, memberOf, resolved, statedValue, valueOfSchema } from "./openapi-schema.ts";
import { isMadeUp } from "./plain-values.ts";

/** An operation that was wanted, but cannot be requested by itself. */
interface LeftOut {
  readonly name: string;
  /** The end of a sentence about it. */
  readonly reason: string;
}

/** The endpoints of an app that fit patterns, filled in with what its OpenAPI document says. */
export function discover(
  document: unknown,
  patterns: Patterns,
  hasLogin: boolean,
): { readonly forms: readonly EndpointForm[]; readonly left: readonly LeftOut[] } {
  const forms: EndpointForm[] = [];
  const left: LeftOut[] = [];
  for (const endpoint of operationsOf(document)) {
    if (!isWanted(endpoint, patterns)) continue;
    const form = formFromOpenApi(document, endpoint, hasLogin);
    if (typeof form === "string") left.push({ name: `${endpoint.method} ${endpoint.path}`, reason: form });
    else forms.push(form);
  }
  return { forms, left };
}

export function operationsOf(document: unknown): Endpoint[] {
  return Object.entries(Object(memberOf(document, "paths"))).flatMap(([path, operations]) =>
    methods
      .filter((method) => memberOf(operations, method.toLowerCase()) !== undefined)
      .map((method) => ({ method, path: encodedPath(path) }))
      .filter((endpoint) => /^\/[!-~]{0,1500}$/.test(endpoint.path)),
  );
}

function encodedPath(path: string): string {
  return path.replaceAll(/[^!-~]+/g, urlPart);
}

function isWanted(endpoint: Endpoint, { include, exclude }: Patterns): boolean {
  const wanted = include.length === 0 ? ["*"] : include;
  return (
    wanted.some((pattern) => fits(endpoint, pattern, "GET")) &&
    !exclude.some((pattern) => fits(endpoint, pattern, undefined))
  );
}

/** `usual`: the method that a pattern without one means; `undefined`: any. */
function fits({ method, path }: Endpoint, pattern: string, usual: string | undefined): boolean {
  const [, named = usual, glob = ""] = /^(?:([A-Za-z]+)\s+)?(\S*)$/.exec(pattern.trim()) ?? [];
  if (named !== undefined && named.toUpperCase() !== method) return false;
  return betweenParts(path, encodedPath(glob).split("*")) !== undefined;
}

/** The form of an operation, from examples, defaults and schemas, or the end of a sentence. */
export function formFromOpenApi(
  document: unknown,
  { method, path }: Endpoint,
  hasLogin: boolean,
): EndpointForm | string {
  const paths = memberOf(document, "paths");
  const written = Object.keys(Object(paths)).find((each) => encodedPath(each) === path);
  const item = memberOf(paths, written ?? path);
  const operation = memberOf(item, method.toLowerCase());
  if (operation === undefined) return "is not among the app's endpoints";
  const security = memberOf(operation, "security") ?? memberOf(document, "security");
  if (!hasLogin && Array.isArray(security) && security.length > 0 && !security.some(isNothing))
    return "needs a login; set up `login`";
  // Names are foreign: in a plain object some, such as `__proto__`, would have a meaning.
  const params = new Map<string, ParameterSource>();
  const headers = new Map<string, string>();
  const query: string[] = [];
  for (const each of [...listIn(item, "parameters"), ...listIn(operation, "parameters")]) {
    const parameter = resolved(document, each);
    const [name, place] = [memberOf(parameter, "name"), memberOf(parameter, "in")];
    if (typeof name !== "string" || memberOf(parameter, "required") !== true) continue;
    if (place === "header" && hasLogin) continue; // most probably the login's
    const value = valueOfParameter(document, parameter);
    if (value === undefined) return `has no example value for its parameter ${name}`;
    if (place === "header" && !canBeHeader(name, String(value))) return `needs a header that cannot be sent`;
    if (place === "header") headers.set(name, String(value));
    else if (place === "path" && !/^\w+$/.test(name))
      return `has a parameter whose name cannot be used: ${visibleLine(name)}`;
    else if (place === "path") params.set(name, { kind: "list", values: [value] });
    else if (place === "query") query.push(`${urlPart(name)}=${urlPart(value)}`);
    else return `needs its ${String(place)} ${name}`;
  }
  const body = bodyOf(document, operation);
  if (typeof body === "string") return body;
  const endpoint = { method, path: query.length === 0 ? path : `${path}?${query.join("&")}` };
  if (endpoint.path.length > 1_500) return "has a query that is too long";
  const sent = { headers: Object.fromEntries(headers), params: Object.fromEntries(params) };
  const form = fingerprint(JSON.stringify([endpoint, sent.headers, sent.params, body]));
  return {
    ...sent,
    endpoint: { ...endpoint, form },
    body,
    expect: { statuses: [], contains: undefined },
    weight: undefined,
    isDiscovered: true,
    places: {},
  };
}

function canBeHeader(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t -~]*$/.test(value);
}

/** True for a requirement that is met without a login. */
function isNothing(requirement: unknown): boolean {
  return Object.keys(Object(requirement)).length === 0;
}

function valueOfParameter(document: unknown, parameter: unknown): ParameterValue | undefined {
  const [content] = Object.values(Object(memberOf(parameter, "content")));
  const place = content ?? parameter;
  const stated = statedValue(document, parameter) ?? statedValue(document, place);
  const value = stated ?? valueOfSchema(document, memberOf(place, "schema"));
  if (content !== undefined) return value === undefined ? undefined : JSON.stringify(value);
  if (typeof value === "boolean") return String(value);
  // An invented text names nothing that exists; a number may, and so may a date.
  const isGuess = isMadeUp(value) && !isStated(document, parameter);
  return (typeof value === "string" && !isGuess) || typeof value === "number" ? value : undefined;
}

/** True when the document names a value, rather than a kind of values. */
function isStated(document: unknown, parameter: unknown): boolean {
  const schema = resolved(document, memberOf(parameter, "schema"));
  return (statedValue(document, parameter) ?? statedValue(document, schema)) !== undefined;
}

function bodyOf(document: unknown, operation: unknown): Body | undefined | string {
  const body = resolved(document, memberOf(operation, "requestBody"));
  if (body === undefined) return undefined;
  const content = memberOf(body, "content");
  const json = memberOf(content, "application/json");
  if (json === undefined)
    return memberOf(body, "required") === true ? "needs a body that is not JSON" : undefined;
  const value =
    fittingValue(statedValue(document, json)) ?? valueOfSchema(document, memberOf(json, "schema"));
  if (value !== undefined) return { kind: "json", value };
  const lacking = lackingIn(document, memberOf(json, "schema"));
  return `has no example body${lacking && `: no value is known for ${visibleLine(lacking).slice(0, 100)}`}`;
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = memberOf(value, name);
  return Array.isArray(list) ? list : [];
}
