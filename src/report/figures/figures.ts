import { type ArmSummary, bytesPerSecond } from "../../compare/arm-summary.ts";
import type { Comparison, Effects, OpenSummary, Row } from "../../compare/comparison.ts";
import { workersAdvice } from "../../compare/workers/advice.ts";
import { defined } from "../../lists/defined.ts";
import { sentenceOf, textOf } from "../../model/findings/finding.ts";
import { endpointLabel } from "../../model/plan/cell.ts";
import { thresholdText } from "../../model/thresholds/threshold.ts";
import { causesOf, type FixedCause, type ReportedCauses } from "../causes/causes.ts";
import { iterationsOf } from "../columns/figure-columns.ts";
import { percentileName } from "../facts/change-words.ts";
import type {
  ArmFigures,
  CauseFigures,
  CellFigures,
  DiagnosisFigures,
  EffectFigures,
  Figures,
  OpenFigures,
  ThresholdFigures,
  WorkersFigures,
} from "./figures-schema.ts";
import { effectNames, isOptionalEffect, rounded, speedFiguresOf } from "./speed-figures.ts";

/** The key figures for a later step of a workflow: JSON with units in the names, six digits that count. */
export function figuresOf(comparison: Comparison, causes = causesOf(comparison)): Figures {
  const { rows } = comparison;
  const thresholds = thresholdFigures(comparison);
  const diagnosis = diagnosisFigures(rows, causes);
  const workers = workersFigures(rows);
  return {
    schemaVersion: 1,
    cells: rows.map((row) => {
      const problem = row.problem;
      return {
        id: row.cell.id,
        ...defined({ app: row.cell.app }),
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
    ...defined({ diagnosis }),
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

/** The findings of diagnosis, for a later step of a workflow; `undefined` when it did not run. */
function diagnosisFigures(
  rows: readonly Row[],
  { causes, more, fixed, remarks }: ReportedCauses,
): DiagnosisFigures | undefined {
  if (rows.every(({ diagnosis }) => diagnosis === undefined)) return undefined;
  return {
    causes: causes.map((cause) => ({
      ...causeFigures(cause),
      isNew: cause.isNew ?? null,
    })),
    more,
    fixed: fixed.map(causeFigures),
    remarks: [...remarks],
  };
}

function causeFigures({ app, finding, cells }: FixedCause): CauseFigures {
  const { place, prediction } = finding;
  return {
    ...defined({ app }),
    cause: finding.cause,
    severity: finding.severity,
    confidence: finding.confidence,
    endpoint: finding.endpoint ?? null,
    path: finding.path ?? null,
    file: place?.file ?? null,
    line: place?.line ?? null,
    function: place?.function ?? null,
    isInDiff: finding.isInDiff ?? null,
    summary: `${textOf(sentenceOf(finding))}.`,
    advice: finding.advice,
    prediction: {
      what: prediction.unit === undefined ? prediction.what : `${prediction.what}, ${prediction.unit}`,
      predicted: rounded(prediction.predicted),
      observed: rounded(prediction.observed),
    },
    weight: rounded(finding.weight),
    cells,
  };
}

function thresholdFigures(comparison: Comparison): ThresholdFigures[] {
  const ofScripts = comparison.rows.flatMap(({ cell: { app, endpoint, workers }, script }) =>
    (script?.thresholds ?? []).map(({ metric, condition, isKept, value }) => ({
      threshold: `${metric}: ${condition}`,
      ...defined({ app }),
      endpoint: endpointLabel(endpoint),
      workers,
      state: isKept ? ("kept" as const) : ("broken" as const),
      value: rounded(value),
      reason: "",
    })),
  );
  const judged = comparison.thresholds.map(({ threshold, app, endpoint, workers, state, value, reason }) => ({
    threshold: thresholdText(threshold),
    ...defined({ app }),
    endpoint: endpoint ?? null,
    workers,
    state,
    value: rounded(value),
    reason,
  }));
  return [...judged, ...ofScripts];
}

/** Advice of each endpoint that has two worker counts or more, for a later step of a workflow. */
function workersFigures(rows: readonly Row[]): WorkersFigures[] {
  return workersAdvice(rows).map(({ endpoint, enough, obstacle, law }) => ({
    endpoint,
    workers: enough?.workers ?? null,
    chance: rounded(enough?.chance),
    obstacle: obstacle ?? null,
    serialShare: rounded(law?.serial),
    crosstalk: rounded(law?.crosstalk),
    peakWorkers: rounded(law?.peak),
  }));
}

type VersusFigures = EffectFigures &
  Pick<
    CellFigures,
    | "verdict"
    | "isSmall"
    | "isByStalls"
    | "isByCpu"
    | "longerLatencies"
    | "moreOf"
    | "reason"
    | "minutesToSettle"
    | "minutesToPlace"
    | "confidence"
    | "replicates"
    | "gatesNotMet"
    | "open"
    | "libraries"
  >;

function versusFigures(row: Row): VersusFigures {
  const versus = row.versus;
  const standing = row.standing;
  const changed = versus?.instructions;
  return {
    verdict: standing === undefined || standing === "not compared" ? null : standing,
    isSmall: versus?.verdict.isSmall ?? null,
    isByStalls: versus?.verdict.isByStalls ?? null,
    isByCpu: versus?.verdict.isByCpu ?? null,
    longerLatencies: versus === undefined ? null : row.longerLatencies.map(percentileName),
    moreOf: versus === undefined ? null : row.moreFootprint.map(({ part }) => part),
    reason: versus?.verdict.reason ?? row.loneArm?.reason ?? null,
    minutesToSettle: rounded(versus?.verdict.minutesToSettle),
    minutesToPlace: rounded(versus?.verdict.minutesToPlace),
    confidence: rounded(versus?.unchangedConfidence ?? versus?.confidence),
    replicates: versus?.replicates ?? null,
    gatesNotMet:
      versus?.gates.filter(({ isMet }) => !isMet).map(({ name, evidence }) => ({ name, evidence })) ?? null,
    open:
      versus === undefined
        ? null
        : { base: openFigures(versus.open.base), head: openFigures(versus.open.head) },
    ...effectFigures(versus?.effects),
    ...(typeof changed === "object" && changed.libraries.length > 0 && { libraries: [...changed.libraries] }),
  };
}

function effectFigures(effects: Effects | undefined): EffectFigures {
  const fields = Object.entries(effectNames).flatMap(([name, key]) => {
    const effect = effects?.[key];
    if (effect === undefined && isOptionalEffect(name)) return [];
    return [
      [`${name}Effect`, rounded(effect?.value)],
      [`${name}EffectLow`, rounded(effect?.interval?.low)],
      [`${name}EffectHigh`, rounded(effect?.interval?.high)],
    ];
  });
  return Object.fromEntries(fields) as EffectFigures;
}

function openFigures(open: OpenSummary | undefined): OpenFigures {
  if (open === undefined) return null;
  const { p50, p95, p99 } = open.latencyMs;
  return {
    rateRequestsPerSecond: rounded(open.requestsPerSecond),
    p50Ms: rounded(p50),
    p95Ms: rounded(p95),
    p99Ms: rounded(p99),
  };
}
