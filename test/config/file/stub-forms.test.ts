import { expect, test } from "vitest";

import { parseConfigurationFile } from "../../../src/config/file/configuration-file.ts";

const read = (yaml: string) => parseConfigurationFile("loadtest.yml", "/", yaml);
const one = (route: string) => `stubs: { prices: { app-env: { URL: "{url}" }, routes: [${route}] } }`;

test("a stub is a service with routes of its own, after the others", () => {
  const file = read(`services: redis\n${one("{ path: /prices/*, delay: 20ms, body: { price: 1 } }")}\n`);
  const [redis, stub] = file.services ?? [];
  expect(redis?.name).toBe("redis");
  expect(stub).toMatchObject({
    name: "prices",
    programs: [],
    appVariables: { URL: "{url}" },
    address: { url: "http://{host}:{port}" },
    ready: { kind: "tcp" },
  });
});

test.for<readonly [route: string, expected: object]>([
  ["{ path: /a }", { path: "/a", method: "GET", status: 200, delayMs: 0, headers: {}, body: "" }],
  [
    "{ path: /a, method: POST, delay: 1.5s, status: 201, body: [1], headers: { x-a: b } }",
    {
      ...{ path: "/a", method: "POST", status: 201, delayMs: 1_500, body: "[1]" },
      headers: { "content-type": "application/json", "x-a": "b" },
    },
  ],
  [
    "{ path: /a, body: plain, headers: { content-type: text/csv } }",
    {
      path: "/a",
      method: "GET",
      status: 200,
      delayMs: 0,
      headers: { "content-type": "text/csv" },
      body: "plain",
    },
  ],
])("the route %s", ([route, expected]) => {
  const [stub] = read(one(route)).services ?? [];
  expect(JSON.parse(stub?.stub ?? "")).toEqual([expected]);
});

test.for<readonly [yaml: string, problem: string]>([
  ["stubs: prices", "stubs: must be a mapping of stubs, each with app-env and routes"],
  ["stubs: { a: { routes: [] } }", "stubs.a.routes: is empty"],
  [
    `services: { prices: { preset: redis } }\n${one("{ path: /a }")}`,
    "stubs.prices: is also the name of a service",
  ],
  [one("{ path: a }"), "path: must start with / and have no query, e.g. /prices/*"],
  [one('{ path: "/prices?currency=eur" }'), "a route answers any query"],
  [one('{ path: /a, headers: { "x id": "7" } }'), "headers.x id: "],
  [one('{ path: /a, headers: { x-a: "€" } }'), "must have only Latin-1 characters"],
  [one("{ path: /a, delay: 2m }"), "delay: must be a duration up to a minute, e.g. 20ms"],
  [one("{ path: /a, status: 101 }"), "status: must be at least 200"],
  [one("{ path: /a, method: WS }"), "method: must be one of GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS"],
  [one("{ path: /a, dealy: 2s }"), "did you mean delay?"],
  ['stubs: { a: { app-env: { A: "{uri}" }, routes: [{ path: /a }] } }', "unknown placeholder {uri}"],
])("%s is refused", ([yaml, problem]) => {
  expect(() => read(yaml)).toThrow(problem);
});
