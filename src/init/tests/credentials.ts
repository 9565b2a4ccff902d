import { jsonOf } from "../../text/json.ts";
import { isSignIn, tokenPlacesIn } from "../requests/accounts.ts";
import type { TestRequest } from "./recording.ts";

/** A login as the configuration file has it. */
export type LoginValue = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** The way in which a request shows who sends it. */
export interface Credential {
  readonly login: LoginValue;
  /** The request that gave the token. */
  readonly from: TestRequest;
  /** Headers that carry it: the login sends them. */
  readonly headers: readonly string[];
}

/** Shorter texts occur anywhere. */
const shortestToken = 8;
const mostTokens = 10_000;

/** The login behind each request that carries a token of an earlier reply. */
export function credentialsOf(requests: readonly TestRequest[]): ReadonlyMap<TestRequest, Credential> {
  const given = new Map<string, { readonly from: TestRequest; readonly place: string }>();
  const found = new Map<TestRequest, Credential>();
  for (const request of requests) {
    const credential = headerCredential(request, given) ?? cookieCredential(request, given);
    if (credential !== undefined) found.set(request, credential);
    if (request.status >= 400 || given.size > mostTokens) continue;
    for (const [place, value] of textsIn(jsonOf(request.reply)))
      if (value.length >= shortestToken && !given.has(value)) given.set(value, { from: request, place });
    for (const [name, value] of request.cookies.flatMap(cookieOf))
      if (!given.has(`cookie ${name}=${value}`))
        given.set(`cookie ${name}=${value}`, { from: request, place: name });
  }
  return found;
}

/** Requests that gave a token which none of the tests sends, the last first: they may log in as well. */
export function spareCredentials(requests: readonly TestRequest[]): readonly Credential[] {
  return requests.toReversed().flatMap((from) => {
    const sent = from.status < 300 && isSignIn.test(from.path) ? fieldsOf(from) : undefined;
    const isSecret = Object.keys({ ...Object(sent?.["form"]), ...Object(sent?.["json"]) }).some((name) =>
      /password|passwd|pwd/i.test(name),
    );
    const [place] = tokenPlacesIn(jsonOf(from.reply));
    if (sent === undefined || !isSecret || place === undefined) return [];
    const login = { ...sent, ...(place !== "access_token" && { token: place }) };
    return [{ from, headers: ["authorization"], login }];
  });
}

type Given = ReadonlyMap<string, { readonly from: TestRequest; readonly place: string }>;

function headerCredential({ headers }: TestRequest, given: Given): Credential | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (name === "cookie" || name === "content-type") continue;
    const [, scheme = "", token = ""] = /^(?:([!-~]+) +)?([!-~]+)$/.exec(value) ?? [];
    const source = given.get(token);
    if (source === undefined) continue;
    const sent = fieldsOf(source.from);
    if (sent === undefined) continue;
    const isUsual = name === "authorization";
    return {
      from: source.from,
      headers: [name],
      login: {
        ...sent,
        ...(source.place !== "access_token" && { token: source.place }),
        ...(!isUsual && { header: titled(name) }),
        ...(scheme !== "Bearer" && { scheme }),
      },
    };
  }
  return undefined;
}

function cookieCredential({ headers }: TestRequest, given: Given): Credential | undefined {
  for (const pair of (headers["cookie"] ?? "").split(/; */)) {
    const source = given.get(`cookie ${pair}`);
    if (source === undefined) continue;
    const sent = fieldsOf(source.from);
    if (sent !== undefined)
      return {
        from: source.from,
        headers: ["cookie"],
        login: { ...sent, token: { cookie: source.place } },
      };
  }
  return undefined;
}

/** The request of a login; `undefined` when the configuration cannot have it. */
function fieldsOf({ method, path, query, headers, body }: TestRequest): LoginValue | undefined {
  const isPath = /^\/[!-~]*$/.test(path);
  if (method !== "POST" || !isPath || query !== "") return undefined;
  const type = headers["content-type"] ?? "";
  if (type.startsWith("application/x-www-form-urlencoded")) {
    const fields = Object.fromEntries(new URLSearchParams(body));
    return isPlain(fields) ? { path, form: fields } : undefined;
  }
  const value = jsonOf(body);
  const fields = Object.fromEntries(textsIn(value));
  // Numbers and flags cannot be fields of a login.
  const isWhole = value !== undefined && leavesIn(value) === Object.keys(fields).length;
  return isWhole && isPlain(fields) ? { path, json: fields } : undefined;
}

/** True if there is anything, and braces would not be taken for parameters. */
function isPlain(fields: Readonly<Record<string, string>>): boolean {
  const values = Object.values(fields);
  return values.length > 0 && values.every((value) => /^[^\r\n]*$/.test(value) && !/\{\w+\}/.test(value));
}

/** Texts in objects, each with the names on the way to it. */
function textsIn(value: unknown, before = "", depth = 0): (readonly [place: string, text: string])[] {
  if (typeof value === "string") return before === "" ? [] : [[before, value]];
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth > 4) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    name.includes(".") || name === ""
      ? []
      : textsIn(each, before === "" ? name : `${before}.${name}`, depth + 1),
  );
}

function leavesIn(value: unknown): number {
  return typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + leavesIn(each), 0)
    : 1;
}

function cookieOf(header: string): (readonly [name: string, value: string])[] {
  const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)=([^;]*)/.exec(header) ?? [];
  return name === undefined || value === undefined || value === "" ? [] : [[name, value]];
}

/** As people write it: `X-Member`. */
export function titled(header: string): string {
  return header.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}
