import { operationsOf } from "../../endpoints/openapi.ts";
import { defined } from "../../lists/defined.ts";
import { groupBy } from "../../lists/group.ts";
import type { Endpoint } from "../../model/endpoint/endpoint.ts";
import { type ParameterValue, placeholdersIn } from "../../model/endpoint/form.ts";
import { isGuard } from "../../model/endpoint/login.ts";
import { jsonOf } from "../../text/json.ts";
import { betweenParts } from "../../text/wildcards.ts";
import type { FoundSetting } from "../project.ts";
import { withScopes } from "../requests/accounts.ts";
import { type Credential, credentialsOf, spareCredentials, titled } from "./credentials.ts";
import type { Recording, Replacement, TestRequest, TestRow, WrittenRow } from "./recording.ts";

/** A request that worked in a test. */
export interface LearnedRequest {
  readonly method: Endpoint["method"];
  /** As the document has it, or as it was sent: `/tools/{tool_id}`. */
  readonly template: string;
  readonly params: Readonly<Record<string, ParameterValue>>;
  /** With a question mark; empty without. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** e.g. `tests/test_tools.py::test_a_member_sees_a_tool` */
  readonly test: string;
  /** Why it may not work without the test; `undefined`: nothing is known. */
  readonly lacks: string | undefined;
}

/** What a repository's tests show about requests to its app. */
export interface Learned {
  /** Requests to each route, likeliest first. */
  readonly routes: readonly (readonly LearnedRequest[])[];
  /** Those of different accounts, the one that most routes' tests use first. */
  readonly logins: readonly FoundSetting[];
  /** Log-ins whose tokens none of them sends, as where they make tokens themselves. */
  readonly spare: readonly FoundSetting[];
  /** Rows that they need, each once. */
  readonly rows: readonly WrittenRow[];
  /** Dependencies that the tests replace, as `module:name`, with what they return in most routes' tests. */
  readonly replaced: ReadonlyMap<string, Replacement | undefined>;
}

const mostOfRoute = 3;
const mostRows = 500;
/** Those of other tests, e.g. what a fixture made for all of them. */
const mostOthers = 100;

export function learn(recording: Recording, document: unknown): Learned {
  const operations = operationsOf(document);
  const requests = recording.requests.map((each) => asInApp(each, operations));
  const credentials = credentialsOf(requests);
  const worked = requests.filter(({ status }) => status < 300);
  const placed = groupBy(worked, (request) => `${request.method} ${templateOf(request, operations)}`);
  const accounts = likeliest([...placed.values()], credentials);
  const spare = spareOf(worked, accounts);
  const [login] = accounts;
  const valuesOf = ({ values }: TestRequest) =>
    values.flatMap((number) => recording.replacements.get(number) ?? []);
  const replaced = replacedIn([...placed.values()], valuesOf);
  // A request fits the account for which it was sent.
  const isOfChosen = (request: TestRequest) =>
    valuesOf(request).some(({ name, source }) => isGuard(name) && replaced.get(name)?.source === source);
  const routes = [...placed.values()].flatMap((requests) => {
    const chosen = requests.filter(isOfChosen);
    const ranked = (chosen.length > 0 ? chosen : requests).toSorted(
      (a, b) => rankOf(a, credentials, login) - rankOf(b, credentials, login),
    );
    const all = ranked.flatMap((request) => {
      const read = requestOf(request, templateOf(request, operations), credentials.get(request), login);
      return read === undefined ? [] : [{ request, read }];
    });
    const different = [
      ...new Map(all.map((each) => [JSON.stringify({ ...each.read, test: "" }), each])).values(),
    ];
    return different.length === 0 ? [] : [different.slice(0, mostOfRoute)];
  });
  const needing = [
    ...[...accounts, ...spare].map(({ from }) => from),
    ...[0, 1, 2].flatMap((place) => routes.flatMap((each) => each[place]?.request ?? [])),
  ];
  return {
    routes: routes.map((each) => each.map(({ read }) => read)),
    logins: accounts.flatMap(({ login: value, from }) => {
      const reason = `the account of the tests with which most endpoints answer: ${from.test}`;
      const asked = typeof value["form"] === "object" ? withScopes(document, value["form"]) : [];
      return [...asked.map((form) => ({ ...value, form })), value].map((each) => ({
        ...{ key: "login", value: each, reason },
      }));
    }),
    spare: spare.map(({ login: value, from }) => ({
      ...{ key: "login", value, reason: `an account of the tests: ${from.test}` },
    })),
    rows: rowsFor(needing, recording),
    replaced,
  };
}

/** What is replaced, and for each the value with which most routes answered. */
function replacedIn(
  routes: readonly (readonly TestRequest[])[],
  valuesOf: (request: TestRequest) => readonly Replacement[],
): Learned["replaced"] {
  const names = new Set(routes.flat().flatMap(({ overrides }) => overrides));
  const values = routes.flatMap((requests) => [
    ...new Map(requests.flatMap(valuesOf).map((each) => [`${each.name} ${each.source}`, each])).values(),
  ]);
  return new Map(
    [...names].map((name) => {
      const own = groupBy(
        values.filter((each) => each.name === name),
        ({ source }) => source,
      );
      return [name, [...own.values()].toSorted((a, b) => b.length - a.length)[0]?.[0]] as const;
    }),
  );
}

/** Each may open what the others may not: suites have an account for each role, or one for each test. */
const mostAccounts = 4;

/** The login that opens most routes, then the one that opens most of the others, and so on. */
function likeliest(
  routes: readonly (readonly TestRequest[])[],
  credentials: ReadonlyMap<TestRequest, Credential>,
): readonly Credential[] {
  const opened = new Map<string, { readonly credential: Credential; readonly routes: Set<number> }>();
  for (const [route, requests] of routes.entries())
    for (const credential of requests.flatMap((each) => credentials.get(each) ?? [])) {
      const key = JSON.stringify(credential.login);
      const known = opened.get(key) ?? { credential, routes: new Set() };
      opened.set(key, known);
      known.routes.add(route);
    }
  const chosen: Credential[] = [];
  const left = new Set(routes.keys());
  const newOf = (each: { readonly routes: Set<number> }) =>
    [...each.routes].filter((route) => left.has(route)).length;
  while (chosen.length < mostAccounts) {
    const [best] = [...opened.values()].toSorted((a, b) => newOf(b) - newOf(a));
    if (best === undefined || newOf(best) === 0) break;
    chosen.push(best.credential);
    for (const route of best.routes) left.delete(route);
  }
  return chosen;
}

const mostSpare = 2;

/** Other accounts whose log-in worked. */
function spareOf(worked: readonly TestRequest[], used: readonly Credential[]): readonly Credential[] {
  const keyOf = ({ login }: Credential) => JSON.stringify(login);
  const known = new Set(used.map(keyOf));
  const others = spareCredentials(worked).filter((each) => !known.has(keyOf(each)));
  return [...new Map(others.map((each) => [keyOf(each), each])).values()].slice(0, mostSpare);
}

/** Those of the chosen account first, then those of nobody, then those of others. */
function rankOf(
  request: TestRequest,
  credentials: ReadonlyMap<TestRequest, Credential>,
  login: Credential | undefined,
): number {
  const own = credentials.get(request);
  if (own === undefined) return 1;
  return JSON.stringify(own.login) === JSON.stringify(login?.login) ? 0 : 2;
}

/**
 * A request as the app has it: tests may serve a router alone, without the prefix that it has in the app. One that fits
 * several operations stays as it was.
 */
function asInApp(request: TestRequest, operations: ReturnType<typeof operationsOf>): TestRequest {
  const { method, path } = request;
  const own = operations.filter((each) => each.method === method);
  if (own.some((each) => valuesIn(path, each.path) !== undefined)) return request;
  const length = path.split("/").length;
  const found = own.filter((each) => {
    const segments = each.path.split("/");
    const end = segments.slice(1 - length);
    const isNamed = end.some((segment) => segment !== "" && !segment.includes("{"));
    return segments.length > length && isNamed && valuesIn(path, `/${end.join("/")}`) !== undefined;
  });
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return request;
  const prefix = only.path.split("/").slice(0, 1 - length);
  if (prefix.some((segment) => segment.includes("{"))) return request;
  return { ...request, path: `${prefix.join("/")}${path}`, route: only.path };
}

function templateOf(
  { method, path, route }: TestRequest,
  operations: ReturnType<typeof operationsOf>,
): string {
  const fitting = operations.filter(
    (each) => each.method === method && valuesIn(path, each.path) !== undefined,
  );
  const exact = fitting.find((each) => each.path === path) ?? fitting.find((each) => each.path === route);
  return (exact ?? fitting[0])?.path ?? escaped(path);
}

/** Values of a template's names in a path; `undefined` when it does not fit. */
function valuesIn(path: string, template: string): Readonly<Record<string, string>> | undefined {
  const [segments, wanted] = [path.split("/"), template.split("/").map((each) => each.split(/\{\w+\}/))];
  if (segments.length !== wanted.length || wanted.flat().some((part) => /[{}]/.test(part))) return undefined;
  const found = segments.map((segment, index) => betweenParts(segment, wanted[index] ?? [], 1));
  if (found.includes(undefined)) return undefined;
  const values = found.flatMap((each) => each ?? []);
  return Object.fromEntries(placeholdersIn(template).map((name, index) => [name, values[index] ?? ""]));
}

/** As the configuration takes it: percent-encoded, without braces. */
function escaped(path: string): string {
  return encodeURI(path).replaceAll(/[{}[\]?#]/g, encodeURIComponent);
}

/** `undefined` when the configuration cannot have it. */
function requestOf(
  { method, path, query, headers, body, test, overrides }: TestRequest,
  template: string,
  credential: Credential | undefined,
  login: Credential | undefined,
): LearnedRequest | undefined {
  const params = valuesIn(path, template) ?? {};
  const sent = bodyOf(body, headers["content-type"] ?? "");
  if (body !== "" && (method === "GET" || method === "HEAD")) return undefined;
  const named = Object.entries(params).map((pair) => pair.join("="));
  // It ends, and nobody should find it in a file.
  if (webToken.test(`${path} ${query} ${body}`) || namedToken.test(`${named} ${query} ${body}`))
    return undefined;
  const isQuery = /^[!-~]*$/.test(query) && !/[{}]/.test(query);
  if (!isQuery || sent === undefined || template.length + query.length > 1_400) return undefined;
  const carried = new Set([...(credential?.headers ?? []), ...(login?.headers ?? []), "cookie"]);
  const others = Object.entries(headers).filter(([name]) => name !== "content-type" && !carried.has(name));
  const isSecret = others.some(([, value]) => looksSecret(value));
  const kept = others.filter(([, value]) => !looksSecret(value) && isPlain(value));
  const isGuarded = credential === undefined && (isSecret || headers["cookie"] !== undefined);
  return {
    method,
    template,
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, numbered(value)])),
    query: query === "" ? "" : `?${query}`,
    headers: Object.fromEntries([...kept.map(([name, value]) => [titled(name), value]), ...sent.headers]),
    body: sent.value,
    test,
    lacks: lackOf(isGuarded, overrides),
  };
}

function lackOf(isGuarded: boolean, overrides: readonly string[]): string | undefined {
  if (isGuarded) return "its test makes the token itself";
  const names = overrides.map((each) => each.replace(/^.*:/, "")).filter((name) => /^[\w.]+$/.test(name));
  return names.length === 0 ? undefined : `its test replaces ${names.join(" and ")}`;
}

/** Three parts; those that itsdangerous signs have a short time in the middle. */
const webToken = /\b[\w-]{10,}\.(?:[\w-]{10,}\.[\w-]{10,}|[\w-]{6}\.[\w-]{27}(?![\w-]))/;
const namedToken = /token"?\s{0,9}[:=]\s{0,9}"?[\w+/=-]{24,}/i;

/** A token that ends, and that nobody should find in a file. */
function looksSecret(value: string): boolean {
  return /^(?:bearer|token|jwt) /i.test(value) || webToken.test(value);
}

function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text) && !/\{\w+\}/.test(text);
}

type Sent = { readonly value: unknown; readonly headers: readonly (readonly [string, string])[] };

/** `undefined`: no configuration can have it. Without a body the value is `undefined`. */
function bodyOf(body: string, type: string): Sent | undefined {
  if (body === "") return { value: undefined, headers: [] };
  // Braces in a body are parameters.
  if (/\{\w+\}/.test(body) || type.startsWith("multipart/")) return undefined;
  const value = type === "" || type.includes("json") ? jsonOf(body) : undefined;
  // A text in the configuration is sent as it is, without quotes.
  if (value !== undefined && typeof value !== "string") return { value, headers: [] };
  return isPlain(type) ? { value: body, headers: [["Content-Type", type]] } : undefined;
}

function numbered(value: string): ParameterValue {
  return /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
}

/** The first version of each row that is needed: those of the requests' own tests first, since others may be left over. */
function rowsFor(requests: readonly TestRequest[], { rows }: Recording): readonly TestRow[] {
  const [own, others] = [new Map<string, TestRow>(), new Map<string, TestRow>()];
  for (const request of requests)
    for (const number of request.rows) {
      const row = rows.get(number);
      const found = row?.test === request.test ? own : others;
      if (row !== undefined && !found.has(row.key)) found.set(row.key, row);
    }
  const inOrder = (all: ReadonlyMap<string, TestRow>) =>
    [...all.values()].toSorted((a, b) => a.number - b.number);
  const left = inOrder(others).filter(({ key }) => !own.has(key));
  return [...inOrder(own).slice(0, mostRows), ...left.slice(0, mostOthers)];
}

/** As the configuration file has it. */
export function writtenAs({
  method,
  template,
  params,
  query,
  headers,
  body,
}: LearnedRequest): Readonly<Record<string, unknown>> {
  const lists = Object.entries(params).map(([name, value]) => [name, [value]]);
  return {
    path: template + query,
    ...(method !== "GET" && { method }),
    ...(lists.length > 0 && { params: Object.fromEntries(lists) }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...defined({ body }),
  };
}
