import { expect, test } from "vitest";
import { littleCpu } from "../../../src/diagnosis/functions/change-facts.ts";
import type { Estimate } from "../../../src/statistics/estimate.ts";
import { armRecord, measurement } from "../../fixtures/measurement.ts";

/** 1,000 requests a second in the base, 1 ms of CPU time each. */
function little(extraMs: Estimate, headPerSecond = 1_000) {
  const [first] = measurement().replicates;
  if (first === undefined) throw new Error("it has one");
  const arms = { base: armRecord(), head: armRecord({ requestsPerSecond: headPerSecond }) };
  return littleCpu({ replicates: [{ ...first, arms }] }, { baseMs: 1, isCertain: false, extraMs }, 0.03);
}

test.for<[what: string, extraMs: Estimate, headPerSecond: number, found: RegExp | undefined]>([
  ["none", { value: 0, interval: { low: -0.02, high: 0.02 } }, 900, /changed by less than 3%,/],
  ["perhaps some", { value: 0, interval: { low: -0.02, high: 0.05 } }, 1_000, undefined],
  ["all of the slowdown", { value: 1, interval: { low: 0.9, high: 1.1 } }, 500, undefined],
  [
    "some, of a request that waits 30 ms longer",
    { value: 0.3, interval: { low: 0.2, high: 0.4 } },
    30,
    /less than 10% of the change,/,
  ],
  [
    "some, of a request that no longer waits",
    { value: -0.02, interval: { low: -0.04, high: 0 } },
    2_000,
    /less than 10% of the change/,
  ],
  ["nobody knows how much", { value: 0, interval: undefined }, 500, undefined],
])("CPU time that changed: %s", ([, extraMs, headPerSecond, found]) => {
  const said = little(extraMs, headPerSecond);
  if (found === undefined) expect(said).toBeUndefined();
  else expect(said).toMatch(found);
});
