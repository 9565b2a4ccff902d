import { compare } from "../../compare/compare.ts";
import type { Row } from "../../compare/comparison.ts";
import { makeJudge } from "../../compare/sequential-judge.ts";
import { throughputSample } from "../../compare/throughput-sample.ts";
import { defined } from "../../lists/defined.ts";
import type { Measurement, Replicate } from "../../model/measurement/measurement.ts";
import { type Cell, cellLabel } from "../../model/plan/cell.ts";
import type { Design, Plan } from "../../model/plan/plan.ts";
import type { Estimate } from "../../statistics/estimate.ts";
import { plural } from "../../text/numbers.ts";
import { relativeChange } from "../../text/percent.ts";
import { printable } from "../../text/visible.ts";
import { effectColumn, ratesColumn } from "../columns/column-choice.ts";
import { failedColumn, p95Column, throughputColumn } from "../columns/figure-columns.ts";
import { problemWords } from "../facts/absences.ts";
import { verdictWords } from "../facts/change-words.ts";

export interface CellProgress {
  readonly replicates: number;
  /** The change of throughput, as the rule for stopping sees it; `undefined` before the second replicate. */
  readonly effect: Estimate | undefined;
}

export function cellProgressOf(replicates: readonly Replicate[], design: Design): CellProgress {
  return {
    replicates: replicates.length,
    effect: replicates.length < 2 ? undefined : makeJudge(design).judge(throughputSample(replicates)).effect,
  };
}

/** The change so far: `−4.0% ± 5.0 after 3 replicates`. */
export function cellProgressWords({ effect, replicates }: CellProgress): string {
  const after = `after ${plural(replicates, "replicate")}`;
  return effect?.interval === undefined ? after : `${relativeChange(effect)} ${after}`;
}

/** Names a cell in one line that is safe to print: `/health, 2 workers`. */
export function cellName(cell: Cell): string {
  return `${printable(cellLabel(cell))}, ${plural(cell.workers, "worker")}`;
}

/** One cell's result in a line that is safe to print, with the verdict of the cell alone. */
export function resultLine(measurement: Measurement, design?: Design): string {
  const { cell } = measurement;
  const plan: Plan = { schemaVersion: 1, cells: [cell], ...defined({ design }) };
  return compare(plan, [measurement])
    .rows.map((row) => `${cellName(cell)}: ${resultOf(row)}`)
    .join("");
}

/** The result of one row: `slower, −9.8% ± 0.6; 1,000 → 902 req/s, p95 15.0 → 16.1 ms`. */
export function resultOf(row: Row): string {
  const problem = row.problem;
  if (problem !== undefined) return printable(problemWords(problem));
  const hasVerdict = row.isCompared;
  const throughput = hasVerdict ? ratesColumn : throughputColumn;
  const words = hasVerdict ? `${verdictWords(row)}${effectWords(row)}; ` : "";
  const speed = `${words}${throughput.text(row)} req/s, p95 ${p95Column.text(row)} ms`;
  return row.hasFailedRequests ? `${speed}, failed: ${failedColumn.text(row)}` : speed;
}

function effectWords(row: Row): string {
  const interval = row.effect?.interval;
  return interval === undefined ? "" : `, ${effectColumn.text(row)}`;
}
