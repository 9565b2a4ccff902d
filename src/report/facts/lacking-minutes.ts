import type { Comparison, Row } from "../../compare/comparison.ts";
import { versusIn } from "../../compare/standing.ts";
import { sum } from "../../statistics/estimate.ts";
import { machinesSentence } from "./environment.ts";

/** Minutes that the cells of one app lack, and the setting that gives them. */
export interface LackingMinutes {
  readonly minutes: number;
  readonly setting: number;
}

/** `undefined` where more minutes would not help, and for several apps, each of which has minutes of its own. */
export function lackingMinutes({ rows, design }: Comparison): LackingMinutes | undefined {
  const isOneApp = new Set(rows.map(({ cell }) => cell.app)).size === 1;
  if (design === undefined || !isOneApp || machinesSentence(rows) !== undefined) return undefined;
  const open = rows.filter((row) => versusIn(row)?.verdict.kind === "inconclusive");
  if (!open.some((row) => Number.isFinite(versusIn(row)?.verdict.minutesToSettle))) return undefined;
  const minutes = wholeMinutes(minutesLacking(rows));
  return { minutes, setting: Math.ceil(design.maxMinutes) + minutes };
}

/** Minutes that all cells together lack. */
export function minutesLacking(rows: readonly Row[]): number {
  const minutes = rows.map((row) => {
    const { minutesToSettle, minutesToPlace } = versusIn(row)?.verdict ?? {};
    return minutesToSettle ?? minutesToPlace ?? 0;
  });
  return sum(minutes.filter((each) => Number.isFinite(each)));
}

export function wholeMinutes(minutes: number): number {
  return Math.max(1, Math.ceil(minutes));
}
