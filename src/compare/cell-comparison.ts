import { mergeHistograms, quantileMs } from "../model/load/histogram.ts";
import {
  type ArmName,
  armNames,
  type Measurement,
  type Replicate,
  requestsServed,
} from "../model/measurement/measurement.ts";
import type { Design } from "../model/plan/plan.ts";
import { mean, sum, variance } from "../statistics/estimate.ts";
import { hodgesLehmann } from "../statistics/robust.ts";
import { type Sample, sampleOf } from "../statistics/sample.ts";
import { halfWidth, relativeChange } from "../statistics/student.ts";
import { percent } from "../text/percent.ts";
import { leastSlowDown } from "./beyond-doubt.ts";
import type { Effect, Effects, Gate, OpenSummary, Versus } from "./comparison.ts";
import { gatesOf, sliceGate } from "./gates.ts";
import { isLatencyOpen, type LatencyChange, latencyChanges } from "./latency/latency-change.ts";
import { logRatios, totalEffect } from "./replicate-effect.ts";
import { secondsPerReplicate } from "./replicate-time.ts";
import { holmLevels, isPlaced, type Judged, makeJudge, sliceAlarmRate } from "./sequential-judge.ts";
import { isSlowerByStalls, stallsAgree, type Totals } from "./stalls.ts";
import { throughputEffects, throughputSample } from "./throughput-sample.ts";
import { type Circumstances, verdictOf } from "./verdict.ts";

/** True when a cell needs no more replicates; asked after each one. `pauseMs`: mean pause after a request. */
export function isSettled(replicates: readonly Replicate[], design: Design, pauseMs = 0): boolean {
  const sample = throughputSample(replicates);
  const most = design.looks.at(-1) ?? 0;
  if (replicates.length >= most || cannotBeSliced(replicates, design, pauseMs)) return true;
  if (!design.looks.includes(sample.count)) return false;
  const { isDecided, ...judged } = makeJudge(design).decide(sample);
  const totals = totalsOf(replicates, design);
  const isByStalls = totals !== undefined && isSlowerByStalls(judged, totals, design);
  const isKnown = isByStalls
    ? isPlaced(totals.judged.effect, design)
    : isDecided && stallsAgree(judged, totals, design);
  // A clear change of throughput changes latencies, too, and need not wait for them, unless they can fail the check.
  const isClear = isByStalls || (!judged.isSmall && (judged.kind === "slower" || judged.kind === "faster"));
  const needsLatency = !isClear || design.isLatencyForbidden === true;
  return isKnown && !(needsLatency && isLatencyOpen(replicates, design));
}

/**
 * True when the first look shows that requests do not fit into slices: more replicates would have slices of the same
 * length. This does not look at which arm was better, so a cell may end for it.
 */
function cannotBeSliced(
  replicates: readonly Replicate[],
  { looks: [first = 0] }: Design,
  pauseMs: number,
): boolean {
  return replicates.length >= first && sliceGate(replicates, pauseMs)?.isMet === false;
}

/** Compares base and head in all cells of a report at once, because they share its false alarms. By cell id. */
export function versusOf(measurements: readonly Measurement[], design: Design): ReadonlyMap<string, Versus> {
  const judge = makeJudge(design);
  const cells = measurements
    .filter(({ replicates }) => replicates.some(hasPairs))
    .map((measurement) => {
      const values = throughputEffects(measurement.replicates);
      const sample = throughputSample(measurement.replicates);
      return { measurement, values, sample, gates: [...gatesOf(measurement), ...stabilityGate(values)] };
    });
  // A cell that cannot be judged leaves none of its share to the others.
  const valid = cells.filter(({ gates }) => gates.every(({ isMet }) => isMet));
  const shares = holmLevels(
    valid.map(({ sample }) => judge.levelOf(sample)),
    design.cells,
    sliceAlarmRate(design),
  );
  const levels = new Map(valid.map((cell, index) => [cell, shares[index]]));
  return new Map(
    cells.map((cell) => {
      const level = levels.get(cell) ?? sliceAlarmRate(design) / design.cells;
      const judged = judge.judge(cell.sample, level);
      const settledAfter = judge.settledAfter(cell.sample, level);
      const placedAfter = {
        slices: judge.placedAfter(cell.sample, level),
        totals: judge.placedAfter(totalsSample(cell.measurement.replicates), judge.totalsLevel),
      };
      const noise = {
        spread: Math.sqrt(variance(cell.values)),
        finest: judge.finestHalf(cell.sample, level),
      };
      const versus = versusOfCell(cell, { ...judged, settledAfter, placedAfter }, design);
      return [
        cell.measurement.cell.id,
        { ...versus, noise: cell.values.length < 2 ? undefined : noise },
      ] as const;
    }),
  );
}

/** The inputs of one cell's verdict. */
interface JudgedCell {
  readonly measurement: Measurement;
  /** ln(head / base) of the throughput, one for each replicate that has one; none in a cell that is invalid. */
  readonly values: readonly number[];
  readonly gates: readonly Gate[];
}

/** True when a replicate had both arms, even if no pair of slices has a value: then the gate of slices is not met. */
function hasPairs({ pairs }: Replicate): boolean {
  return pairs !== undefined && pairs.arms.base.cycles.length > 0;
}

function versusOfCell(
  { measurement, values, gates }: JudgedCell,
  judged: Judged & Pick<Circumstances, "settledAfter" | "placedAfter">,
  design: Design,
): Omit<Versus, "noise"> {
  const { replicates } = measurement;
  const most = design.looks.at(-1) ?? values.length;
  const totals = totalsOf(replicates, design);
  const latency = latencyChanges(replicates, design);
  const [first = 0] = design.looks;
  const least =
    values.length >= first && gates.some(({ isMet }) => !isMet)
      ? leastSlowDown({ measurement, gates, values, effect: judged.effect, totals: totals?.effect })
      : undefined;
  const verdict = verdictOf(judged, {
    gates,
    totals,
    leastSlowDown: least,
    replicates: values.length,
    left: Math.max(0, most - replicates.length),
    settledAfter: judged.settledAfter,
    placedAfter: judged.placedAfter,
    secondsPerReplicate: secondsPerReplicate(replicates),
    design,
  });
  // Failed gates distort the other end of the interval, so that it says nothing.
  const bound = verdict.kind === "slower" && least !== undefined ? { low: -1, high: -least } : undefined;
  return {
    verdict,
    effects: {
      throughput: bound === undefined ? judged.effect : { ...judged.effect, interval: bound },
      totalThroughput: totals?.judged.effect,
      ...explanations(replicates, latency),
    },
    latency: gates.every(({ isMet }) => isMet) ? latency : [],
    gates,
    replicates: replicates.filter(hasPairs).length,
    mostReplicates: most,
    confidence: 1 - design.falseAlarmRate,
    open: openSummaries(replicates),
  };
}

/** The total throughput, stalls included: its change, and how surely. */
function totalsOf(replicates: readonly Replicate[], design: Design): Totals | undefined {
  const effect = relativeChange(totalEffects(replicates));
  return effect && { effect, judged: makeJudge(design).judgeTotals(totalsSample(replicates)) };
}

function totalsSample(replicates: readonly Replicate[]): Sample {
  return sampleOf(totalEffects(replicates));
}

function totalEffects(replicates: readonly Replicate[]): number[] {
  return replicates.flatMap(({ pairs }) => (pairs && totalEffect(pairs)) ?? []);
}

/** Equal replicates have no spread, but their mean may be off by its last digit. */
const rounding = 1e-12;

/** A few outliers would decide when the mean differs from a robust estimate of it. */
function stabilityGate(values: readonly number[]): Gate[] {
  if (values.length < 4) return [];
  const difference = Math.abs(mean(values) - hodgesLehmann(values));
  const allowed = halfWidth(values, 0.95);
  return [
    {
      name: "stability",
      isMet: difference <= allowed + rounding,
      evidence: `mean and Hodges-Lehmann estimate of the replicates differ by ${percent(difference)}; up to ${percent(allowed)} is chance`,
    },
  ];
}

function explanations(
  replicates: readonly Replicate[],
  latency: readonly LatencyChange[],
): Omit<Effects, "throughput" | "totalThroughput"> {
  const closed = (share: number) => latency.find((change) => change.share === share)?.effect;
  const open = (share: number): Effect | undefined => {
    const change = relativeChange(
      logRatios(replicates, (replicate, arm) => {
        const histogram = replicate.open?.arms[arm].latency;
        return histogram && quantileMs(histogram, share);
      }),
    );
    return change && { value: change.value, interval: undefined };
  };
  return {
    cpuPerRequest: relativeChange(
      logRatios(replicates, ({ arms }, arm) => {
        const record = arms[arm];
        return record?.cpuSeconds && record.cpuSeconds / requestsServed(record);
      }),
    ),
    latencyP50: closed(0.5),
    latencyP95: closed(0.95),
    latencyP99: closed(0.99),
    openLatencyP50: open(0.5),
    openLatencyP95: open(0.95),
    openLatencyP99: open(0.99),
  };
}

function openSummaries(replicates: readonly Replicate[]): Versus["open"] {
  const phases = replicates.flatMap(({ open }) => open ?? []);
  const [first] = phases;
  if (first === undefined) return {};
  const summary = (arm: ArmName): OpenSummary | undefined => {
    const histogram = mergeHistograms(phases.map(({ arms }) => arms[arm].latency));
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantileMs(histogram, share));
    if (p50 === undefined || p95 === undefined || p99 === undefined) return undefined;
    return {
      requestsPerSecond: first.requestsPerSecond,
      latencyMs: { p50, p95, p99 },
      requests: sum(phases.map(({ arms }) => arms[arm].requests)),
      failures: sum(phases.map(({ arms }) => arms[arm].failures)),
    };
  };
  const summaries: Partial<Record<ArmName, OpenSummary>> = {};
  for (const arm of armNames) {
    const made = summary(arm);
    if (made !== undefined) summaries[arm] = made;
  }
  return summaries;
}
