import { formFromOpenApi, operationsOf } from "../../endpoints/openapi.ts";
import { memberOf, resolved, valueOfSchema } from "../../endpoints/openapi-schema.ts";
import type { FoundSetting } from "../project.ts";
import type { FirstUser } from "../read/variables.ts";
import { schemaOfBody } from "./rows.ts";

/** An account that the app may give to anybody who asks. */
export interface Account {
  /** A line of `seed-request` that asks for it. */
  readonly line: string;
  /** Name of each field to its value: `email`, `username`, `password`. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A request for a token: keys of the configuration's `login`. */
interface TokenRequest {
  readonly path: string;
  readonly kind: "form" | "json";
  readonly fields: Readonly<Record<string, string>>;
}

const password = "Load-test-1!";

const isSignUp = /register|registration|sign-?up/i;

const isUsers = /\/(?:users?|accounts?)(?:\/(?:open|create|add|new))?\/?$/i;

/** A new account with more than what a login needs: a tutorial that many follow has it. */
const isAuth = /\/auth\/?$/i;
const fieldsOfLogin = 2;

export const isSignIn = /(?:login|log-in|sign-?in|token|authenticate|access-token|auth)\/?$/i;

const isOfAccount = /^(?:email|username|login|password)$/;

const isOther = /refresh|revoke|reset|forgot|recover|verify|logout|change/i;

/** Accounts that the document's operations may give, likeliest first. */
export function accountsIn(document: unknown): readonly Account[] {
  return operationsOf(document)
    .filter(({ method, path }) => method === "POST" && !path.includes("{"))
    .filter(({ path }) => [isSignUp, isUsers, isAuth].some((each) => each.test(path)) && !isOther.test(path))
    .toSorted((a, b) => Number(isSignUp.test(b.path)) - Number(isSignUp.test(a.path)))
    .flatMap(({ path }) => {
      const form = formFromOpenApi(document, { method: "POST", path }, true);
      if (typeof form === "string" || form.body?.kind !== "json") return [];
      const body = withPassword(withNames(document, path, form.body.value));
      const fields = Object.fromEntries(leavesOf(body).map(([name, value]) => [lastOf(name), value]));
      const isLogin = isAuth.test(path) && Object.keys(fields).length <= fieldsOfLogin;
      const isAccount = fields["password"] !== undefined && nameOf(fields) !== undefined && !isLogin;
      return isAccount ? [{ line: `POST ${form.endpoint.path} ${JSON.stringify(body)}`, fields }] : [];
    });
}

/** Requests that may give a token for an account, likeliest first. */
export function tokenRequestsIn(
  document: unknown,
  { fields }: Pick<Account, "fields">,
): readonly TokenRequest[] {
  const stated = tokenPath(document);
  const rankOf = (path: string) => (path === stated ? 0 : isSignIn.test(path) ? 1 : 2);
  return operationsOf(document)
    .filter(({ method, path }) => method === "POST" && !path.includes("{") && !isOther.test(path))
    .toSorted((a, b) => rankOf(a.path) - rankOf(b.path))
    .flatMap(({ path }): readonly TokenRequest[] => {
      const isNamed = rankOf(path) < 2;
      const known = [fields["username"], fields["login"], fields["email"]];
      const names = [...new Set([...known, nameOf(fields)])].filter((each) => each !== undefined);
      if (isNamed && isForm(document, path)) {
        const secret = fields["password"] ?? password;
        const ways = names.map((username) => ({ username, password: secret }));
        return [...ways.flatMap((each) => withScopes(document, each)), ...ways].map((each) => ({
          ...{ path, kind: "form", fields: each },
        }));
      }
      const leaves = leavesOf(valueOfSchema(document, schemaOfBody(document, path)));
      const isFew = leaves.length <= 2 && !isSignUp.test(path) && !isUsers.test(path);
      const hasPassword = (isNamed || isFew) && leaves.some(([name]) => lastOf(name) === "password");
      if (!hasPassword) return [];
      const isNameKnown = leaves.some(([name]) => /^(?:email|username|login)$/.test(lastOf(name)));
      return (isNameKnown || names.length < 2 ? [nameOf(fields)] : names.toReversed()).map((other) => {
        const filled = leaves.flatMap(([name]) => {
          const value = fields[lastOf(name)] ?? other;
          return value === undefined ? [] : [[name, value] as const];
        });
        return { path, kind: "json", fields: Object.fromEntries(filled) };
      });
    });
}

/** Ways in which a token may travel, likeliest first, by the document's security schemes. */
export function carriersIn(
  document: unknown,
): readonly { readonly header: string; readonly scheme: string }[] {
  const schemes = schemesIn(document);
  const stated = [...keysIn(schemes, "header"), ...requiredHeaders(document)];
  const headers = [...new Set(stated.length === 0 ? ["Authorization"] : stated)];
  const isBasic = schemes.some((each) => /^basic$/i.test(String(memberOf(each, "scheme"))));
  const words = [...(isBasic ? ["Basic"] : []), "Bearer", "Token", "JWT", ""];
  return [
    ...keysIn(schemes, "cookie").map((name) => ({ header: "Cookie", scheme: `${name}=` })),
    ...headers.flatMap((header) => words.map((scheme) => ({ header, scheme }))),
  ];
}

/** Headers in which the document wants a key, likeliest first. */
export function keyHeadersIn(document: unknown): readonly string[] {
  return [...new Set([...keysIn(schemesIn(document), "header"), ...requiredHeaders(document)])];
}

function keysIn(schemes: readonly unknown[], place: "header" | "cookie"): readonly string[] {
  return schemes.flatMap((scheme) => {
    const name = memberOf(scheme, "name");
    const isKey = memberOf(scheme, "type") === "apiKey" && memberOf(scheme, "in") === place;
    return isKey && typeof name === "string" && /^[\w-]{1,60}$/.test(name) ? [name] : [];
  });
}

/** Headers that operations require, and that hold a token by their names. */
function requiredHeaders(document: unknown): readonly string[] {
  const items = Object.values(Object(memberOf(document, "paths")));
  const parameters = items.flatMap((item) =>
    Object.values(Object(item)).flatMap((operation) => {
      const own = memberOf(operation, "parameters");
      return Array.isArray(own) ? own.map((each: unknown) => resolved(document, each)) : [];
    }),
  );
  return parameters.flatMap((each) => {
    const name = memberOf(each, "name");
    const isRequired = memberOf(each, "in") === "header" && memberOf(each, "required") === true;
    return isRequired &&
      typeof name === "string" &&
      /^[\w-]{0,40}(?:token|auth|jwt|session|api-?key)[\w-]{0,20}$/i.test(name)
      ? [name]
      : [];
  });
}

const isToken = /token|jwt|^key$/i;

/** Whatever its name. */
const webToken = /^eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}$/;

/** Places of what looks like a token in a reply, with dots between names. */
export function tokenPlacesIn(reply: unknown): readonly string[] {
  return leavesOf(reply)
    .filter(([name, value]) => webToken.test(value) || (isToken.test(lastOf(name)) && value.length >= 8))
    .map(([name]) => name)
    .filter((name) => !/refresh|type/i.test(lastOf(name)));
}

/** The word that a reply says belongs before its token: `token_type`. */
export function schemeIn(reply: unknown): string | undefined {
  const [, word] = leavesOf(reply).find(([name]) => /^token_?type$/i.test(lastOf(name))) ?? [];
  return word !== undefined && /^[A-Za-z]{1,20}$/.test(word) ? word : undefined;
}

function isForm(document: unknown, path: string): boolean {
  const post = memberOf(memberOf(memberOf(document, "paths"), path), "post");
  const content = memberOf(resolved(document, memberOf(post, "requestBody")), "content");
  return memberOf(content, "application/x-www-form-urlencoded") !== undefined;
}

function nameOf(fields: Readonly<Record<string, string>>): string | undefined {
  return ["email", "username", "login", "name"]
    .map((each) => fields[each])
    .find((each) => each !== undefined);
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

const deepest = 3;

/** The texts of an object and of the objects in it, with dots between names. */
function leavesOf(value: unknown, before = "", depth = 0): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth > deepest) return [];
  return Object.entries(value).flatMap(([name, each]): readonly (readonly [string, string])[] =>
    typeof each === "string" && !name.includes(".")
      ? [[before + name, each]]
      : leavesOf(each, `${before}${name}.`, depth + 1),
  );
}

/** An account without a name or a password opens nothing, also where its schema requires none. */
function withNames(document: unknown, path: string, body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  const properties = memberOf(resolved(document, schemaOfBody(document, path)), "properties");
  const more = Object.entries(Object(properties))
    .filter(([name]) => isOfAccount.test(name) && !Object.hasOwn(body, name))
    .map(([name, schema]) => [name, valueOfSchema(document, schema)] as const)
    .filter(([, value]) => typeof value === "string");
  return { ...body, ...Object.fromEntries(more) };
}

/** A password, a telephone number and an address that rules accept, in each field for one that has no example. */
function withPassword(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]: [string, unknown]) => {
      if (typeof each !== "string" || !/^textx*$/.test(each)) return [name, withPassword(each)];
      if (/password/i.test(name)) return [name, password];
      if (/phone|mobile/i.test(name)) return [name, "+14155552671"];
      return [name, /e-?mail/i.test(name) ? "user@example.com" : each];
    }),
  );
}

type Fields = Readonly<Record<string, string>>;

/** The fields of a login that asks for all permissions in the document; none where it names no others. */
export function withScopes(document: unknown, fields: Fields): readonly Fields[] {
  const flows = schemesIn(document).flatMap((each) => memberOf(memberOf(each, "flows"), "password") ?? []);
  const names = flows.flatMap((each) => Object.keys(Object(memberOf(each, "scopes"))));
  const scope = [...new Set(names)].filter((each) => /^[\w:.*/-]{1,100}$/.test(each)).join(" ");
  return scope === "" || scope === fields["scope"] ? [] : [{ ...fields, scope }];
}

/** The login to the app as its first user, when its document has a password flow. */
export function findLogin(
  document: unknown,
  { setting, username, password }: FirstUser,
): FoundSetting | undefined {
  const path = tokenPath(document);
  if (path === undefined) return undefined;
  return {
    key: "login",
    value: { path, form: withScopes(document, { username, password })[0] ?? { username, password } },
    reason: `the app's own first user (${setting}); its OpenAPI document names the path`,
  };
}

function schemesIn(document: unknown): readonly unknown[] {
  return Object.values(Object(memberOf(memberOf(document, "components"), "securitySchemes")));
}

/** Path of the first scheme that takes a name and a password. */
function tokenPath(document: unknown): string | undefined {
  for (const scheme of schemesIn(document)) {
    const url = memberOf(memberOf(memberOf(scheme, "flows"), "password"), "tokenUrl");
    if (typeof url !== "string" || url.includes("://")) continue;
    const path = `/${url.replace(/^[./]+/, "")}`;
    if (memberOf(memberOf(memberOf(document, "paths"), path), "post") !== undefined) return path;
    // Written relative to the documentation's address, without a prefix, or without the slash at the end.
    const ends = [path, `${path}/`, path.replace(/\/$/, "")];
    const known = Object.keys(Object(memberOf(document, "paths"))).find((each) =>
      ends.some((end) => end !== "" && each.endsWith(end)),
    );
    if (known !== undefined) return known;
  }
  return undefined;
}
