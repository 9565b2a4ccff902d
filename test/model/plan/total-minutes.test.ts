import { expect, test } from "vitest";
import { withinTotal } from "../../../src/model/plan/apps-plan.ts";
import { design } from "../../compare/two-arms.ts";
import { cell } from "../../fixtures/measurement.ts";

const looks = [3, 285]; // replicates of a cell: those of the last look take half an hour
const plan = {
  schemaVersion: 1 as const,
  cells: [cell()],
  estimatedSeconds: 15 * 60 + 20,
  design: design({ maxMinutes: 15, looks }),
};
const each = { parts: Array<number>(8).fill(1), isForMatrix: true };

test.for([
  { totals: [undefined], minutes: 15 },
  { totals: [60], minutes: 7.5 },
  { totals: [60, undefined, 40], minutes: 5 },
  { totals: [1_000], minutes: 15 },
])("of $totals minutes eight machines have $minutes each", ({ totals, minutes }) => {
  const workloads = totals.map((total) => (total === undefined ? {} : { maxTotalMinutes: total }));
  expect(withinTotal(plan, workloads, each).design?.maxMinutes).toBe(minutes);
});

test.for([
  { name: "eight jobs at the same time", parts: 8, isForMatrix: true, before: 920, after: 7.5 * 60 + 20 },
  {
    name: "four apps, for which there are 15 min each",
    parts: 4,
    isForMatrix: false,
    before: 3_620,
    after: 3_620,
  },
  { name: "eight apps, one after the other", parts: 8, isForMatrix: false, before: 7_220, after: 3_620 },
])("the time that is told follows: $name", ({ parts, isForMatrix, before, after }) => {
  const by = { parts: Array<number>(parts).fill(1), isForMatrix };
  const bounded = withinTotal({ ...plan, estimatedSeconds: before }, [{ maxTotalMinutes: 60 }], by);
  expect(bounded.estimatedSeconds).toBe(after);
});

test("a load that ends by count has no time to tell", () => {
  const { estimatedSeconds: _, ...untimed } = plan;
  expect(withinTotal(untimed, [{ maxTotalMinutes: 60 }], each)).not.toHaveProperty("estimatedSeconds");
});

test("a part that is too short for a comparison is a mistake in the input", () => {
  expect(() => withinTotal(plan, [{ maxTotalMinutes: 1 }], each)).toThrow(
    /max-total-minutes: 1 leaves 0.125 to each of 8 machines; max-minutes: 0.125 is too few for 1 cell of/,
  );
});

test("without a comparison there is nothing to divide", () => {
  const { design: _, ...alone } = plan;
  expect(withinTotal(alone, [{ maxTotalMinutes: 1 }], each)).toEqual(alone);
});
