import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { endpointsSchema } from "../../../src/config/file/endpoint-forms.ts";
import { loginSchema } from "../../../src/config/file/login-form.ts";
import { learn, writtenAs } from "../../../src/init/tests/learning.ts";
import type { TestRequest } from "../../../src/init/tests/recording.ts";
import { recordingOf } from "./recorded.ts";

const document = {
  paths: {
    "/items": { get: {}, post: {} },
    "/items/{id}": { get: {} },
    "/items/mine": { get: {} },
    "/{a}/x{": { get: {} },
  },
};
const json = { "content-type": "application/json" };
const read = (...requests: Partial<TestRequest>[]) => learn(recordingOf(requests), document);

describe("a request to a router alone", () => {
  const routed = {
    paths: {
      "/api/v1/auth/me": { get: {} },
      "/api/v1/tasks/{id}": { get: {} },
      "/v1/users": { get: {} },
      "/v2/users": { get: {} },
      "/{tenant}/jobs": { get: {} },
      "/direct": { get: {} },
    },
  };
  test.for<readonly [what: string, path: string, template: string]>([
    ["gets the prefix of the app", "/auth/me", "/api/v1/auth/me"],
    ["has its parameters", "/tasks/7", "/api/v1/tasks/{id}"],
    ["stays as it was where several fit", "/users", "/users"],
    ["stays as it was where a part of the prefix is unknown", "/jobs", "/jobs"],
    ["stays as it was where only a parameter fits", "/7", "/7"],
    ["stays as it was where nothing fits", "/other", "/other"],
    ["is none where the app has that path", "/direct", "/direct"],
  ])("%s", ([, path, template]) => {
    expect(learn(recordingOf([{ path }]), routed).routes).toMatchObject([[{ template }]]);
  });
});

describe("a learned request", () => {
  test.for<readonly [what: string, request: Partial<TestRequest>, expected: object]>([
    ["by its template", { path: "/items/7" }, { template: "/items/{id}", params: { id: 7 } }],
    ["with a text as parameter", { path: "/items/a b" }, { params: { id: "a b" } }],
    ["with zeros before", { path: "/items/007" }, { params: { id: "007" } }],
    ["by a path without a parameter", { path: "/items/mine" }, { template: "/items/mine", params: {} }],
    ["by its route", { path: "/items/mine", route: "/items/{id}" }, { template: "/items/mine" }],
    ["without a template", { path: "/other/{a}" }, { template: "/other/%7Ba%7D" }],
    ["with a query", { path: "/items", query: "page=1" }, { query: "?page=1" }],
    [
      "with a body",
      { path: "/items", method: "POST", headers: json, body: '{"a":[1]}' },
      { body: { a: [1] }, headers: {} },
    ],
    [
      "with a text as JSON",
      { method: "POST", headers: json, body: '"a"' },
      { body: '"a"', headers: { "Content-Type": "application/json" } },
    ],
    ["with JSON that is not said to be", { method: "POST", body: "[1]" }, { body: [1] }],
    [
      "with a form",
      { method: "POST", headers: { "content-type": "text/x" }, body: "a=b" },
      { body: "a=b", headers: { "Content-Type": "text/x" } },
    ],
    [
      "with a header",
      { headers: { "x-tenant": "blue" } },
      { headers: { "X-Tenant": "blue" }, lacks: undefined },
    ],
    ["with a header that nobody can write", { headers: { "x-tenant": "é" } }, { headers: {} }],
    [
      "with a token of its own",
      { headers: { authorization: "Bearer x" } },
      { headers: {}, lacks: "its test makes the token itself" },
    ],
    [
      "with a JSON web token",
      { headers: { "x-key": "aaaaaaaaaaa.bbbbbbbbbbbb.cccccccccccc" } },
      { headers: {}, lacks: "its test makes the token itself" },
    ],
    [
      "with a cookie of its own",
      { headers: { cookie: "a=b" } },
      { headers: {}, lacks: "its test makes the token itself" },
    ],
    [
      "with a replaced dependency",
      { overrides: ["app.deps:get_user", "tests:<lambda>"] },
      { lacks: "its test replaces get_user" },
    ],
    ["with several", { overrides: ["a:b", "c:d"] }, { lacks: "its test replaces b and d" }],
  ])("%s", ([, request, expected]) => {
    expect(read(request).routes).toMatchObject([[expected]]);
  });

  test.for<readonly [what: string, request: Partial<TestRequest>]>([
    ["that failed", { status: 404 }],
    ["with braces in its query", { query: "a={b}" }],
    ["with braces in its body", { method: "POST", headers: json, body: '{"a":"{b}"}' }],
    [
      "of a file",
      { method: "POST", headers: { "content-type": "multipart/form-data; boundary=a" }, body: "a" },
    ],
    ["of a type that nobody can write", { method: "POST", headers: { "content-type": "é" }, body: "a" }],
    ["with a token in its body", { method: "POST", body: '{"t":"eyJhbGciOiJ.eyJleHAiOjE3.CQb0r5bChxd"}' }],
    [
      "with a token of two parts and a time",
      { method: "POST", body: `{"c":"eyJhIjozfQabc.awrQFA.${"aB3_".repeat(6)}xyz"}` },
    ],
    ["with a token in its path", { path: "/verify/eyJhbGciOiJ.eyJleHAiOjE3.CQb0r5bChxd" }],
    [
      "with a long token by name",
      { method: "POST", headers: json, body: `{"reset_token": "${"aB3_".repeat(8)}"}` },
    ],
    ["with one in its query", { query: `token=${"aB3_".repeat(8)}` }],
    ["of a GET with a body", { body: "a" }],
    ["of a long path", { path: `/${"a".repeat(1_500)}` }],
  ])("one %s is left out", ([, request]) => {
    expect(read(request).routes).toEqual([]);
  });
});

test("a parameter that is no word is left out", () => {
  const odd = { paths: { "/{a-b}": { get: {} } } };
  expect(learn(recordingOf([{ path: "/x" }]), odd).routes).toMatchObject([[{ template: "/x" }]]);
});

const logIn = (name: string): Partial<TestRequest> => ({
  ...{ method: "POST", path: "/token", headers: json, body: JSON.stringify({ name }) },
  ...{ reply: JSON.stringify({ access_token: `token-of-${name}` }), rows: [0] },
});
const as = (name: string) => ({ headers: { authorization: `Bearer token-of-${name}` } });

test("the account of most routes logs in, and its requests come first", () => {
  const { logins, routes, rows } = learn(
    recordingOf(
      [
        logIn("eve"),
        { path: "/items", ...as("eve"), rows: [1] },
        logIn("ada"),
        { path: "/items/mine", ...as("ada"), rows: [0, 2] },
        { path: "/items", query: "a=1", ...as("ada"), rows: [2, 3] },
        { path: "/items" },
        { path: "/items" },
        { path: "/items", query: "b=1" },
      ],
      { 0: "user", 1: "item 1", 2: "item 1", 3: "item 2" },
    ),
    document,
  );
  expect(logins).toEqual([
    {
      ...{ key: "login", value: { path: "/token", json: { name: "ada" } } },
      reason: "the account of the tests with which most endpoints answer: tests/test_a.py::test_a",
    },
  ]);
  expect(routes.map(([first]) => first?.template)).toEqual(["/token", "/items", "/items/mine"]);
  expect(routes[1]?.map(({ query }) => query)).toEqual(["?a=1", "", "?b=1"]);
  expect(rows).toMatchObject([0, 2, 3].map((number) => ({ number })));
});

test("accounts that open what the others do not may log in, too", () => {
  const names = ["ada", "eve", "bob", "dan", "kim", "max"];
  const requests = names.flatMap((name, index) => [
    logIn(name),
    ...Array.from({ length: index % 3 }, (_, path) => ({ path: `/${index}/${path}`, ...as(name) })),
    { path: "/shared", ...as(name) },
  ]);
  const { logins } = learn(recordingOf(requests), document);
  expect(logins.map(({ value }) => Object(value).json.name)).toEqual(["bob", "max", "eve", "kim"]);
});

test.for([
  ["all permissions first", "", { me: "", all: "" }, ["me all", undefined]],
  ["all permissions before its own", "&scope=me", { me: "", all: "" }, ["me all", "me"]],
  ["its own, which are all", "&scope=me", { me: "" }, ["me"]],
  ["none without any", "", {}, [undefined]],
] as const)("the account of a form asks for %s", ([, sent, scopes, asked]) => {
  const scheme = { flows: { password: { scopes } } };
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const token = { method: "POST", path: "/token", headers } as const;
  const { logins } = learn(
    recordingOf([
      { ...token, body: `username=ada${sent}`, reply: '{"access_token":"token-of-ada"}' },
      { path: "/items", ...as("ada") },
    ]),
    { ...document, components: { securitySchemes: { scheme } } },
  );
  expect(logins.map(({ value }) => Object(value).form.scope)).toEqual(asked);
});

test("a row that was not noted is not needed, and there is an end to them", () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, number) => [number, String(number)]));
  const numbers = Array.from({ length: 601 }, (_, number) => number);
  expect(learn(recordingOf([{ rows: numbers }], many), {}).rows).toHaveLength(500);
});

test("rows of the request's own test come first, and few of others", () => {
  const keys = Object.fromEntries(Array.from({ length: 400 }, (_, number) => [number, `${number}`]));
  const recording = recordingOf([{ test: "tests/test_b.py::b", rows: Object.keys(keys).map(Number) }], keys);
  const rows = new Map(
    [...recording.rows].map(([number, row]) => [
      number,
      number < 398 ? row : { ...row, test: "tests/test_b.py::b" },
    ]),
  );
  const numbers = learn({ ...recording, rows }, {}).rows.map((row) =>
    "number" in row ? row.number : undefined,
  );
  expect([numbers.length, ...numbers.slice(0, 4)]).toEqual([102, 398, 399, 0, 1]);
});

test("whatever a test sends, the configuration takes what was learned", () => {
  const text = fc.string({ unit: "binary", maxLength: 20 });
  const word = fc.stringMatching(/^[a-z{}%?#/é .-]{0,12}$/);
  const request = fc.record({
    method: fc.constantFrom("GET", "POST", "PUT", "DELETE"),
    path: word.map((each) => `/${each}`),
    query: word,
    headers: fc.dictionary(
      fc.constantFrom("x-a", "authorization", "cookie", "content-type", "api-key"),
      text,
    ),
    body: fc.oneof(text, fc.json()),
    reply: fc.oneof(text, fc.json()),
    cookies: fc.array(text, { maxLength: 2 }),
  });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 6 }), (requests) => {
      const { routes, logins } = learn(recordingOf(requests), document);
      const written = routes.flat().map(writtenAs);
      if (written.length > 0) expect(z.safeParse(endpointsSchema, written).error?.issues).toBeUndefined();
      for (const { value } of logins) expect(z.safeParse(loginSchema, value).success).toBe(true);
    }),
  );
});

test("other log-ins of the tests are kept apart, the latest two of them", () => {
  const logIn = (name: string) => ({
    ...{ method: "POST" as const, path: "/auth/login", headers: json, rows: [0] },
    body: JSON.stringify({ name, password: "x" }),
    reply: JSON.stringify({ access_token: `token-of-${name}` }),
  });
  const { logins, spare, rows } = learn(
    recordingOf(
      [
        logIn("ada"),
        logIn("bob"),
        logIn("eve"),
        logIn("eve"),
        { path: "/items", headers: { authorization: "Bearer token-of-eve" } },
      ],
      { 0: "a" },
    ),
    document,
  );
  const nameOf = ({ value }: { readonly value: unknown }) => Object(value).json.name;
  expect([logins.map(nameOf), spare.map(nameOf), rows.length]).toEqual([["eve"], ["bob", "ada"], 1]);
});
