import { expect, test } from "vitest";

import { effectStrip, effectStripColumn } from "../../../src/report/columns/column-choice.ts";
import { cell } from "../../fixtures/measurement.ts";
import { effect, row, versus } from "../compared.ts";

test.for<[value: number, half: number, end: number, strip: string]>([
  [0, 0.01, 0.1, "······━●━······"],
  [-0.098, 0.006, 0.1, "●━·····┆·······"],
  [0.05, 0.03, 0.1, "·······┆━━━●━━·"],
  [-0.03, 0.2, 0.1, "◂━━━━●━━━━━━━━▸"],
  [-3, 0.1, 0.1, "●······┆·······"],
  [0, 0, 0.05, "·······●·······"],
  [0.0001, 0.00005, 0.05, "·······┆●······"],
  [-0.0001, 0.00005, 0.05, "······●┆·······"],
])("%s ± %s up to %s", ([value, half, end, strip]) => {
  expect(effectStrip(effect(value, half), end)).toBe(strip);
});

test("a value without an interval is a dot", () => {
  expect(effectStrip({ value: 0.1, interval: undefined }, 0.1)).toBe("·······┆······●");
});

test("all rows have the scale of the largest change, and rows without one are empty", () => {
  const rows = [0.02, -0.12].map((value) =>
    row({ cell: cell(), versus: versus({ effects: { throughput: effect(value, 0.01) } }) }),
  );
  const invalid = row({ cell: cell(), versus: versus({ verdict: { kind: "invalid" } }) });
  const column = effectStripColumn([...rows, invalid]);
  expect(column?.title).toBe("−20%\u00a0\u00a0\u00a00\u00a0\u00a0\u00a0+20%");
  expect([...rows, invalid].map((each) => column?.text(each))).toEqual([
    "·······┆●······",
    "··━●···┆·······",
    "",
  ]);
  expect(effectStripColumn([invalid])).toBeUndefined();
  const huge = row({ cell: cell(), versus: versus({ effects: { throughput: effect(3, 1) } }) });
  expect(effectStripColumn([huge])?.title).toContain("100%");
});
