import type { ArmName, Measurement } from "../model/measurement/measurement.ts";
import { mostVirtualUsers } from "../model/plan/cell.ts";
import { type Estimate, hodgesLehmann, mean, median } from "../statistics/estimate.ts";
import type { Gate } from "./comparison.ts";

/** Largest distortion by a failed gate: ln(head / base) may read `stretch` times the truth, and `shift` besides. */
interface Bend {
  readonly shift: number;
  readonly stretch: number;
}

export interface Doubted {
  readonly measurement: Measurement;
  readonly gates: readonly Gate[];
  /** ln(head / base) of the throughput, one for each replicate. */
  readonly values: readonly number[];
  /** `effect` is from `values`, `totals` from the totals of all slices. */
  readonly effect: Estimate;
  readonly totals: Estimate | undefined;
}

/**
 * The least slowdown of the head, as a share, if every failed gate distorted the figures as far as it can; `undefined`
 * when that leaves nothing. Each of these gates treats equal arms alike, so none makes a false difference more likely
 * than the level of the intervals says. The distortion is subtracted on top of that.
 */
export function leastSlowDown({ measurement, gates, values, effect, totals }: Doubted): number | undefined {
  const failed = gates.filter(({ isMet }) => !isMet);
  const bends = failed.flatMap(({ name }) => bendOf(name, measurement, values) ?? []);
  if (bends.length < failed.length || effect.interval === undefined || totals?.interval === undefined)
    return undefined;
  const seen = -Math.log1p(Math.max(effect.interval.high, totals.interval.high));
  const left = bends.reduce((rest, { shift, stretch }) => (rest - shift) / stretch, seen);
  return left > 0 ? -Math.expm1(-left) : undefined;
}

/** `undefined` when the distortion has no limit, e.g. when different replies are compared. */
function bendOf(gate: string, measurement: Measurement, values: readonly number[]): Bend | undefined {
  switch (gate) {
    case "slices":
      return { shift: 0, stretch: overlapStretch(measurement) };
    case "stability":
      return { shift: Math.abs(mean(values) - hodgesLehmann(values)), stretch: 1 };
    case "steal":
      return { shift: stolenShift(measurement), stretch: 1 };
    case "workers": // at worst one arm used one worker, and the other all of them
      return { shift: Math.log(measurement.cell.workers), stretch: 1 };
    case "generator": {
      const shift = generatorShift(measurement);
      return shift === undefined ? undefined : { shift, stretch: 1 };
    }
    default:
      return undefined;
  }
}

/**
 * Users gather at the slower arm when both have requests under way all the time. In a closed network of two stations
 * with N users, ln of the latencies' ratio is (N + 2) / 3 times that of the service times when they are nearly equal,
 * and less when they are not (`test/compare/beyond-doubt.test.ts`).
 */
function overlapStretch({ cell }: Measurement): number {
  return Math.max(2, (mostVirtualUsers(cell.load) + 2) / 3);
}

/** The shift when all stolen time was taken from one arm; each arm has half of the time. */
function stolenShift({ replicates }: Measurement): number {
  const stolen = median(replicates.map(({ conditions }) => conditions?.stealShare ?? 0));
  return stolen < 0.5 ? -Math.log1p(-2 * stolen) : Number.POSITIVE_INFINITY;
}

/** A saturated k6 hides a difference. It makes one only when one arm's replies cost it more work. */
function generatorShift({ replicates }: Measurement): number | undefined {
  const bytesOf = (arm: ArmName) => median(replicates.flatMap(({ arms }) => arms[arm]?.responseBytes ?? []));
  const ratio = Math.abs(Math.log(bytesOf("head") / bytesOf("base")));
  return Number.isFinite(ratio) ? Math.max(Math.LN2, ratio) : undefined;
}
