import type { Comparison, Row } from "../../compare/comparison.ts";
import { isNotable } from "../../compare/standing.ts";
import { workersAdvice } from "../../compare/workers/advice.ts";
import type { Measurement } from "../../model/measurement/measurement.ts";
import { byteLength } from "../../text/length.ts";
import { visibleLine } from "../../text/visible.ts";
import { hasCountedChanges } from "../facts/counted-changes.ts";
import { type PageCell, pageCellOf, withoutDetails } from "./page-cell.ts";
import { short } from "./short.ts";

/** The Universal Scalability Law as the worker counts of one endpoint have it; `isFitting`: near enough to be believed. */
export interface PageLaw {
  readonly endpoint: string;
  /** Requests per second of one worker alone. */
  readonly rate: number;
  readonly serial: number;
  readonly crosstalk: number;
  readonly isFitting: boolean;
}

/**
 * What the page's script draws. It stands in the page as an inert block of JSON: only figures, our own words, and foreign
 * text in which everything can be seen.
 */
export interface PageData {
  readonly schemaVersion: 1;
  /** As a share; absent when nothing was compared. */
  readonly smallestEffect: number | undefined;
  /** In the order of the plan. */
  readonly cells: readonly PageCell[];
  readonly laws: readonly PageLaw[];
  /** Cells whose details were left out, because the page would have become too large. */
  readonly leftOut: number;
}

/** Bytes of all details together: a page of 64 cells stays below 2 MB, and no page becomes larger than an artifact's file may be. */
export const mostDetailBytes = 1_400_000;

/** Gathers what the page's script draws. `measurements` are those that the comparison was made of. */
export function pageDataOf(
  comparison: Comparison,
  measurements: readonly Measurement[],
  limit: number = mostDetailBytes,
): PageData {
  const found = new Map(measurements.map((each) => [each.cell.id, each]));
  const all = comparison.rows.map((row) => ({
    row,
    cell: pageCellOf(row, found.get(row.cell.id), comparison),
  }));
  const kept = keptWithin(all, comparison, limit);
  return {
    schemaVersion: 1,
    smallestEffect: comparison.design?.smallestEffect,
    cells: all.map(({ cell }) => (kept.has(cell) ? cell : withoutDetails(cell))),
    laws: lawsOf(comparison.rows),
    leftOut: all.length - kept.size,
  };
}

/** Cells that say something come first. */
function keptWithin(
  all: readonly { readonly row: Row; readonly cell: PageCell }[],
  comparison: Comparison,
  limit: number,
): ReadonlySet<PageCell> {
  const first = all.filter(({ row }) => isNotable(row) || hasCountedChanges(row, comparison));
  const kept = new Set<PageCell>();
  let left = limit;
  for (const { cell } of [...first, ...all.filter((each) => !first.includes(each))]) {
    left -= byteLength(JSON.stringify(cell));
    if (left < 0) break;
    kept.add(cell);
  }
  return kept;
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
