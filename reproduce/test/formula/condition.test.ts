import { describe, expect, test } from "vitest";

import { isConditionMet, parseCondition } from "../../formula/condition.ts";
import { claim } from "../published.ts";

const condition = "loop=asyncio and TCP_NODELAY unset";

test("the published condition is this one", () => {
  expect(claim("P25").check).toMatchObject({ when: condition });
});

describe("isConditionMet", () => {
  test.for([
    [{ loop: "asyncio", TCP_NODELAY: "unset" }, true],
    [{ loop: "uvloop", TCP_NODELAY: "unset" }, false],
    [{ loop: "asyncio", TCP_NODELAY: "set" }, false],
    [{ loop: "uvloop" }, false],
    [{ loop: "asyncio" }, undefined],
    [{}, undefined],
  ] as const)("%j: %s", ([facts, expected]) => {
    expect(isConditionMet(condition, facts)).toBe(expected);
  });

  test("does not take for a fact what every object has", () => {
    expect(isConditionMet("constructor=x", {})).toBeUndefined();
  });
});

test.for(["", "loop", "loop=", "a=b or c=d", "loop=asyncio and ", "a = b"])("%j is refused", (text) => {
  expect(() => parseCondition(text)).toThrow(/is not a condition such as "loop=asyncio"$/);
});
