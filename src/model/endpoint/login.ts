import { isNonEmpty, type NonEmptyArray } from "../../lists/non-empty.ts";
import { jsonOf } from "../../text/json.ts";
import { urlPart } from "../../text/quoting.ts";

import { fillText } from "./form.ts";

/** The text itself, or the name of a variable that holds it. */
export type SecretText = string | { readonly secret: string };

/** A user's login to the app: headers for every request, and a request that gives one more. */
export interface Login<Text = SecretText> {
  readonly headers: Readonly<Record<string, Text>>;
  readonly request: LoginRequest<Text> | undefined;
  /** A command that gives one more header in the request's place; absent: there is none. */
  readonly command?: TokenCommand;
  /** Several identities, whose values replace `{name}` in headers and fields; absent: there is one. */
  readonly users?: readonly Readonly<Record<string, Text>>[];
  /** Where they are read from, each row one. */
  readonly usersFrom?: UsersSource;
  /** Its place, for messages. */
  readonly place: string;
}

/** Source of identities that the configuration does not list. */
export type UsersSource =
  | { readonly kind: "csv"; readonly file: string }
  /** Queried on a copy of each arm's own database. */
  | { readonly kind: "sql"; readonly query: string }
  /** Run once for each server after its start; prints them. */
  | { readonly kind: "command"; readonly text: string };

/** True for names of what guards a route, rather than of what it reads from. */
export function isGuard(name: string): boolean {
  return /user|auth|login|token|account|admin|permission|principal/i.test(name);
}

/** Most identities: each of them logs in to each server that starts. */
export const mostUsers = 100;

export interface TokenCarrier {
  readonly header: string;
  /** Word before the token in the header; empty: none. */
  readonly scheme: string;
}

/** Sent once to each server after its start; its reply holds a token. */
interface LoginRequest<Text = SecretText> extends TokenCarrier {
  readonly path: string;
  readonly encoding: "form" | "json";
  readonly fields: Readonly<Record<string, Text>>;
  /** Path of the token in the JSON of the reply, names with dots between; or the cookie that the reply sets. */
  readonly token: string | CookieToken;
}

/** A token that travels as the cookie in which it came. */
export interface CookieToken {
  readonly cookie: string;
}

/** Run once for each server after its start, in the app's folder and environment; it prints a token. */
export interface TokenCommand extends TokenCarrier {
  /** As written. No shell is involved. */
  readonly text: string;
  /** Values that replace `{name}` in its words; absent: there is one identity. */
  readonly values?: Readonly<Record<string, string>>;
  /** Path of the token in the JSON that it prints; absent: it prints nothing but the token. */
  readonly token?: string;
}

/** Shorter ones occur in any text and cannot be hidden. */
export const shortestSecret = 6;

export function secretsOf({ headers, request, users = [] }: Login): string[] {
  const texts = [headers, request?.fields ?? {}, ...users].flatMap((each) => Object.values(each));
  return [...new Set(texts.flatMap((text) => (typeof text === "string" ? [] : [text.secret])))];
}

export function withSecrets(
  { headers, request, users, ...rest }: Login,
  secretOf: (name: string) => string,
): Login<string> {
  const filled = (texts: Readonly<Record<string, SecretText>>) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        typeof text === "string" ? text : secretOf(text.secret),
      ]),
    );
  return {
    ...rest,
    headers: filled(headers),
    request: request && { ...request, fields: filled(request.fields) },
    ...(users !== undefined && { users: users.map(filled) }),
  };
}

/** The login of each identity, in order; at least one. */
export function identitiesOf({
  users = [],
  usersFrom: _,
  ...login
}: Login<string>): NonEmptyArray<Login<string>> {
  const all = users.map((user) => {
    const filled = (texts: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(texts).map(([name, text]) => [
          name,
          fillText(text, (each) => (Object.hasOwn(user, each) ? user[each] : undefined)),
        ]),
      );
    const { headers, request, command } = login;
    return {
      ...login,
      ...(command && { command: { ...command, values: user } }),
      headers: filled(headers),
      request: request && { ...request, fields: filled(request.fields) },
    };
  });
  return isNonEmpty(all) ? all : [login];
}

export function bodyOfLogin({ encoding, fields }: LoginRequest<string>): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  if (encoding === "json")
    return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(nested(fields)) };
  const pairs = Object.entries(fields).map((pair) => pair.map(urlPart).join("="));
  return { headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: pairs.join("&") };
}

/** Names with dots are of objects in objects: `user.email`, as in the token's path. */
function nested(fields: Readonly<Record<string, string>>): unknown {
  const groups = new Map<string, unknown>();
  for (const [name, value] of Object.entries(fields)) {
    const [first = ""] = name.split(".");
    if (first === name) groups.set(name, value);
    else if (!groups.has(first)) groups.set(first, nested(inside(fields, first)));
  }
  return Object.fromEntries(groups);
}

function inside(fields: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> {
  const pairs = Object.entries(fields).filter(([each]) => each.startsWith(`${name}.`));
  return Object.fromEntries(pairs.map(([each, value]) => [each.slice(name.length + 1), value]));
}

/** A text when it is one word, as a token is; the end of a line after it does not count. */
export function tokenOf(text: string): string | undefined {
  const word = text.trim();
  return isToken.test(word) ? word : undefined;
}

/** It must fit into a header. */
const isToken = /^[!-~]{1,8000}$/;

/** The value at a path of a JSON text, when it is text that fits into a header. */
export function tokenIn(text: string, place: string): string | undefined {
  let value = jsonOf(text);
  for (const name of place.split("."))
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof value === "string" && isToken.test(value) ? value : undefined;
}
