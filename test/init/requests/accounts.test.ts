import { describe, expect, test } from "vitest";

import {
  accountsIn,
  carriersIn,
  keyHeadersIn,
  schemeIn,
  tokenPlacesIn,
  tokenRequestsIn,
} from "../../../src/init/requests/accounts.ts";

const text = { type: "string" };
const object = (properties: Record<string, object>) => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});
const post = (schema: object, type = "application/json") => ({
  post: { requestBody: { content: { [type]: { schema } } } },
});
const mail = { type: "string", format: "email" };
const user = object({ username: text, email: mail, password: text });

describe("accounts", () => {
  test("come from operations that make users: those that say so first", () => {
    const document = {
      paths: {
        "/users": post(user),
        "/users/{id}": post(user),
        "/auth/register": post(
          object({ user: object({ email: mail, password: { ...text, example: "Ab1!" } }) }),
        ),
        "/auth/register/verify": post(user),
        "/notes": post(user),
        "/signup": post(object({ name: text })),
        "/sign-up": post({ type: "array", items: user }),
        "/accounts/new": post({
          ...object({ username: text }),
          properties: { username: text, password: text, bio: text },
        }),
        "/members/register": post(object({ login: text, phone_number: text, password: text })),
        "/accounts": { post: {} },
        "/register/word": post({ type: "string", example: "ada" }),
        "/users/open": post(object({ email: { ...text, pattern: "^never$x" }, password: text })),
      },
    };
    expect(accountsIn(document)).toEqual([
      {
        line: 'POST /auth/register {"user":{"email":"user@example.com","password":"Ab1!"}}',
        fields: { email: "user@example.com", password: "Ab1!" },
      },
      {
        line: 'POST /members/register {"login":"loadtest","phone_number":"+14155552671","password":"Load-test-1!"}',
        fields: { login: "loadtest", phone_number: "+14155552671", password: "Load-test-1!" },
      },
      {
        line: 'POST /users {"username":"loadtest","email":"user@example.com","password":"Load-test-1!"}',
        fields: { username: "loadtest", email: "user@example.com", password: "Load-test-1!" },
      },
      {
        line: 'POST /accounts/new {"username":"loadtest","password":"Load-test-1!"}',
        fields: { username: "loadtest", password: "Load-test-1!" },
      },
    ]);
  });
});

test("a request to /auth makes an account where it takes more than a login does", () => {
  const paths = { "/auth/": post(user), "/v2/auth": post(object({ username: text, password: text })) };
  expect(accountsIn({ paths }).map(({ line }) => line)).toEqual([
    'POST /auth/ {"username":"loadtest","email":"user@example.com","password":"Load-test-1!"}',
  ]);
});

describe("requests for a token", () => {
  const fields = { username: "ada", email: "ada@example.com", password: "Ab1!" };
  const password = { flows: { password: { tokenUrl: "auth/enter" } } };
  test.for<
    readonly [what: string, document: object, expected: readonly unknown[], given?: Record<string, string>]
  >([
    [
      "are sent as JSON with what the document asks for",
      {
        paths: {
          "/users/login": post(object({ user: object({ email: mail, password: text }), device: text })),
        },
      },
      [
        {
          path: "/users/login",
          kind: "json",
          fields: { "user.email": "ada@example.com", "user.password": "Ab1!", device: "ada@example.com" },
        },
      ],
    ],
    [
      "are sent as a form, by name and by address, to the path that the document names first",
      {
        paths: {
          "/login": post({}, "application/x-www-form-urlencoded"),
          "/auth/enter": post({}, "application/x-www-form-urlencoded"),
        },
        components: { securitySchemes: { a: password } },
      },
      ["/auth/enter", "/login"].flatMap((path) =>
        ["ada", "ada@example.com"].map((username) => ({
          path,
          kind: "form",
          fields: { username, password: "Ab1!" },
        })),
      ),
    ],
    [
      "ask for all permissions first",
      {
        paths: { "/login": post({}, "application/x-www-form-urlencoded") },
        components: {
          securitySchemes: {
            a: { flows: { password: { scopes: { "items:read": "", "items:write": "", "a b": "" } } } },
            b: { flows: { password: { scopes: { "items:read": "" } } } },
          },
        },
      },
      [{ scope: "items:read items:write" }, {}].flatMap((asked) => ({
        ...{ path: "/login", kind: "form" },
        fields: { username: "ada", password: "x", ...asked },
      })),
      { username: "ada", password: "x" },
    ],
    [
      "are known by their fields where the path says nothing",
      {
        paths: {
          "/auth/obtain": post(object({ identifier: text, password: text })),
          "/auth/register": post(object({ email: mail, password: text })),
          "/profile": post(object({ name: text, city: text, password: text })),
        },
      },
      ["ada@example.com", "ada"].map((identifier) => ({
        ...{ path: "/auth/obtain", kind: "json" },
        fields: { identifier, password: "Ab1!" },
      })),
    ],
    ["need a password", { paths: { "/token": post(object({ code: text })) } }, []],
    ["are no refresh", { paths: { "/refresh-token": post(user), "/{tenant}/login": post(user) } }, []],
    ["need a name", { paths: { "/login": post({}, "application/x-www-form-urlencoded") } }, [], {}],
    [
      "leave out what is not known",
      { paths: { "/login": post(object({ code: text, password: text })) } },
      [{ path: "/login", kind: "json", fields: { password: "x" } }],
      { password: "x" },
    ],
  ])("%s", ([, document, expected, given]) => {
    expect(tokenRequestsIn(document, { fields: given ?? fields })).toEqual(expected);
  });
});

test("a token travels as the document says, else as usual", () => {
  const schemes = (...all: object[]) => carriersIn({ components: { securitySchemes: { ...all } } });
  const usual = ["Bearer", "Token", "JWT", ""].map((scheme) => ({ header: "Authorization", scheme }));
  expect(schemes()).toEqual(usual);
  expect(schemes({ type: "http" }, { type: "apiKey", in: "query", name: "k" })).toEqual(usual);
  expect(schemes({ type: "http", scheme: "basic" })[0]).toEqual({ header: "Authorization", scheme: "Basic" });
  expect(schemes({ type: "apiKey", in: "header", name: "X-Key" })[0]).toEqual({
    header: "X-Key",
    scheme: "Bearer",
  });
  expect(schemes({ type: "apiKey", in: "cookie", name: "session" })).toEqual([
    { header: "Cookie", scheme: "session=" },
    ...usual,
  ]);
});

test("a token travels in a header that operations require", () => {
  const header = (name: string, required = true) => ({ in: "header", name, required });
  const parameters = [header("X-Request-Id"), header("X-Token"), header("Auth-Key", false), { in: "query" }];
  const [first, ...others] = carriersIn({ paths: { "/a": { get: { parameters }, post: {} }, "/b": 1 } });
  expect(first).toEqual({ header: "X-Token", scheme: "Bearer" });
  expect(others.map(({ header: name }) => name)).not.toContain("Auth-Key");
});

test("a key travels in a header of the document's", () => {
  const parameters = [{ in: "header", name: "X-API-Key", required: true }];
  const components = { securitySchemes: { a: { type: "apiKey", in: "header", name: "X-Key" } } };
  expect(keyHeadersIn({ components, paths: { "/a": { get: { parameters } } } })).toEqual([
    "X-Key",
    "X-API-Key",
  ]);
  expect(keyHeadersIn({ paths: {} })).toEqual([]);
});

test("a token is a long text of that name, at most three levels deep", () => {
  const deep = { a: { b: { c: { d: { token: "12345678" } } } } };
  const reply = {
    user: { token: "12345678", email: "ada@example.com" },
    access_token: "12345678",
    refresh_token: "12345678",
    token_type: "bearer and more",
    jwt: "short",
    access: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    refresh: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "api.token": "12345678",
    ...deep,
  };
  expect(tokenPlacesIn(reply)).toEqual(["user.token", "access_token", "access"]);
});

test.for<readonly [reply: unknown, scheme: string | undefined]>([
  [{ access_token: "a", token_type: "bearer" }, "bearer"],
  [{ data: { tokenType: "JWT" } }, "JWT"],
  [{ token_type: "two words" }, undefined],
  [{ type: "bearer" }, undefined],
  ["bearer", undefined],
])("%j says that %s belongs before its token", ([reply, scheme]) => {
  expect(schemeIn(reply)).toBe(scheme);
});
