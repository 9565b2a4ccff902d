import { expect, test } from "vitest";

import type { Reply } from "../../src/endpoints/dry-request.ts";
import { learn } from "../../src/init/tests/learning.ts";
import type { TestRequest } from "../../src/init/tests/recording.ts";
import { tryApp } from "../../src/trial/app.ts";
import { withTrial } from "../../src/trial/trial.ts";
import { recordingOf } from "../init/tests/recorded.ts";
import { workloadOf } from "../measure/run-measure.ts";
import { trialPorts } from "./fake-trial.ts";

const paths = {
  "/items": { get: {}, post: {} },
  "/items/{id}": { get: { parameters: [{ in: "path", name: "id", required: true }] }, delete: {} },
};
const ok: Reply = { status: 200, body: "[1]" };
const no: Reply = { status: 404, body: "none" };

async function tried(
  requests: readonly Partial<TestRequest>[],
  replyTo: (request: string, time: number) => Reply | string = () => ok,
) {
  const workload = workloadOf({ database: "none" });
  const sent: string[] = [];
  const ports = trialPorts(workload, {
    documentFor: () => ({ paths }),
    replyTo: ({ method, url, body }) => {
      const name = `${method} ${url.replace(/^http:\/\/[^/]+/, "")}${body === undefined ? "" : ` ${body}`}`;
      sent.push(name);
      return replyTo(name, sent.filter((each) => each === name).length);
    },
  });
  const learned = learn(recordingOf(requests), { paths });
  const app = { firstUsers: [], hasLogin: false, hidden: [], learned };
  const found = await withTrial(workload, ports, (running) => tryApp(running, app));
  if ("problem" in found) throw new Error(found.problem);
  return { ...found, sent };
}

const write: Partial<TestRequest> = { method: "POST", path: "/items", body: '{"a":1}' };

test("what the app does not have is left out: tests make apps of their own, and look at the documentation", async () => {
  const own = [
    { path: "/test/logged" },
    { path: "/hidden" },
    { path: "/openapi.json" },
    { path: "/v1/docs" },
  ];
  const { endpoints } = await tried(own, (name) => (name.startsWith("GET /test/") ? no : ok));
  expect(endpoints.flatMap(({ form }) => form?.["path"] ?? [])).toEqual(["/hidden"]);
});

test("a learned request is sent and written with its test", async () => {
  const { endpoints, sent } = await tried([{ path: "/items/7", query: "a=b" }, write]);
  expect(endpoints).toEqual([
    {
      ...{ line: "/items/{id}", from: "tests/test_a.py::test_a", reason: undefined },
      form: { path: "/items/{id}?a=b", params: { id: [7] } },
    },
    { line: "/items", reason: undefined },
    {
      ...{ line: "POST /items", from: "tests/test_a.py::test_a", reason: undefined },
      form: { path: "/items", method: "POST", body: { a: 1 } },
    },
    { line: "DELETE /items/{id}", reason: "writes, so it was not tried" },
  ]);
  expect(sent).toContain("GET /items/7?a=b");
  expect(sent.filter((each) => each.startsWith("POST"))).toEqual([
    'POST /items {"a":1}',
    'POST /items {"a":1}',
  ]);
});

test.for<
  readonly [
    what: string,
    requests: readonly Partial<TestRequest>[],
    replyTo: (request: string, time: number) => Reply | string,
    line: string,
    reason: string | undefined,
  ]
>([
  [
    "another request",
    [{ path: "/items/7" }, { path: "/items/8" }],
    (name) => (name.endsWith("7") ? no : ok),
    "/items/{id}",
    undefined,
  ],
  ["the first request", [{ path: "/items/7" }, { path: "/items/8" }], () => ok, "/items/{id}", undefined],
  [
    "neither request",
    [{ path: "/items/7" }, { path: "/items/8" }],
    () => no,
    "/items/{id}",
    "answered 404: none",
  ],
  ["no request", [{ path: "/items/7" }], () => no, "/items/{id}", "answered 404: none"],
  [
    "no request, by its test",
    [{ path: "/items/7", overrides: ["a:get_user"] }],
    () => no,
    "/items/{id}",
    "answered 404: none: its test replaces get_user",
  ],
  [
    "no request in words",
    [{ path: "/items/7" }],
    () => ({ status: 500, body: "" }),
    "/items/{id}",
    "answered 500",
  ],
  [
    "no request in time",
    [{ path: "/items/7" }],
    (name) => (name.includes("/items/") ? "too late" : ok),
    "/items/{id}",
    "did not answer: too late",
  ],
  [
    "no request that is quick enough",
    [{ path: "/items/7" }],
    (name) => (name.includes("/items/") ? { ...ok, seconds: 3 } : ok),
    "/items/{id}",
    "answered after 3.0 s: too slow to measure",
  ],
  [
    "no request with an end",
    [{ path: "/items/7" }],
    () => ({ ...ok, isEndless: true }),
    "/items/{id}",
    "is a stream without an end: request one that ends, docs/endpoints.md",
  ],
  [
    "a write once",
    [write],
    (name, time) => (time > 1 && name.startsWith("POST") ? { status: 409, body: "" } : ok),
    "POST /items",
    "answered 409 to the same request again",
  ],
  [
    "a text",
    [{ ...write, body: "a", headers: { "content-type": "text/plain" } }],
    () => ok,
    "POST /items",
    undefined,
  ],
  [
    "a guess",
    [{ path: "/items", query: "a=b" }],
    (name) => (name.includes("?") ? no : ok),
    "/items",
    undefined,
  ],
])("the app answers %s", async ([, requests, replyTo, line, reason]) => {
  const { endpoints } = await tried(requests, replyTo);
  expect(endpoints.find((each) => each.line === line)).toMatchObject({ reason });
});

test("what deletes comes last, and nobody sends a write before a read", async () => {
  const other = (method: TestRequest["method"]): Partial<TestRequest> => ({ method, path: "/items/7" });
  const { sent, endpoints } = await tried([
    other("DELETE"),
    other("PATCH"),
    other("HEAD"),
    other("PUT"),
    other("GET"),
    write,
  ]);
  const order = [...new Set(sent.map((each) => each.split(" ")[0]))];
  expect(order.slice(-4)).toEqual(["POST", "PUT", "PATCH", "DELETE"]);
  expect(endpoints.map(({ line }) => line)).toContain("HEAD /items/7");
});

test.for([
  ["its login works", 200, { key: "login" }],
  ["its login fails", 401, undefined],
] as const)("%s", async ([, status, login]) => {
  const token = {
    method: "POST",
    path: "/token",
    body: '{"name":"ada"}',
    reply: '{"access_token":"abcdefgh"}',
  } as const;
  const requests = [token, { path: "/items", headers: { authorization: "Bearer abcdefgh" } }];
  const found = await tried(requests, (name) =>
    name.startsWith("POST /token") ? { status, body: '{"access_token":"new-token"}' } : ok,
  );
  expect(found.login).toEqual(login && expect.objectContaining(login));
  expect(found.refused === undefined).toBe(login !== undefined);
});

test.for<readonly [opened: Readonly<Record<string, readonly string[]>>, logins: readonly string[]]>([
  [{ ada: ["/a", "/b", "/c"] }, ["ada"]],
  [{ ada: ["/a"], eve: ["/b", "/c"] }, ["ada", "eve"]],
  [{ ada: ["/a", "/b"], eve: ["/c"] }, ["ada", "eve", "ada"]],
])("of the tests' accounts the one that opens most stays logged in: %j", async ([opened, expected]) => {
  const token = (name: string): Partial<TestRequest> => ({
    ...{ method: "POST", path: "/token", body: JSON.stringify({ name }) },
    reply: `{"access_token":"token-of-${name}"}`,
  });
  const as = (name: string) => ({ headers: { authorization: `Bearer token-of-${name}` } });
  const requests = [
    ...[token("ada"), { path: "/a", ...as("ada") }, { path: "/b", ...as("ada") }],
    ...[token("eve"), { path: "/c", ...as("eve") }],
  ];
  const logins: string[] = [];
  const { login } = await tried(requests, (request) => {
    const [, name] = /"name":"(\w+)"/.exec(request) ?? [];
    if (name !== undefined) logins.push(name);
    if (name !== undefined) return { status: 200, body: '{"access_token":"new-token"}' };
    const isOpen = opened[logins.at(-1) ?? ""]?.includes(request.replace("GET ", "")) === true;
    return isOpen ? ok : { status: 403, body: "" };
  });
  expect(logins.slice(0, expected.length)).toEqual(expected);
  expect(Object(login?.value)).toMatchObject({ json: { name: expected.at(-1) } });
});

test("a session that a write ends is renewed for the writes after it", async () => {
  const token = {
    method: "POST",
    path: "/token",
    body: '{"name":"ada"}',
    reply: '{"access_token":"abcdefgh"}',
  } as const;
  const headers = { authorization: "Bearer abcdefgh" };
  let isOpen = false;
  const { endpoints } = await tried(
    [token, { path: "/items", headers }, { ...write, path: "/password", headers }, { ...write, headers }],
    (name) => {
      const was = isOpen;
      isOpen = name.startsWith("POST /token") || (isOpen && !name.startsWith("POST /password"));
      if (name.startsWith("POST /token")) return { status: 200, body: '{"access_token":"new-token"}' };
      return was ? ok : { status: 401, body: "" };
    },
  );
  expect(endpoints.filter(({ line }) => /^POST .(?:items|password)/.test(line))).toMatchObject([
    { line: "POST /password", reason: undefined },
    { line: "POST /items", reason: undefined },
  ]);
});

test("the session is ended last", async () => {
  const { sent } = await tried([
    { method: "DELETE", path: "/log-out" },
    { method: "DELETE", path: "/items/7" },
  ]);
  expect(sent.at(-1)).toBe("DELETE /log-out");
});
