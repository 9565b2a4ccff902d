import type { Design } from "../model/plan/plan.ts";
import { type Estimate, mean } from "../statistics/estimate.ts";
import { type Bounds, boundsFor } from "../statistics/group-sequential.ts";
import { aroundLog, distanceFromZero, halfWidthAt, halfWidthLater } from "../statistics/student.ts";

/**
 * Wang and Tsiatis' shape, nearer to Pocock's than is usual: the first looks have few replicates, and Student's quantile
 * asks much of them already.
 */
const shape = 0.4;

/**
 * The bounds are made for a known deviation. With one that is estimated from the replicates, false alarms are more
 * frequent (1.09 % for 1 % where any look may end it), so a level is kept by asking for less: 0.74 % at most then,
 * over 200,000 simulated cells of each spread.
 */
const estimationFactor = 0.85;

/** A change that was found must be known this well before a cell ends: half the interval, as a share of the change. */
const foundPrecision = 0.6;
/** `unchanged` must leave no room for this share of the smallest effect, or small changes could not show. */
const unchangedPrecision = 0.4;

/** What the replicates of one cell say about its throughput. */
export interface Judged {
  /** As a relative change; the interval holds over all looks at this level. Absent with fewer than two replicates. */
  readonly effect: Estimate;
  readonly kind: "slower" | "faster" | "unchanged" | "inconclusive";
  /** Slower or faster, but by less than the smallest effect. */
  readonly isSmall: boolean;
}

/** Judges cells as one design wants it. Values are ln(head / base) of the throughput, one for each replicate. */
export interface Judge {
  /** Chance of an effect like this at one of the looks up to now, if there were no change. */
  levelOf(values: readonly number[]): number;
  /** @param level chance of a false alarm for this one cell, over all its looks */
  judge(values: readonly number[], level: number): Judged;
  /**
   * After how many replicates, at a look, the answer would not be `inconclusive` any more, if mean and spread stayed what
   * they are; `undefined` where no look is late enough.
   */
  settledAfter(values: readonly number[], level: number): number | undefined;
  /** Half the interval, on the logarithmic scale, after the last look, if the spread stayed what it is. */
  finestHalf(values: readonly number[], level: number): number;
  /** Whether more replicates could hardly say anything else. Asked at the looks only. */
  isDecided(values: readonly number[]): boolean;
}

export function makeJudge(design: Design): Judge {
  const { looks, smallestEffect, falseAlarmRate, cells } = design;
  const bounds = boundsForLooks(looks);
  const boundAt = (look: number, level: number) =>
    bounds.boundAt(look, bounds.constantFor(level * estimationFactor));
  const judge = (values: readonly number[], level: number): Judged => {
    const bound = boundAt(lookOf(values.length, looks), level);
    const effect = aroundLog(mean(values), halfWidthAt(values, bound));
    return { effect, ...classify(effect, smallestEffect) };
  };
  return {
    judge,
    finestHalf: (values, level) => {
      const last = looks.length - 1;
      return halfWidthLater(values, boundAt(last, level), looks[last] ?? values.length);
    },
    settledAfter: (values, level) =>
      looks.find((count, look) => {
        if (count <= values.length) return false;
        const half = halfWidthLater(values, boundAt(look, level), count);
        return classify(aroundLog(mean(values), half), smallestEffect).kind !== "inconclusive";
      }),
    levelOf: (values) => {
      const constant = bounds.constantAt(lookOf(values.length, looks), distanceFromZero(values));
      return Math.min(1, bounds.levelOf(constant) / estimationFactor);
    },
    isDecided: (values) => {
      // Every cell keeps to its share of the false alarms while it is measured; what others leave over is used once,
      // at the end.
      const { effect, kind } = judge(values, falseAlarmRate / cells);
      return isPrecise(effect, kind, smallestEffect);
    },
  };
}

/**
 * Holm's step-down (Scandinavian Journal of Statistics 6, 1979): the level of each cell such that all together keep the
 * false-alarm rate: the chance of any wrong slower or faster. Each cell found spares its share for the others. Intervals at
 * these levels hold each by itself, not all at once.
 *
 * @param levels of the cells that have one, in any order
 * @param cells how many the whole report has
 */
export function holmLevels(levels: readonly number[], cells: number, falseAlarmRate: number): number[] {
  const size = Math.max(cells, levels.length);
  const order = levels.map((level, index) => ({ level, index })).toSorted((a, b) => a.level - b.level);
  const result = Array<number>(levels.length).fill(0);
  let found = 0;
  for (const { level, index } of order) {
    const share = falseAlarmRate / (size - found);
    result[index] = share;
    if (level <= share) found += 1; // no later one can be, once one is not: the share stays, the levels grow
  }
  return result;
}

/** Bounds take a tenth of a second to compute, and one process has one design or a few. */
const known = new Map<string, Bounds>();

function boundsForLooks(looks: readonly number[]): Bounds {
  const key = looks.join();
  const last = looks.at(-1) ?? 1;
  const bounds =
    known.get(key) ??
    boundsFor(
      looks.map((look) => look / last),
      shape,
    );
  known.set(key, bounds);
  return bounds;
}

/** An end between two looks takes the place of the next one. */
function lookOf(replicates: number, looks: readonly number[]): number {
  const next = looks.findIndex((look) => look >= replicates);
  return next < 0 ? looks.length - 1 : next;
}

function classify({ value, interval }: Estimate, smallestEffect: number): Pick<Judged, "kind" | "isSmall"> {
  if (interval === undefined) return { kind: "inconclusive", isSmall: false };
  const isSmall = Math.abs(value) < smallestEffect;
  if (interval.high < 0) return { kind: "slower", isSmall };
  if (interval.low > 0) return { kind: "faster", isSmall };
  const isWithin = interval.low > -smallestEffect && interval.high < smallestEffect;
  return { kind: isWithin ? "unchanged" : "inconclusive", isSmall: false };
}

/** Sure is not enough to stop: more replicates must hardly be able to say anything else, or anything better. */
function isPrecise({ value, interval }: Estimate, kind: Judged["kind"], smallestEffect: number): boolean {
  if (interval === undefined || kind === "inconclusive") return false;
  const half = (interval.high - interval.low) / 2;
  if (kind !== "unchanged") return half <= Math.max(Math.abs(value) * foundPrecision, smallestEffect / 3);
  return Math.max(-interval.low, interval.high) <= smallestEffect * unchangedPrecision;
}
