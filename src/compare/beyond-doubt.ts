import type { ArmName, Measurement } from "../model/measurement/measurement.ts";
import { mostVirtualUsers } from "../model/measurement/open-files.ts";
import { type Estimate, mean, median } from "../statistics/estimate.ts";
import { hodgesLehmann } from "../statistics/robust.ts";
import type { Gate } from "./comparison.ts";

/** How far what is not met can bend ln(head / base), at most: it reads `stretch` times the truth, and `shift` besides. */
interface Bend {
  readonly shift: number;
  readonly stretch: number;
}

/** What a cell's gates and replicates say. */
export interface Doubted {
  readonly measurement: Measurement;
  readonly gates: readonly Gate[];
  /** ln(head / base) of the throughput, one for each replicate. */
  readonly values: readonly number[];
  /** From `values`, and from the totals of all slices. */
  readonly effect: Estimate;
  readonly totals: Estimate | undefined;
}

/**
 * By how much the head is slower at least, as a share, had every gate that is not met bent the figures as far as it can;
 * `undefined` where that leaves nothing. Each of these gates treats equal arms alike, so none makes a difference more
 * likely than the level of the intervals says; what is subtracted here comes on top.
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

/** `undefined`: without limit, e.g. where other replies are compared. */
function bendOf(gate: string, measurement: Measurement, values: readonly number[]): Bend | undefined {
  switch (gate) {
    case "slices":
      return { shift: 0, stretch: overlapStretch(measurement) };
    case "stability":
      return { shift: Math.abs(mean(values) - hodgesLehmann(values)), stretch: 1 };
    case "steal":
      return { shift: stolenShift(measurement), stretch: 1 };
    case "workers": // all requests with one of them, against all of them at work
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
 * Where both arms have requests under way all the time, users gather at the slower one: of a closed network of two
 * stations with N users ln of the latencies' ratio is (N + 2) / 3 times that of the service times where they are nearly
 * equal, and less where they are not (`test/compare/beyond-doubt.test.ts`).
 */
function overlapStretch({ cell }: Measurement): number {
  return Math.max(2, (mostVirtualUsers(cell.load) + 2) / 3);
}

/** All of what was stolen from one of the arms, which have half of the time each. */
function stolenShift({ replicates }: Measurement): number {
  const stolen = median(replicates.map(({ conditions }) => conditions?.stealShare ?? 0));
  return stolen < 0.5 ? -Math.log1p(-2 * stolen) : Number.POSITIVE_INFINITY;
}

/** A k6 that is full hides a difference; it makes one only where it has more to do for one arm's replies. */
function generatorShift({ replicates }: Measurement): number | undefined {
  const bytesOf = (arm: ArmName) => median(replicates.flatMap(({ arms }) => arms[arm]?.responseBytes ?? []));
  const ratio = Math.abs(Math.log(bytesOf("head") / bytesOf("base")));
  return Number.isFinite(ratio) ? Math.max(Math.LN2, ratio) : undefined;
}
