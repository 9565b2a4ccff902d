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
  const { cells, youthSeconds, parts, known = nothing } = pair;
  const blocksOf = ({ arms }: Replicate, arm: ArmName) => arms[arm]?.blocks ?? [];
  const blocks = {
    base: parts.flatMap((part) => blocksOf(part, "base")),
    head: parts.flatMap((part) => blocksOf(part, "head")),
  };
  const values = parts.flatMap((part) => stretchEffects(blocksOf(part, "base"), blocksOf(part, "head")));
  if (values.length < 2) return undefined;
  const starts = new Set(parts.map(({ hashSeed }) => hashSeed)).size;
  const [seen, assumed] = [variance(values), (values.length / starts) * startSpread ** 2];
  const sample = {
    ...{ count: values.length, mean: mean(values), variance: seen + assumed },
    degrees: (seen + assumed) ** 2 / (seen ** 2 / (values.length - 1) + assumed ** 2 / startDegrees),
  };
  const confidenceOf = (kind: "age" | "memoryGrowth") => 1 - alarmRate(kind, design) / (pairs * looks);
  const half = halfWidthOfSample({ ...sample, priorDegrees: 0 }, confidenceOf("age"));
  const effect = aroundLog(sample.mean, half);
  const beyond = aroundLog(sample.mean - known.effect, Math.hypot(half, known.half));
  const memoryGrowth = memoryGrowthOf(pair, confidenceOf("memoryGrowth"));
  return {
    seconds: youthSeconds + sum([...blocks.base, ...blocks.head].map(({ seconds }) => seconds)) / starts,
    cells: cells.length,
    effect,
    beyond,
    kind: kindOf(beyond, design.minChange),
    longestMs: { base: longestOf(blocks.base), head: longestOf(blocks.head) },
    memoryGrowth,
    isMemoryGrowing: isGrowing(memoryGrowth, pair),
  };
}

/** Share of the smallest effect from which a second part decides: stalls may be rare. */
const suspicious = 0.5;

/** True when a second part should decide: it seems slower, by nearly as much as matters, but not certainly. */
export function isAgingOpen(pair: AgedPair, design: Design): boolean {
  const aging = agingOf(pair, design, 1);
  if (aging === undefined || aging.kind === "slower") return false;
  return aging.beyond.value <= -suspicious * design.minChange;
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
