import { expect, test } from "vitest";
import { parseThreshold } from "../../../src/config/threshold-parser.ts";
import type { Requested } from "../../../src/model/endpoint/endpoint.ts";
import { labelsMeant } from "../../../src/model/thresholds/threshold.ts";

const get = (path: string) => ({ method: "GET" as const, path });
const mix: Requested = {
  mix: [
    { weight: 3, endpoint: get("/a") },
    { weight: 1, endpoint: get("/b") },
  ],
};

test.for<readonly [name: string, all: readonly Requested[], expected: readonly string[]]>([
  ["/a", [get("/a"), get("/a?q=1")], ["/a"]],
  ["/a", [get("/a?q=1"), get("/a?q=2"), get("/b?q=1")], ["/a?q=1", "/a?q=2"]],
  ["/a?q=2", [get("/a?q=1"), get("/a?q=2")], ["/a?q=2"]],
  ["POST /a", [get("/a"), { method: "POST", path: "/a?x" }], ["POST /a?x"]],
  ["mix", [get("/a"), mix], ["75% /a, 25% /b"]],
  ["/a", [mix, { script: "/a" }], ["/a"]],
  ["/c", [get("/a"), mix, { steps: [get("/c")] }], ["/c"]],
  ["mix", [get("/a")], []],
])("%s among %j", ([name, all, expected]) => {
  expect([...labelsMeant(name, all)]).toEqual(expected);
});

test("a threshold may be of the mix", () => {
  expect(parseThreshold("mix: p(95)<300")).toMatchObject({ threshold: { endpoint: "mix" } });
});
