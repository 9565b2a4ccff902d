import { expect, test } from "vitest";
import { withinTotal } from "../../../src/model/plan/total-minutes.ts";
import { design } from "../../compare/two-arms.ts";
import { cell } from "../../fixtures/measurement.ts";

const plan = { schemaVersion: 1 as const, cells: [cell()], design: design({ maxMinutes: 15 }) };
const each = { machines: 8, cells: 1 };

test.for([
  { totals: [undefined], minutes: 15 },
  { totals: [60], minutes: 7.5 },
  { totals: [60, undefined, 40], minutes: 5 },
  { totals: [1_000], minutes: 15 },
])("of $totals minutes eight machines have $minutes each", ({ totals, minutes }) => {
  const workloads = totals.map((total) => (total === undefined ? {} : { maxTotalMinutes: total }));
  expect(withinTotal(plan, workloads, each).design?.maxMinutes).toBe(minutes);
});

test("a part that is too short for a comparison is a mistake in the input", () => {
  expect(() => withinTotal(plan, [{ maxTotalMinutes: 1 }], each)).toThrow(
    /max-total-minutes: 1 leaves 0.125 to each of 8 machines; max-minutes: 0.125 is too few for 1 cell:/,
  );
});

test("without a comparison there is nothing to divide", () => {
  const { design: _, ...alone } = plan;
  expect(withinTotal(alone, [{ maxTotalMinutes: 1 }], each)).toEqual(alone);
});
