import type { Reply } from "../../endpoints/dry-request.ts";
import { formFromOpenApi, operationsOf } from "../../endpoints/openapi.ts";
import { memberOf, resolved, statedValue, valueOfSchema } from "../../endpoints/openapi-schema.ts";
import { groupBy } from "../../lists/group.ts";
import type { Endpoint } from "../../model/endpoint/endpoint.ts";
import { type EndpointForm, type ParameterValue, placeholdersIn } from "../../model/endpoint/form.ts";
import { shortenEnd } from "../../text/length.ts";
import { visibleLine } from "../../text/visible.ts";
import type { ProjectFile } from "../project.ts";

/** A parameter's values in the form of the configuration file. */
export type WrittenParameter = readonly ParameterValue[] | { readonly sql: string };

/** An element of `endpoints`, to be measured or only shown. */
export interface SuggestedEndpoint {
  /** A line, or the path of a whole endpoint. */
  readonly line: string;
  /** Makes it a whole endpoint. */
  readonly params?: Readonly<Record<string, WrittenParameter>>;
  /** The whole endpoint as it is written, when more than its path and parameters is known. */
  readonly form?: Readonly<Record<string, unknown>>;
  /** The test that it comes from; absent: nobody's. */
  readonly from?: string;
  /** Reason for not measuring it, as the end of a sentence; `undefined` when it is measured. */
  readonly reason: string | undefined;
  /** True when it answers with server-sent events. */
  readonly isStream?: true;
  /** SQL statements of one request; absent: nobody counted. */
  readonly statements?: number;
}

const mostMeasured = 20;

const mostShown = 60;

/** An endpoint that reads, in the form of its trial. */
export interface Candidate {
  readonly endpoint: Endpoint;
  /** Request by the document, without its path's parameters. */
  readonly form: EndpointForm;
  /** Names in its path. */
  readonly names: readonly string[];
  /** What nobody stated, where its query is invented: the reason if the app refuses that. */
  readonly lacks?: string;
}

/** Splits a document's endpoints into those worth a trial and those known to fail. */
export function candidatesOf(document: unknown): {
  readonly candidates: readonly Candidate[];
  readonly others: readonly SuggestedEndpoint[];
} {
  const candidates: Candidate[] = [];
  const others: SuggestedEndpoint[] = [];
  const operations = operationsOf(document);
  for (const endpoint of operations) {
    const { method, path } = endpoint;
    if (isDocumentation.test(path) && !hasOthers(endpoint, operations)) {
      others.push({ line: path, reason: "shows the documentation" });
      continue;
    }
    // After a logout the token of all others may be worth nothing.
    if (method !== "GET" || /(log|sign)[-_]?out/i.test(path)) {
      others.push(writeOf(document, endpoint));
      continue;
    }
    // The trial shows if a login is needed: an app may not enforce a scheme that it names.
    const form = formFromOpenApi(withValues(document, endpoint), endpoint, true);
    const guess =
      typeof form === "string"
        ? formFromOpenApi(withValues(document, endpoint, "query"), endpoint, true)
        : form;
    const names = placeholdersIn(path);
    if (typeof guess === "string") others.push({ line: path, reason: guess });
    else candidates.push({ endpoint, form: guess, names, ...(typeof form === "string" && { lacks: form }) });
  }
  return { candidates, others };
}

/** Tests look whether it is there; nobody measures it. */
export const isDocumentation = /\/(?:openapi\.json|docs|redoc)\/?$/;

/** True for a collection of that name: something is written to it, or is below it. */
function hasOthers({ method, path }: Endpoint, operations: readonly Endpoint[]): boolean {
  const place = `${path.replace(/\/$/, "")}/`;
  return (
    method !== "GET" ||
    operations.some((each) =>
      each.path !== path ? each.path.startsWith(place) && each.path !== place : each.method !== method,
    )
  );
}

/** A request that writes, as the document describes it: nobody knows whether it may be sent again and again. */
function writeOf(document: unknown, endpoint: Endpoint): SuggestedEndpoint {
  const { method, path } = endpoint;
  const line = `${method} ${path}`;
  const form = formFromOpenApi(withValues(document, endpoint), endpoint, true);
  if (typeof form === "string") return { line, reason: form };
  const reason = "writes, so it was not tried";
  if (form.body?.kind !== "json") return { line, reason };
  const written = { path: form.endpoint.path, method, body: form.body.value };
  return JSON.stringify(written).length > longestForm ? { line, reason } : { line, form: written, reason };
}

/** A comment is one line. */
const longestForm = 500;

/** Without a trial, because the app could not be started. */
export function documentedEndpoints(document: unknown): readonly SuggestedEndpoint[] {
  const { candidates, others } = candidatesOf(document);
  return limited([
    ...candidates.map(({ endpoint: { path } }) => ({ line: path, reason: "was not checked" })),
    ...others,
  ]);
}

function isStated(document: unknown, parameter: unknown): boolean {
  const schema = resolved(document, memberOf(parameter, "schema"));
  return statedValue(document, parameter) !== undefined || statedValue(document, schema) !== undefined;
}

/**
 * The document with some value for each parameter of a path, so that a form can be made of the rest.
 *
 * @param more the place of others that get one
 */
function withValues(document: unknown, { method, path }: Endpoint, more?: "query"): unknown {
  const name = method.toLowerCase();
  const item = memberOf(memberOf(document, "paths"), path);
  const withOne = (parameter: unknown) => {
    const place = memberOf(parameter, "in");
    if (isStated(document, parameter) || (place !== "path" && place !== more)) return parameter;
    const value = place === "path" ? invented : valueOfSchema(document, memberOf(parameter, "schema"));
    return { ...Object(parameter), example: value };
  };
  const stated = (parameters: unknown) => (Array.isArray(parameters) ? parameters.map(withOne) : parameters);
  const own = memberOf(item, name);
  return {
    ...Object(document),
    paths: {
      [path]: {
        ...Object(item),
        parameters: stated(memberOf(item, "parameters")),
        [name]: { ...Object(own), parameters: stated(memberOf(own, "parameters")) },
      },
    },
  };
}

/** Stands for a value that nobody stated. */
export const invented = "loadtest-invented";

/**
 * Measured ones first, with health checks last among them; at most so many of each. Where there are more, the parts of
 * the app take turns.
 */
export function limited(all: readonly SuggestedEndpoint[]): readonly SuggestedEndpoint[] {
  const sorted = all.toSorted((a, b) => rankOf(a) - rankOf(b));
  const measured = sorted.filter(({ reason }) => reason === undefined);
  const kept = new Set(byTurns(measured).slice(0, mostMeasured));
  return sorted
    .map((each) =>
      each.reason === undefined && !kept.has(each) ? { ...each, reason: "left out for brevity" } : each,
    )
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .slice(0, mostShown);
}

/** The first endpoint of each part of the app, then the second of each; health checks last. */
function byTurns(endpoints: readonly SuggestedEndpoint[]): readonly SuggestedEndpoint[] {
  const parts = groupBy(endpoints, ({ line }) => (isHealth(line) ? undefined : partOf(line)));
  const turns = [...parts].flatMap(([part, own]) =>
    own.map((each, turn) => ({ each, turn: part === undefined ? Number.POSITIVE_INFINITY : turn })),
  );
  return turns.toSorted((a, b) => (a.turn === b.turn ? 0 : a.turn - b.turn)).map(({ each }) => each);
}

/** `recipes` of `/api/v1/recipes/{id}`. */
function partOf(line: string): string {
  const parts = line.replace(/^[A-Z]+ /, "").split(/[/?]/);
  return parts.find((part) => part !== "" && !/^(?:api|v\d+|\{.*)$/.test(part)) ?? "";
}

function rankOf({ line, reason }: SuggestedEndpoint): number {
  return reason !== undefined ? 2 : isHealth(line) ? 1 : 0;
}

/** A path without needs: a health check, else the shortest other one than the first page. */
export function readyPathIn(document: unknown): string | undefined {
  const paths = operationsOf(document)
    .filter(({ method, path }) => method === "GET" && path !== "/" && !path.includes("{"))
    .map(({ path }) => path)
    .toSorted((a, b) => a.length - b.length);
  return paths.find(isHealth) ?? paths[0];
}

function isHealth(line: string): boolean {
  return /\/(?:health|healthz|health-?check|livez?|readyz?|ping|status|metrics|version)\/?$/.test(line);
}

const route =
  /^[ \t]*(?:@\w+\.(?:get|route)\(\s*|(?:Route|path)\(\s*|\w+\.add_api_route\(\s*|@get\(\s*)["'](\/?[\w./-]*)["']/gm;

/** Paths without parameters in the code of an app without an OpenAPI document. */
export function routesIn(files: readonly ProjectFile[]): readonly SuggestedEndpoint[] {
  const paths = files
    .filter(({ path }) => path.endsWith(".py"))
    .flatMap(({ text }) => [...text.matchAll(route)].map(([, path = ""]) => `/${path.replace(/^\//, "")}`));
  return limited([...new Set(paths)].map((line) => ({ line, reason: undefined })));
}

/** Paths of an app's WebSockets, as listed in an extension of its OpenAPI document. */
export function socketsIn(document: unknown): readonly string[] {
  const listed = memberOf(document, "x-websockets");
  if (!Array.isArray(listed)) return [];
  const paths = listed.filter((each) => typeof each === "string" && /^\/[!-~]{0,500}$/.test(each));
  return [...new Set(paths.map(String))];
}

/** What a user says without a body of its own; twice, because a server may greet before it answers. */
export const socketTrial = ["ping", "ping"] as const;

/** Judges the reply to a WebSocket's trial: it can be measured as it is if it answers all that is said. */
export function socketFrom(path: string, reply: Reply | string): SuggestedEndpoint {
  const line = lineOf(path);
  const because = (reason: string) => ({ line, reason });
  if (typeof reply === "string") return because(`could not be opened: ${shortenEnd(visibleLine(reply), 80)}`);
  const { status, answers = 0 } = reply;
  if (status === 101 && answers >= socketTrial.length) return { line, reason: undefined };
  if (status === 101)
    return because("opens, but does not answer `ping`: set what is sent (`body`), docs/endpoints.md");
  if (status === 401 || status === 403) return because(`needs a login (${status}); set up \`login\``);
  return because(`could not be opened (${status})`);
}

/** One that cannot be tried, because nobody knows a value for its path; `undefined` for all others. */
export function unknownSocket(path: string): SuggestedEndpoint | undefined {
  const [, name] = /\{(\w+)/.exec(path) ?? [];
  return name === undefined ? undefined : { line: lineOf(path), reason: `needs a ${name}: set \`params\`` };
}

/** Those of an app that could not be started. */
export function documentedSockets(document: unknown): readonly SuggestedEndpoint[] {
  return socketsIn(document).map(
    (path) => unknownSocket(path) ?? { line: lineOf(path), reason: "was not checked" },
  );
}

function lineOf(path: string): string {
  return `WS ${path}`;
}
