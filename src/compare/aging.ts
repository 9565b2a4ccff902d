import {
  type AgedPair,
  type ArmName,
  type Block,
  type Replicate,
  requestsServed,
} from "../model/measurement/measurement.ts";
import type { Design } from "../model/plan/plan.ts";
import { type Estimate, mean, sum, variance } from "../statistics/estimate.ts";
import { aroundLog, halfWidth, halfWidthOfSample } from "../statistics/student.ts";
import { alarmRate } from "./alarm-shares.ts";
import { meanReplyMs } from "./replicate-effect.ts";

/** What pairs of servers that lived long show, head against base. */
export interface Aging {
  /** Time under load, in seconds. */
  readonly seconds: number;
  readonly cells: number;
  /** Total throughput, stalls included, once the servers were no longer young. */
  readonly effect: Estimate;
  /** The part of it that young servers had not certainly shown. */
  readonly beyond: Estimate;
  /** The kind of that part. `perhaps slower`: by the smallest effect or more, but not certainly. */
  readonly kind: "slower" | "perhaps slower" | "faster" | "none";
  readonly longestMs: Readonly<Record<ArmName, number>>;
  readonly memoryGrowth: MemoryGrowth | undefined;
  /** True when the head's memory grows by far more than the base's, and certainly so. */
  readonly isMemoryGrowing: boolean;
}

/** The unit of the interval: work that comes back every few seconds is in each of them. */
const stretchSeconds = 10;
/** Standard deviation between two fresh starts of identical code: there are one or two starts only. */
const startSpread = 0.007;
/** Degrees of freedom with which it is known: what stretches scatter has its own (Satterthwaite, Biometrics 2, 1946). */
const startDegrees = 8;

const nothing = { effect: 0, half: 0 };

/** The pairs are judged after one part each, and again if there is a second. */
const looks = 2;

/** `pairs`: number of such pairs in the report, which share its false alarms. */
export function agingOf(pair: AgedPair, design: Design, pairs: number): Aging | undefined {
  const { cells, youthSeconds, parts } = pair;
  const judged = effectOfAge(pair);
  if (judged === undefined) return undefined;
  const blocks = { base: blocksOf(parts, "base"), head: blocksOf(parts, "head") };
  const confidenceOf = (kind: "age" | "memoryGrowth") => 1 - alarmRate(kind, design) / (pairs * looks);
  const { effect, beyond } = judged(confidenceOf("age"));
  const memoryGrowth = memoryGrowthOf(pair, confidenceOf("memoryGrowth"));
  return {
    seconds:
      youthSeconds + sum([...blocks.base, ...blocks.head].map(({ seconds }) => seconds)) / startsOf(parts),
    cells: cells.length,
    effect,
    beyond,
    kind: kindOf(beyond, design.minChange),
    longestMs: { base: longestOf(blocks.base), head: longestOf(blocks.head) },
    memoryGrowth,
    isMemoryGrowing: isGrowing(memoryGrowth, pair),
  };
}

/** Both effects, each with its interval at a confidence; `undefined` with too few stretches. */
function effectOfAge({ parts, known = nothing }: AgedPair) {
  const values = parts.flatMap((part) => stretchEffects(blocksOf([part], "base"), blocksOf([part], "head")));
  if (values.length < 2) return undefined;
  const [seen, assumed] = [variance(values), (values.length / startsOf(parts)) * startSpread ** 2];
  const sample = {
    ...{ count: values.length, mean: mean(values), variance: seen + assumed },
    degrees: (seen + assumed) ** 2 / (seen ** 2 / (values.length - 1) + assumed ** 2 / startDegrees),
  };
  return (confidence: number) => {
    const half = halfWidthOfSample({ ...sample, priorDegrees: 0 }, confidence);
    return {
      effect: aroundLog(sample.mean, half),
      beyond: aroundLog(sample.mean - known.effect, Math.hypot(half, known.half)),
    };
  };
}

function blocksOf(parts: readonly Replicate[], arm: ArmName): readonly Block[] {
  return parts.flatMap(({ arms }) => arms[arm]?.blocks ?? []);
}

function startsOf(parts: readonly Replicate[]): number {
  return new Set(parts.map(({ hashSeed }) => hashSeed)).size;
}

/** Share of the smallest effect from which a second part decides: stalls may be rare. */
const suspicious = 0.5;
/** The confidence at which a slowdown seems to be there. */
const seemingConfidence = 0.9;
/** Stalls show as requests that take so many times as long as the base's longest. */
const longerInStalls = 3;

/**
 * True when a second part should decide: it is slower by as much as matters, but not certainly; or by nearly as much, and either
 * beyond its own scatter or with long requests, so that it is hardly noise.
 */
export function isAgingOpen(pair: AgedPair, design: Design): boolean {
  const aging = agingOf(pair, design, 1);
  if (aging === undefined || aging.kind === "slower") return false;
  const { beyond, kind, longestMs } = aging;
  if (kind === "perhaps slower") return true;
  const seeming = effectOfAge(pair)?.(seemingConfidence).beyond.interval;
  const isStalled = longestMs.head >= longerInStalls * longestMs.base;
  return beyond.value <= -suspicious * design.minChange && ((seeming?.high ?? 0) < 0 || isStalled);
}

/** ln(head / base) of the total throughput in each stretch, with all requests, so that stalls count. */
function stretchEffects(base: readonly Block[], head: readonly Block[]): number[] {
  const first = base[0];
  if (first === undefined) return [];
  const size = Math.max(1, Math.round(stretchSeconds / (2 * first.seconds))); // both arms share the time
  const count = Math.max(1, Math.floor(base.length / size));
  const stretch = (blocks: readonly Block[], index: number) =>
    blocks.slice(index * size, index === count - 1 ? blocks.length : (index + 1) * size);
  return Array.from(
    { length: count },
    (_, index) => rateOf(stretch(head, index)) - rateOf(stretch(base, index)),
  ).filter(Number.isFinite);
}

function rateOf(blocks: readonly Block[]): number {
  return -Math.log(meanReplyMs(blocks));
}

function kindOf({ value, interval }: Estimate, smallest: number): Aging["kind"] {
  if (interval === undefined || Math.abs(value) < smallest) return "none";
  if (interval.high < 0) return "slower";
  if (value < 0) return "perhaps slower";
  return interval.low > 0 ? "faster" : "none";
}

function longestOf(blocks: readonly Block[]): number {
  return Math.max(0, ...blocks.map(({ latencyMaxMs }) => latencyMaxMs));
}

/** How memory grew in a pair of servers that lived long, in bytes for each 1,000 requests. */
export interface MemoryGrowth {
  readonly base: number;
  readonly head: number;
  /** The head's growth beyond the base's; without an interval if memory was not read meanwhile. */
  readonly extra: Estimate;
}

/** Memory that grows by less is no news: in bytes for each 1,000 requests, and altogether. */
const leastPerThousand = 100_000;
const leastGrowth = 4e6;

/** @param confidence of the interval, between 0 and 1 */
function memoryGrowthOf(
  { parts, memoryGrowthBytes: growth, peakMemoryBytes: peaks }: AgedPair,
  confidence: number,
): MemoryGrowth | undefined {
  if (growth.base === undefined || growth.head === undefined) return undefined;
  const perThousand = (bytes: number, arm: ArmName) => {
    const requests = parts.flatMap(({ arms }) => arms[arm] ?? []).map(requestsServed);
    return (1_000 * bytes) / Math.max(1, sum(requests));
  };
  const base = perThousand(growth.base, "base");
  const head = perThousand(growth.head, "head");
  const value = head - base;
  const stepsOf = (arm: ArmName) => {
    const steps = stepsBetween(peaks?.[arm] ?? []);
    return steps.map((bytes) => perThousand(bytes * steps.length, arm)); // a step has its share of the requests
  };
  const [ofBase, ofHead] = [stepsOf("base"), stepsOf("head")];
  const half = halfWidth(
    ofHead.slice(0, ofBase.length).map((step, index) => step - (ofBase[index] ?? 0)),
    confidence,
  );
  const interval = Number.isFinite(half) ? { low: value - half, high: value + half } : undefined;
  return { base, head, extra: { value, interval } };
}

/** True when the head's memory grows by far more than the base's, and certainly so. */
function isGrowing(growth: MemoryGrowth | undefined, pair: AgedPair): boolean {
  if (growth === undefined) return false;
  const { value, interval } = growth.extra;
  return (
    value >= leastPerThousand &&
    (pair.memoryGrowthBytes.head ?? 0) >= leastGrowth &&
    (interval === undefined || interval.low > 0)
  );
}

function stepsBetween(peaks: readonly number[]): readonly number[] {
  return peaks.slice(1).map((bytes, index) => bytes - (peaks[index] ?? bytes));
}
