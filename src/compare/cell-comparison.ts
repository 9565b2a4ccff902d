import { defined } from "../lists/defined.ts";
import type { NonEmptyArray } from "../lists/non-empty.ts";
import { pauseSecondsPerRequest } from "../model/endpoint/endpoint.ts";
import type { Measurement, Replicate } from "../model/measurement/measurement.ts";
import type { Design } from "../model/plan/plan.ts";
import { hodgesLehmann, mean } from "../statistics/estimate.ts";
import { halfWidth, relativeChange, type Sample, sampleOf } from "../statistics/student.ts";
import { percent } from "../text/percent.ts";
import { alarmRate } from "./alarm-shares.ts";
import { isEnough, isPlaced, type Judged } from "./answer.ts";
import { leastSlowDown } from "./beyond-doubt.ts";
import type { Gate, Versus } from "./comparison.ts";
import { cpuSample, isDecidedByCpu, judgedByCpu } from "./cpu-time.ts";
import { explanations, openSummaries } from "./explanations.ts";
import { footprintChanges } from "./footprint-change.ts";
import { gatesOf, sliceGate } from "./gates.ts";
import { instructionChange } from "./instruction-change.ts";
import { isLatencyOpen, latencyChanges } from "./latency-change.ts";
import { hasNoSign, isEqualWork, missRateOf } from "./no-sign.ts";
import { secondsPerReplicate, totalEffect } from "./replicate-effect.ts";
import { holmLevels, makeJudge } from "./sequential-judge.ts";
import { throughputEffects, throughputSample } from "./throughput-sample.ts";
import { type Circumstances, isSlowerByStalls, stallsAgree, type Totals, verdictOf } from "./verdict.ts";

/** What is known of a cell while it is measured. `pauseMs`: mean pause after a request. */
interface Known {
  readonly pauseMs?: number;
  readonly instructions?: Measurement["instructions"];
}

/** True when a cell needs no more replicates; checked after each one. */
export function isSettled(replicates: readonly Replicate[], design: Design, known: Known = {}): boolean {
  const { pauseMs = 0 } = known;
  const { count } = throughputSample(replicates);
  const most = design.looks.at(-1) ?? 0;
  if (replicates.length >= most || cannotBeSliced(replicates, design, pauseMs)) return true;
  if (!design.looks.includes(count)) return false;
  const answer = answerSoFar(replicates, design, known);
  const { judged, decisive, totals } = answer;
  const isByStalls = isSlowerByStalls(judged, totals, design);
  const isKnown = isByStalls
    ? isPlaced(totals.judged.effect, design)
    : (isEnough(decisive, design) && stallsAgree(decisive, totals, design)) ||
      endsWithoutSign(replicates, design, answer);
  // A clear change of throughput changes latencies, too, and need not wait for them, unless they can fail the check.
  const { kind, isSmall } = decisive;
  const isClear = isByStalls || (!isSmall && (kind === "slower" || kind === "faster"));
  const needsLatency = !isClear || design.isLatencyForbidden === true;
  return isKnown && !(needsLatency && isLatencyOpen(replicates, design));
}

/** The turn of an open cell: the lower, the more it looks like a change, in usual slices or in total. */
export function turnOf(replicates: readonly Replicate[], design: Design, known: Known = {}): number {
  const { judge, sample, judged, decisive, totals } = answerSoFar(replicates, design, known);
  const isByStalls = isSlowerByStalls(judged, totals, design);
  const samples = [sample, totalsSample(replicates, known.pauseMs)];
  const counted = known.instructions && instructionChange(known.instructions, design);
  const isOfOtherWork = typeof counted === "object" && counted.kind !== "none";
  return turnFrom(
    [...samples.map((each) => judge.levelOf(each)), ...(isOfOtherWork ? [0] : [])],
    isByStalls || decisive.kind === "slower" || decisive.kind === "faster",
  );
}

function answerSoFar(replicates: readonly Replicate[], design: Design, { pauseMs = 0, instructions }: Known) {
  const judge = makeJudge(design, missRateOf(replicates, instructions, design));
  const sample = throughputSample(replicates);
  const judged = judge.judge(sample);
  const totals = totalsOf(replicates, design, pauseMs);
  const cpu = judgedByCpu(replicates, design);
  return { judge, sample, judged, totals, decisive: isDecidedByCpu(judged, cpu, design) ? cpu : judged };
}

function endsWithoutSign(
  replicates: readonly Replicate[],
  design: Design,
  { judge, sample, judged, totals }: ReturnType<typeof answerSoFar>,
): boolean {
  const settledAfter = () => judge.settledAfter(sample);
  const isEqual = () => isEqualWork(replicates, design);
  return hasNoSign({ judged, totals, settledAfter, count: sample.count, isEqualWork: isEqual }, design);
}

/** True when requests do not fit into slices. This ignores which arm was better, so a cell may end for it. */
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
    alarmRate("slices", design),
  );
  const levels = new Map(valid.map((cell, index) => [cell, shares[index]]));
  return new Map(
    cells.map((cell) => {
      const level = levels.get(cell);
      const { replicates, instructions } = cell.measurement;
      const missRate = missRateOf(replicates, instructions, design);
      const own = makeJudge(design, missRate);
      const judged = own.judge(cell.sample, level);
      const settledAfter = own.settledAfter(cell.sample, level);
      const placedAfter = {
        slices: judge.placedAfter(cell.sample, level),
        totals: judge.placedAfter(
          totalsSample(cell.measurement.replicates, pauseMsOf(cell.measurement)),
          judge.totalsLevel,
        ),
        cpu: judge.placedAfter(cpuSample(cell.measurement.replicates), judge.cpuLevel),
      };
      const versus = versusOfCell(cell, { ...judged, settledAfter, placedAfter }, design);
      return [
        cell.measurement.cell.id,
        {
          ...versus,
          finestChange: cell.values.length < 2 ? undefined : judge.finestHalf(cell.sample, level),
          ...(judged.kind === "unchanged" &&
            missRate > design.falseAlarmRate && { unchangedConfidence: 1 - missRate }),
        },
      ] as const;
    }),
  );
}

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
): Omit<Versus, "finestChange"> {
  const { replicates } = measurement;
  const most = design.looks.at(-1) ?? values.length;
  const totals = totalsOf(replicates, design, pauseMsOf(measurement));
  const cpu = judgedByCpu(replicates, design);
  const latency = latencyChanges(replicates, design);
  const footprint = footprintChanges(replicates, design);
  const instructions = measurement.instructions && instructionChange(measurement.instructions, design);
  // Other gates are about time, which changes neither memory nor the work of a start.
  const isOfSameReplies = gates.every(({ name, isMet }) => isMet || name !== "statuses");
  const isValid = gates.every(({ isMet }) => isMet);
  const [first = 0] = design.looks;
  const least =
    values.length >= first && !isValid
      ? leastSlowDown({ measurement, gates, values, effect: judged.effect, totals: totals?.effect })
      : undefined;
  const verdict = verdictOf(judged, {
    gates,
    totals,
    cpu,
    leastSlowDown: least,
    replicates: values.length,
    left: Math.max(0, most - replicates.length),
    settledAfter: judged.settledAfter,
    endedWithoutSign: endsWithoutSign(
      replicates,
      design,
      answerSoFar(replicates, design, {
        pauseMs: pauseMsOf(measurement),
        ...defined({ instructions: measurement.instructions }),
      }),
    ),
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
      throughputByCpu: cpu?.effect,
      ...explanations(replicates, { latency, footprint }, design),
      ...(typeof instructions === "object" && isOfSameReplies && { instructions: instructions.effect }),
    },
    latency: isValid ? latency : [],
    footprint: isOfSameReplies ? footprint : [],
    ...(isOfSameReplies && defined({ instructions })),
    gates,
    replicates: replicates.filter(hasPairs).length,
    mostReplicates: most,
    confidence: 1 - design.falseAlarmRate,
    open: openSummaries(replicates),
  };
}

function pauseMsOf({ cell }: Measurement): number {
  return pauseSecondsPerRequest(cell.endpoint) * 1_000;
}

/** The change of total throughput, including stalls, with its certainty. */
function totalsOf(replicates: readonly Replicate[], design: Design, pauseMs: number): Totals | undefined {
  const effect = relativeChange(totalEffects(replicates, pauseMs));
  return effect && { effect, judged: makeJudge(design).judgeTotals(totalsSample(replicates, pauseMs)) };
}

function totalsSample(replicates: readonly Replicate[], pauseMs = 0): Sample {
  return sampleOf(totalEffects(replicates, pauseMs));
}

function totalEffects(replicates: readonly Replicate[], pauseMs: number): number[] {
  return replicates.flatMap((replicate) => totalEffect(replicate, pauseMs) ?? []);
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
      evidence: `the replicates' mean and Hodges-Lehmann estimate differ by ${percent(difference)}; up to ${percent(allowed)} is expected by chance`,
    },
  ];
}

// Which cell is measured next, where several share the minutes.

/** A cell that is not settled. */
export interface Waiting {
  /** The lowest looks most like a change that is not certain yet. */
  readonly turn: number;
  readonly replicates: readonly unknown[];
}

/** Halves of the time: for the cell that looks most like a change, and for all by turns. */
type Half = "likely" | "all";

/** Time spent in each half, in any unit. */
export type Spent = Record<Half, number>;

/** The half that is behind. */
export function halfBehind({ likely, all }: Spent): Half {
  return likely <= all ? "likely" : "all";
}

/** The next cell of that half: the likeliest, or the one with the fewest replicates; the first of several. */
export function nextCell<T extends Waiting>(waiting: NonEmptyArray<T>, half: Half): T {
  const figure = ({ turn, replicates }: T) => (half === "likely" ? turn : replicates.length);
  return waiting.reduce((one, other) => (figure(other) < figure(one) ? other : one));
}

/** The turn of a cell, by the chances of its end points; one that only lacks its size comes last. */
export function turnFrom(levels: readonly number[], isSure: boolean): number {
  return Math.min(...levels) + (isSure ? 1 : 0);
}
