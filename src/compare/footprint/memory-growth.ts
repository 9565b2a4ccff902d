import { type AgedPair, type ArmName, requestsServed } from "../../model/measurement/measurement.ts";
import { type Estimate, sum } from "../../statistics/estimate.ts";
import { halfWidth } from "../../statistics/student.ts";

/** How memory grew in a pair of servers that lived long, in bytes for each 1,000 requests. */
export interface MemoryGrowth {
  readonly base: number;
  readonly head: number;
  /** Of the head beyond the base's; without an interval where memory was not read meanwhile. */
  readonly extra: Estimate;
}

/** Memory that grows by less is no news: in bytes for each 1,000 requests, and altogether. */
const leastPerThousand = 100_000;
const leastGrowth = 4e6;

/** @param confidence of the interval, between 0 and 1 */
export function memoryGrowthOf(
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

/** True when the head's memory grows by far more than the base's, and surely so. */
export function isGrowing(growth: MemoryGrowth | undefined, pair: AgedPair): boolean {
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
