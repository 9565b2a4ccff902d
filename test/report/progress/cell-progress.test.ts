import { expect, test } from "vitest";
import { cellProgressLines, cellProgressOf } from "../../../src/report/progress/cell-progress.ts";
import { recording } from "../../recordings/recording.ts";

const { plan, measurements } = recording("same");
const replicates = measurements[0]?.replicates ?? [];
const { design } = plan;
if (design === undefined) throw new Error("the recording compares");

test("of a real cell: the interval after each replicate is the one of all replicates so far", () => {
  const whole = cellProgressOf(replicates, design);
  expect(whole.replicates).toBe(8);
  expect(whole.effects).toHaveLength(7);
  const halves = whole.effects.map(({ interval }) => (interval ? interval.high - interval.low : Number.NaN));
  expect(halves.at(-1)).toBeLessThan(halves[1] ?? 0);
  expect(cellProgressOf(replicates.slice(0, 4), design).effects).toEqual(whole.effects.slice(0, 3));
  expect(whole.rates.base.length).toBe(whole.rates.head.length);
});

test("as lines: both arms on one scale, and how the interval narrowed", () => {
  expect(cellProgressLines(cellProgressOf(replicates, design))).toMatchInlineSnapshot(`
    [
      "base ▄▇▇▆▂▁▆▆▄▅▄▆█▇▄▁ 1,412 req/s  head ▅▇▇▇▃▂▆▇▅▅▅▇▇█▄▂ 1,456 req/s",
      "+0.1% ± 2.2 after 8 replicates: ±3.5% → ±2.7% → ±2.4% → ±2.2%",
    ]
  `);
  expect(cellProgressLines(cellProgressOf(replicates.slice(0, 1), design))).toHaveLength(1);
});

test("without a block there is nothing to draw, and an estimate without an interval narrows nothing", () => {
  const none = { replicates: 0, rates: { base: [], head: [] }, effects: [] };
  expect(cellProgressLines(none)).toEqual([]);
  const single = {
    ...none,
    rates: { base: [], head: [1_000.4] },
    effects: [{ value: 0, interval: undefined }],
  };
  expect(cellProgressLines(single)[0]).toBe("head ▄ 1,000 req/s");
});
