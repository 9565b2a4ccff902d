import type { Comparison, Row } from "../../compare/comparison.ts";
import { isNotable } from "../../compare/standing.ts";
import { workersAdvice } from "../../compare/workers/advice.ts";
import type { Measurement } from "../../model/measurement/measurement.ts";
import { sum } from "../../statistics/estimate.ts";
import { byteLength } from "../../text/length.ts";
import { visibleLine } from "../../text/visible.ts";
import { hasCountedChanges } from "../facts/counted-changes.ts";
import { type PageCell, pageCellOf, withoutDetails, withoutFlame } from "./page-cell.ts";
import { short } from "./short.ts";

/** The Universal Scalability Law for one endpoint's worker counts. `isFitting`: it fits well enough to be believed. */
export interface PageLaw {
  readonly endpoint: string;
  /** Requests per second of one worker alone. */
  readonly rate: number;
  readonly serial: number;
  readonly crosstalk: number;
  readonly isFitting: boolean;
}

/**
 * The data that the page's script draws. They stand in the page as an inert block of JSON: only figures, our own words,
 * and foreign text in which every character is made visible.
 */
export interface PageData {
  readonly schemaVersion: 1;
  /** As a share; absent when nothing was compared. */
  readonly smallestEffect: number | undefined;
  /** In the order of the plan. */
  readonly cells: readonly PageCell[];
  readonly laws: readonly PageLaw[];
  /** Number of cells whose details were left out to limit the size of the page. */
  readonly leftOut: number;
}

/**
 * Bytes of all details together. A page of 64 cells stays below 2 MB, and no page exceeds the size limit for a file of
 * an artifact.
 */
export const mostDetailBytes = 1_400_000;

/** Gathers the data for the page's script. `measurements` are those behind the comparison. */
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
  const kept = keptWithin(
    all.map((each) => ({ ...each, size: sizeOf(withoutFlame(each.cell)) })),
    comparison,
    limit,
  );
  // Flame graphs have what the other details leave.
  const left = limit - sum([...kept].map((cell) => sizeOf(withoutFlame(cell))));
  const drawn = keptWithin(
    all
      .filter(({ cell }) => kept.has(cell))
      .map((each) => ({ ...each, size: sizeOf(each.cell) - sizeOf(withoutFlame(each.cell)) })),
    comparison,
    left,
  );
  return {
    schemaVersion: 1,
    smallestEffect: comparison.design?.smallestEffect,
    cells: all.map(({ cell }) => {
      if (drawn.has(cell)) return cell;
      return kept.has(cell) ? withoutFlame(cell) : withoutDetails(cell);
    }),
    laws: lawsOf(comparison.rows),
    leftOut: all.length - kept.size,
  };
}

/** Keeps details within the limit, those of telling cells first. */
function keptWithin(
  all: readonly { readonly row: Row; readonly cell: PageCell; readonly size: number }[],
  comparison: Comparison,
  limit: number,
): ReadonlySet<PageCell> {
  const first = all.filter(({ row }) => isNotable(row) || hasCountedChanges(row, comparison));
  const kept = new Set<PageCell>();
  let left = limit;
  for (const { cell, size } of [...first, ...all.filter((each) => !first.includes(each))]) {
    left -= size;
    if (left < 0) break;
    kept.add(cell);
  }
  return kept;
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
