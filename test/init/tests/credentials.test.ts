import { expect, test } from "vitest";

import { credentialsOf, spareCredentials } from "../../../src/init/tests/credentials.ts";
import type { TestRequest } from "../../../src/init/tests/recording.ts";
import { requestOf } from "./recorded.ts";

const token = "abcdefgh.ijklmnop";
const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json" };
const logIn: Partial<TestRequest> = {
  ...{ method: "POST", path: "/token", headers: form, body: "username=ada&password=a+b" },
  reply: JSON.stringify({ access_token: token, token_type: "bearer" }),
};
const bearer = { headers: { authorization: `Bearer ${token}` } };
const usual = { path: "/token", form: { username: "ada", password: "a b" } };

test.for<readonly [what: string, first: Partial<TestRequest>, second: Partial<TestRequest>, login: unknown]>([
  ["a form and a bearer token", logIn, bearer, usual],
  [
    "JSON in objects",
    { ...logIn, headers: json, body: '{"user":{"email":"a@b.c"},"password":"x"}' },
    bearer,
    { path: "/token", json: { "user.email": "a@b.c", password: "x" } },
  ],
  [
    "a token elsewhere, in a header of its own",
    { ...logIn, reply: JSON.stringify({ data: { key: token } }) },
    { headers: { "x-member": token } },
    { ...usual, token: "data.key", header: "X-Member", scheme: "" },
  ],
  ["another scheme", logIn, { headers: { authorization: `Token ${token}` } }, { ...usual, scheme: "Token" }],
  [
    "a cookie",
    { ...logIn, reply: "", cookies: ["session=s3cret; Path=/", "broken"] },
    { headers: { cookie: "theme=dark; session=s3cret" } },
    { ...usual, token: { cookie: "session" } },
  ],
  ["a token of nobody", logIn, { headers: { authorization: "Bearer other-token" } }, undefined],
  ["a refused login", { ...logIn, status: 401 }, bearer, undefined],
  ["a token in a list", { ...logIn, reply: JSON.stringify([token]) }, bearer, undefined],
  ["a name with a dot", { ...logIn, reply: JSON.stringify({ "a.b": token }) }, bearer, undefined],
  ["a token by GET", { ...logIn, method: "GET" }, bearer, undefined],
  [
    "a token by GET with a cookie",
    { ...logIn, method: "GET", cookies: ["a=b"] },
    { headers: { cookie: "a=b" } },
    undefined,
  ],
  ["a query", { ...logIn, query: "a=b" }, bearer, undefined],
  ["a path with a space", { ...logIn, path: "/a b" }, bearer, undefined],
  ["a number in the body", { ...logIn, headers: json, body: '{"pin":1,"name":"a"}' }, bearer, undefined],
  ["a text as the body", { ...logIn, headers: {}, body: "ada" }, bearer, undefined],
  ["nothing as the body", { ...logIn, body: "" }, bearer, undefined],
  ["braces in the body", { ...logIn, body: "name={id}" }, bearer, undefined],
  ["two lines in the body", { ...logIn, headers: json, body: '{"name":"a\\nb"}' }, bearer, undefined],
  ["a header that is no word", logIn, { headers: { "x-a": "é", "content-type": token } }, undefined],
])("the login behind a request: %s", ([, first, second, login]) => {
  const [one, other] = [requestOf(first), requestOf(second)];
  expect(credentialsOf([one, other]).get(other)?.login).toEqual(login);
});

test("the first reply with a token counts, and depth has an end", () => {
  const deep = JSON.stringify({ a: { a: { a: { a: { a: { a: token } } } } } });
  const [zero, one, two, last] = [
    { ...logIn, reply: deep },
    logIn,
    { ...logIn, body: "username=eve" },
    bearer,
  ].map(requestOf);
  const found = credentialsOf([zero, one, two, last].flatMap((each) => each ?? []));
  expect([...found.values()].map(({ from }) => from)).toEqual([one]);
});

test("a cookie that two replies set comes from the first", () => {
  const set = requestOf({ ...logIn, cookies: ["a=b"] });
  const last = requestOf({ headers: { cookie: "a=b" } });
  expect(credentialsOf([set, requestOf({ ...set, body: "username=eve" }), last]).get(last)?.from).toBe(set);
});

test.for<readonly [what: string, request: Partial<TestRequest>, logins: unknown[]]>([
  ["a form", logIn, [usual]],
  [
    "a token elsewhere",
    { ...logIn, reply: JSON.stringify({ data: { access_token: token } }) },
    [{ ...usual, token: "data.access_token" }],
  ],
  [
    "JSON",
    { ...logIn, headers: json, body: '{"a":"b","pwd":"c"}' },
    [{ path: "/token", json: { a: "b", pwd: "c" } }],
  ],
  ["a refused one", { ...logIn, status: 401 }, []],
  ["one without a password", { ...logIn, body: "code=1" }, []],
  ["one without a token", { ...logIn, reply: "{}" }, []],
  ["a request elsewhere", { ...logIn, path: "/users" }, []],
])("a login whose token no test sends is found: %s", ([, request, logins]) => {
  expect(spareCredentials([requestOf(request)]).map(({ login }) => login)).toEqual(logins);
});
