import { type ArmSummary, bytesPerSecond } from "../../compare/arm-summary.ts";
import type { Comparison, Row } from "../../compare/comparison.ts";
import { problemOf } from "../../compare/problem.ts";
import { endpointLabel } from "../../model/plan/cell.ts";
import { iterationsOf } from "../columns/iterations.ts";
import { diagnosisFigures } from "./cause-figures.ts";
import type { ArmFigures, Figures } from "./figures-schema.ts";
import { rounded } from "./rounded.ts";
import { speedFiguresOf } from "./speed-figures.ts";
import { thresholdFigures } from "./threshold-figures.ts";
import { versusFigures } from "./versus-figures.ts";
import { workersFigures } from "./workers-figures.ts";

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
        ...(problem === undefined && agingFigures(row)),
        ...(problem === undefined && row.arms.base !== undefined && { base: armFigures(row.arms.base) }),
        ...(problem === undefined && iterationFigures(row)),
      };
    }),
    ...(thresholds.length > 0 && { thresholds }),
    ...(workers.length > 0 && { workers }),
    ...(diagnosis !== undefined && { diagnosis }),
  };
}

function agingFigures({ aging }: Row) {
  return (
    aging && {
      aging: {
        seconds: rounded(aging.seconds),
        kind: aging.kind,
        throughputEffect: rounded(aging.effect.value),
        throughputEffectLow: rounded(aging.effect.interval?.low),
        throughputEffectHigh: rounded(aging.effect.interval?.high),
        longestMs: { base: rounded(aging.longestMs.base), head: rounded(aging.longestMs.head) },
        memoryGrowth: {
          base: rounded(aging.memoryGrowth?.base),
          head: rounded(aging.memoryGrowth?.head),
          extraLow: rounded(aging.memoryGrowth?.extra.interval?.low),
          extraHigh: rounded(aging.memoryGrowth?.extra.interval?.high),
        },
      },
    }
  );
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
    ...speedFiguresOf(arm),
    failures: arm?.failures ?? null,
    requests: arm?.requests ?? null,
    ...(arm?.firstByteMs !== undefined && { firstByteMs: rounded(arm.firstByteMs) }),
    ...(arm?.responseBytes !== undefined && { bytesPerSecond: rounded(bytesPerSecond(arm)) }),
    ...(arm?.readyMemoryBytes !== undefined && { readyMemoryBytes: arm.readyMemoryBytes }),
    ...(arm?.peakMemoryBytes !== undefined && { peakMemoryBytes: arm.peakMemoryBytes }),
    ...(arm?.startCpuSeconds !== undefined && { startCpuSeconds: rounded(arm.startCpuSeconds) }),
  };
}
