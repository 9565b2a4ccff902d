import { expect, test } from "vitest";

import { redisTemplateProblem, redisVariables } from "../../../src/model/workload/redis-variables.ts";

test("placeholders stand for an address on this machine", () => {
  expect(redisVariables({ A: "{url}", B: "{host}", C: "{port}", D: "x://{host}:{port}/1" }, 7)).toEqual({
    A: "redis://127.0.0.1:7/0",
    B: "127.0.0.1",
    C: "7",
    D: "x://127.0.0.1:7/1",
  });
});

test("an unknown placeholder is named", () => {
  expect(redisTemplateProblem("{url} {port}")).toBeUndefined();
  expect(redisTemplateProblem("{host}{user}")).toBe(
    "has an unknown placeholder {user}; known are {host}, {port}, {url}",
  );
});
