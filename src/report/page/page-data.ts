import type { Comparison, Row } from "../../compare/comparison.ts";
import { workersAdvice } from "../../compare/workers/advice.ts";
import type { Measurement } from "../../model/measurement/measurement.ts";
import { byteLength } from "../../text/length.ts";
import { short } from "../../text/numbers.ts";
import { visibleLine } from "../../text/visible.ts";
import { hasCountedChanges } from "../facts/counted-changes.ts";
import { type PageCell, pageCellOf, shortPageCellOf, withoutFlame } from "./page-cell.ts";

/** The Universal Scalability Law for one endpoint's worker counts. `isFitting`: it fits well enough to be believed. */
interface PageLaw {
  readonly endpoint: string;
  /** Requests per second of one worker alone. */
  readonly rate: number;
  readonly serial: number;
  readonly crosstalk: number;
  readonly isFitting: boolean;
}

/** What the page's script draws, as inert JSON: figures, our words, and visible foreign text. */
export interface PageData {
  readonly schemaVersion: 1;
  /** As a share; absent when nothing was compared. */
  readonly minChange: number | undefined;
  readonly cells: readonly PageCell[];
  readonly laws: readonly PageLaw[];
  /** Number of cells whose details were left out to limit the size of the page. */
  readonly leftOut: number;
}

/** Bytes of all details: a page of 64 cells stays below 2 MB. */
const mostDetailBytes = 1_400_000;

/** Gathers the data for the page's script. `measurements` are those behind the comparison. */
export function pageDataOf(
  comparison: Comparison,
  measurements: readonly Measurement[],
  limit: number = mostDetailBytes,
): PageData {
  const { rows } = comparison;
  const found = new Map(measurements.map((each) => [each.cell.id, each]));
  // Details of telling cells come first. Those that do not fit are not even made.
  const first = new Set(rows.filter((row) => row.isNotable || hasCountedChanges(row, comparison)));
  const detailedCells = new Map<Row, DetailedCell>();
  let left = limit;
  for (const row of [...first, ...rows.filter((each) => !first.has(each))]) {
    const whole = pageCellOf(row, found.get(row.cell.id), comparison);
    const bare = withoutFlame(whole);
    const size = sizeOf(bare);
    if (size > left) break;
    left -= size;
    detailedCells.set(row, { whole, bare, flameSize: sizeOf(whole) - size });
  }
  // Flame graphs have what the other details leave.
  const drawn = new Set<Row>();
  for (const [row, { flameSize }] of detailedCells) {
    if (flameSize > left) break;
    left -= flameSize;
    drawn.add(row);
  }
  return {
    schemaVersion: 1,
    minChange: comparison.design?.minChange,
    cells: rows.map((row) => {
      const detailed = detailedCells.get(row);
      if (detailed === undefined) return shortPageCellOf(row, found.get(row.cell.id), comparison);
      return drawn.has(row) ? detailed.whole : detailed.bare;
    }),
    laws: lawsOf(rows),
    leftOut: rows.length - detailedCells.size,
  };
}

interface DetailedCell {
  readonly whole: PageCell;
  /** Without its flame graphs, which have this size. */
  readonly bare: PageCell;
  readonly flameSize: number;
}

function sizeOf(cell: PageCell): number {
  return byteLength(JSON.stringify(cell));
}

function lawsOf(rows: readonly Row[]): PageLaw[] {
  return workersAdvice(rows).flatMap(({ endpoint, law }) =>
    law === undefined
      ? []
      : [
          {
            endpoint: visibleLine(endpoint),
            rate: short(law.rate),
            serial: short(law.serial),
            crosstalk: short(law.crosstalk),
            isFitting: law.isFitting,
          },
        ],
  );
}
