import type { Design } from "../model/plan/plan.ts";
import { type Bounds, boundsFor } from "../statistics/group-sequential.ts";
import { aroundLog, distanceFromZero, halfWidthAt, type Sample } from "../statistics/student.ts";
import { cellAlarmRate } from "./alarm-shares.ts";
import { classify, isOnOneSide, isPlaced, isWithin, type Judged } from "./answer.ts";

/** Shapes of the bounds (Wang and Tsiatis), near Pocock's, because most cells end at the first looks. */
const shapes = { change: 0.45, none: 0.5 } as const;

/**
 * Factor on each level. The bounds assume a known deviation. With one that is estimated from the replicates, false
 * alarms are more frequent: 1.1% instead of 1% when any look may end a cell. With this factor they are 0.96%, over
 * 200,000 simulated cells.
 */
const estimationFactor = 0.85;

/**
 * A change that `unchanged` hides has one sign, so only one of both bounds can fail, and each may take the whole chance (two
 * one-sided tests; Schuirmann, J Pharmacokinet Biopharm 15, 1987). That is a factor of 2 for a known deviation. As it is
 * estimated, 2 would miss 1.2% instead of 1%, over 10,000 simulated cells; with this it is 0.99%.
 */
const oneSided = 1.5;

/** Judges the cells of one design. Samples are of ln(head / base), one value for each replicate. */
interface Judge {
  /** Chance of an effect like this at one of the looks up to now, if there were no change. */
  levelOf(sample: Sample): number;
  /**
   * @param level chance of a false alarm for this one cell, over all its looks; absent, here and below: the share that a cell
   * keeps to while it is measured. What others leave over is used once, at the end.
   */
  judge(sample: Sample, level?: number): Judged;
  /** The same for the totals, at a level of their own that no other cell's answer changes. */
  judgeTotals(sample: Sample): Judged;
  /** The same for CPU time. */
  judgeCpu(sample: Sample): Judged;
  /** Number of replicates from which the answer would no longer be `inconclusive`, if nothing else changed. */
  settledAfter(sample: Sample, level?: number): number | undefined;
  /** Number of replicates from which a slowdown is on one side of what fails the check; `undefined`: never. */
  placedAfter(sample: Sample, level?: number): number | undefined;
  /** Share of the false alarms that the totals of one cell have. */
  readonly totalsLevel: number;
  /** The same of its CPU time. */
  readonly cpuLevel: number;
  /** Half the interval, on the logarithmic scale, after the last look, if the spread stayed the same. */
  finestHalf(sample: Sample, level?: number): number;
}

/** @param missRate chance, over all looks, that `unchanged` hides a change of `minChange` in the typical slice */
export function makeJudge(design: Design, missRate = design.falseAlarmRate): Judge {
  const { looks, minChange } = design;
  const boundsOfChange = boundsForLooks(looks, shapes.change);
  const boundsOfNone = boundsForLooks(looks, shapes.none);
  const boundOf = (each: Bounds, look: number, level: number) =>
    each.boundAt(look, each.constantFor(level * estimationFactor));
  const boundAt = (look: number, level: number) => boundOf(boundsOfChange, look, level);
  const answer = (sample: Sample, count: number, look: number, level: number): Judged => {
    const around = (bound: number) => aroundLog(sample.mean, halfWidthAt(sample, bound, count));
    const effect = around(boundAt(look, level));
    // A change that is missed is no false alarm, so `unchanged` need not be shared out over the cells.
    const within = around(boundOf(boundsOfNone, look, Math.max(level, oneSided * missRate)));
    const found = classify(effect, minChange);
    if (found.kind === "inconclusive" && isWithin(within, minChange))
      return { effect: within, kind: "unchanged", isSmall: false };
    return { effect, ...found };
  };
  const ownLevel = cellAlarmRate("slices", design);
  const judge = (sample: Sample, level = ownLevel) =>
    answer(sample, sample.count, lookOf(sample.count, looks), level);
  const totalsLevel = cellAlarmRate("totals", design);
  const cpuLevel = cellAlarmRate("cpu", design);
  return {
    judge,
    totalsLevel,
    judgeTotals: (sample) => judge(sample, totalsLevel),
    cpuLevel,
    judgeCpu: (sample) => judge(sample, cpuLevel),
    finestHalf: (sample, level = ownLevel) => {
      const last = looks.length - 1;
      return halfWidthAt(sample, boundAt(last, level), looks[last] ?? sample.count);
    },
    settledAfter: (sample, level = ownLevel) =>
      looks.find(
        (count, look) =>
          count > sample.count &&
          sample.count >= 2 &&
          answer(sample, count, look, level).kind !== "inconclusive",
      ),
    placedAfter: (sample, level = ownLevel) => {
      if (sample.count < 2 || isOnOneSide(judge(sample, level).effect, design)) return undefined;
      const at = (count: number, look: number) => answer(sample, count, look, level).effect;
      const end = looks.findIndex((count, look) => count > sample.count && isPlaced(at(count, look), design));
      const count = looks[end];
      return count !== undefined && isOnOneSide(at(count, end), design) ? count : undefined;
    },
    levelOf: (sample) => {
      const constant = boundsOfChange.constantAt(lookOf(sample.count, looks), distanceFromZero(sample));
      return Math.min(1, boundsOfChange.levelOf(constant) / estimationFactor);
    },
  };
}

/** Levels by Holm's step-down (Scandinavian Journal of Statistics 6, 1979); `cells`: those of the report. */
export function holmLevels(levels: readonly number[], cells: number, falseAlarmRate: number): number[] {
  const size = Math.max(cells, levels.length);
  const order = levels.map((level, index) => ({ level, index })).toSorted((a, b) => a.level - b.level);
  const result = Array<number>(levels.length).fill(0);
  let found = 0;
  for (const { level, index } of order) {
    const share = falseAlarmRate / (size - found);
    result[index] = share;
    if (level <= share) found += 1; // after one that is not, none can be: the share stays, the levels grow
  }
  return result;
}

/** Kept, because bounds take a tenth of a second to compute, and one process has one design or a few. */
const known = new Map<string, Bounds>();

function boundsForLooks(looks: readonly number[], shape: number): Bounds {
  const key = `${shape} ${looks.join()}`;
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

/** Index of the look of so many replicates. A cell that ends between two looks is judged by the next one. */
function lookOf(replicates: number, looks: readonly number[]): number {
  const next = looks.findIndex((look) => look >= replicates);
  return next < 0 ? looks.length - 1 : next;
}
