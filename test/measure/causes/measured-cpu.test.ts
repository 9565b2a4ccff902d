import { expect, test } from "vitest";

import { measuredCpu } from "../../../src/measure/causes/change-facts.ts";
import type { Measurement } from "../../../src/model/measurement/measurement.ts";
import { replicate } from "../../compare/two-arms.ts";

const comparing = { falseAlarmRate: 0.01, minCostChange: 0.01 };

/** Replicates whose head takes so many seconds of CPU time more, with so many instructions of a request in each arm. */
function measured(extraSeconds: number, counted?: readonly [base: number, head: number]) {
  const arm = (each: number) => ({ batches: [each, each], seconds: [1, 1], idlePerSecond: [0, 0] });
  const [base = 0, head = 0] = counted ?? [];
  const start = (hashSeed: number) => ({ hashSeed, requests: 1, base: arm(base), head: arm(head) });
  const instructions: Measurement["instructions"] =
    counted === undefined ? { unseen: "no Valgrind" } : { starts: [start(1), start(2)] };
  const arms = { base: { cpuSeconds: 4 }, head: { cpuSeconds: 4 + extraSeconds } };
  return measuredCpu({ replicates: [replicate({ arms }), replicate({ arms })], instructions }, comparing);
}

test.for<[what: string, extraSeconds: number, counted: readonly [number, number] | undefined, is: boolean]>([
  ["more", 0.4, [4e6, 4.3e6], true],
  ["less", -0.4, [4e6, 3.7e6], true],
  ["fewer instructions, but more time", 0.4, [4e6, 3.7e6], false],
  ["as many", 0.4, [4e6, 4e6], false],
  ["nobody counted", 0.4, undefined, false],
])("a change of CPU time is certain with instructions that agree: %s", ([, extra, counted, isCertain]) => {
  expect(measured(extra, counted)).toMatchObject({ isCertain });
});
