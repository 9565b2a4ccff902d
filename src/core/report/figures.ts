import type { ArmSummary } from "../comparison/arm-summary.ts";
import type { Comparison, Row } from "../comparison/comparison.ts";
import { endpointLabel } from "../measurement/cell.ts";
import { problemOf } from "./problem.ts";
import { rounded } from "./rounded.ts";
import { type VersusFigures, versusFigures } from "./versus-figures.ts";

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
  readonly endpoint: string;
  readonly workers: number;
  /** `measured`, or why there are no figures. */
  readonly status: Row["status"];
  readonly base?: ArmFigures;
}

export interface Figures {
  readonly schemaVersion: 1;
  readonly cells: readonly CellFigures[];
}

/** The key figures for a later step of a workflow: JSON with units in the names, six digits that count. */
export function figuresOf({ rows }: Comparison): Figures {
  return {
    schemaVersion: 1,
    cells: rows.map((row) => {
      const problem = problemOf(row);
      return {
        id: row.cell.id,
        endpoint: endpointLabel(row.cell.endpoint),
        workers: row.cell.workers,
        status: problem?.state ?? row.status,
        ...armFigures(problem === undefined ? row.arms.head : undefined),
        ...versusFigures(row),
        ...(problem === undefined && row.arms.base !== undefined && { base: armFigures(row.arms.base) }),
      };
    }),
  };
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
