import { expect, test } from "vitest";
import { reachOf } from "../../src/compare/answer.ts";
import { failsFrom } from "../../src/compare/judgement.ts";
import { usualCheck } from "../../src/model/thresholds/threshold.ts";
import { design } from "./two-arms.ts";

test.for([
  { low: -0.08, high: -0.05, expected: "certainly" },
  { low: -0.08, high: -0.049, expected: "perhaps" },
  { low: -0.05, high: -0.01, expected: "perhaps" },
  { low: -0.049, high: -0.01, expected: "certainly not" },
  { low: -0.2, high: 0.1, expected: "perhaps" },
  { low: 0.01, high: 0.1, expected: "certainly not" },
])("from $low to $high throughput fell by 5%: $expected", ({ low, high, expected }) => {
  expect(reachOf({ value: (low + high) / 2, interval: { low, high } }, 0.05)).toBe(expected);
});

test("without an interval nobody knows", () => {
  expect(reachOf({ value: -0.5, interval: undefined }, 0.05)).toBe("perhaps");
});

test.for([
  { failOn: "slower", expected: 0.03 },
  { failOn: "regression", expected: 0.08 },
  { failOn: "invalid", expected: 0.08 },
] as const)("with fail-on $failOn a slow-down fails from $expected on", ({ failOn, expected }) => {
  const check = { ...usualCheck, failOn, maxSlowdown: 0.08 };
  expect(failsFrom({ check, design: design({ minChange: 0.03 }) })).toBe(expected);
});
