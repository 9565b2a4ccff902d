import type { ArmSummary } from "../compare/arm-summary.ts";
import type { Comparison, Row } from "../compare/comparison.ts";
import { problemOf } from "../compare/problem.ts";
import { endpointLabel } from "../model/plan/cell.ts";
import { type DiagnosisFigures, diagnosisFigures } from "./cause-figures.ts";
import { iterationsOf } from "./iterations.ts";
import { rounded } from "./rounded.ts";
import { type ThresholdFigures, thresholdFigures } from "./thresholds.ts";
import { type VersusFigures, versusFigures } from "./versus-figures.ts";
import { type WorkersFigures, workersFigures } from "./workers-figures.ts";

/** The key figures of one arm; `null` where a figure is not known. */
export interface ArmFigures {
  readonly throughputRequestsPerSecond: number | null;
  readonly throughputLowRequestsPerSecond: number | null;
  readonly throughputHighRequestsPerSecond: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
  readonly failures: number | null;
  readonly requests: number | null;
  readonly cpuPerRequestMs: number | null;
  readonly statementsPerRequest: number | null;
}

/** One cell of the key figures: those of `head`, and those of `base` where it was measured too. */
export interface CellFigures extends ArmFigures, VersusFigures {
  readonly id: string;
  /** Absent where nobody named it. */
  readonly app?: string;
  readonly endpoint: string;
  readonly workers: number;
  /** `measured`, or why there are no figures. */
  readonly status: Row["status"];
  readonly base?: ArmFigures;
  /** Of a cell with several steps, like the two that follow; `null` where none was completed. */
  readonly iterationsPerSecond?: number | null;
  readonly iterationP50Ms?: number | null;
  readonly iterationP95Ms?: number | null;
}

export interface Figures {
  readonly schemaVersion: 1;
  readonly cells: readonly CellFigures[];
  /** Each with its value; absent where none was set. */
  readonly thresholds?: readonly ThresholdFigures[];
  /** Of each endpoint that has two worker counts or more; absent where none has. */
  readonly workers?: readonly WorkersFigures[];
  /** What causes were found; absent where none were looked for. */
  readonly diagnosis?: DiagnosisFigures;
}

/** The key figures for a later step of a workflow: JSON with units in the names, six digits that count. */
export function figuresOf(comparison: Comparison): Figures {
  const { rows } = comparison;
  const thresholds = thresholdFigures(comparison);
  const diagnosis = diagnosisFigures({ rows });
  const workers = workersFigures(rows);
  return {
    schemaVersion: 1,
    cells: rows.map((row) => {
      const problem = problemOf(row);
      return {
        id: row.cell.id,
        ...(row.cell.app !== undefined && { app: row.cell.app }),
        endpoint: endpointLabel(row.cell.endpoint),
        workers: row.cell.workers,
        status: problem?.state ?? row.status,
        ...armFigures(problem === undefined ? row.arms.head : undefined),
        ...versusFigures(row),
        ...(problem === undefined && row.arms.base !== undefined && { base: armFigures(row.arms.base) }),
        ...(problem === undefined && iterationFigures(row)),
      };
    }),
    ...(thresholds.length > 0 && { thresholds }),
    ...(workers.length > 0 && { workers }),
    ...(diagnosis !== undefined && { diagnosis }),
  };
}

function iterationFigures(row: Row) {
  const iterations = iterationsOf(row);
  return (
    iterations && {
      iterationsPerSecond: rounded(iterations.perSecond),
      iterationP50Ms: rounded(iterations.p50Ms),
      iterationP95Ms: rounded(iterations.p95Ms),
    }
  );
}

function armFigures(arm: ArmSummary | undefined): ArmFigures {
  return {
    throughputRequestsPerSecond: rounded(arm?.throughput.value),
    throughputLowRequestsPerSecond: rounded(arm?.throughput.interval?.low),
    throughputHighRequestsPerSecond: rounded(arm?.throughput.interval?.high),
    p50Ms: rounded(arm?.latencyMs.p50),
    p95Ms: rounded(arm?.latencyMs.p95),
    p99Ms: rounded(arm?.latencyMs.p99),
    failures: arm?.failures ?? null,
    requests: arm?.requests ?? null,
    cpuPerRequestMs: rounded(arm?.cpuPerRequestMs),
    statementsPerRequest: rounded(arm?.statementsPerRequest),
  };
}
