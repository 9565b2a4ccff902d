import { compare, judge } from "../../src/compare/compare.ts";
import type { Comparison, MeasuredRow } from "../../src/compare/comparison.ts";
import type { Measurement } from "../../src/model/measurement/measurement.ts";
import type { Cell } from "../../src/model/plan/cell.ts";
import { usualCheck } from "../../src/model/thresholds/threshold.ts";
import { cell, failure, measurement } from "../fixtures/measurement.ts";

/** Compares measurements of exactly these cells. */
export function comparisonOf(cells: readonly Cell[], measurements: readonly Measurement[]): Comparison {
  return compare({ schemaVersion: 1, cells: [...cells] }, measurements);
}

/** A grid of cells, every one measured, with an endpoint's name from its number. */
export function grid(
  cellCount: number,
  pathOf: (index: number) => string = (index) => `/endpoints/${index}`,
  change: (cell: Cell, index: number) => Partial<Measurement> = () => ({}),
): Comparison {
  const cells = Array.from({ length: cellCount }, (_, index) =>
    cell({ path: pathOf(Math.floor(index / 2)), workers: (index % 2) + 1 }),
  );
  // Summed up once: thousands of histograms would take longer than the tested code.
  const measured = comparisonOf([cell()], [measurement()]).rows.slice(0, 1);
  const rows = cells.flatMap((each, index) =>
    measured.map((row): MeasuredRow => {
      const { status, failure: why } = change(each, index);
      return status === undefined
        ? { ...row, cell: each }
        : { ...row, cell: each, status, failure: why, arms: {} };
    }),
  );
  return judge({ design: undefined, check: usualCheck, rows, commits: {}, warnings: [] });
}

const selects = [
  cell({ path: "/sync_select?user_id=7" }),
  cell({ path: "/sync_select?user_id=7", workers: 2 }),
  cell({ path: "/async_select?user_id=7" }),
  cell({ path: "/async_select?user_id=7", workers: 2 }),
] as const;

/** Two endpoints with one and two workers, all measured. */
export function allMeasured(): Comparison {
  const rates = [1_000, 1_804, 1_204, 2_051];
  return comparisonOf(
    selects,
    selects.map((each, index) => measurement({ cell: each, arm: { requestsPerSecond: rates[index] ?? 0 } })),
  );
}

/** The same with every way in which a cell can have no figures. */
export function nothingMeasured(): Comparison {
  const [a, b, , d] = selects;
  return comparisonOf(selects, [
    measurement({ cell: a, status: "failed", failure: failure() }),
    measurement({ cell: b, status: "cancelled" }),
    measurement({ cell: d }),
    measurement({ cell: d }),
  ]);
}

/** One measured, one failed, two failed for one reason. */
export function partlyMeasured(): Comparison {
  const [a, b, c, d] = selects;
  const shared = failure({ phase: "seed", reason: "psql: syntax error at line 3", logTail: "ERROR: x" });
  return comparisonOf(selects, [
    measurement({ cell: a }),
    measurement({ cell: b, status: "failed", failure: failure() }),
    measurement({ cell: c, status: "failed", failure: shared }),
    measurement({ cell: d, status: "failed", failure: shared }),
  ]);
}
