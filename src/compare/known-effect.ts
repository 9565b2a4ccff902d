import type { AgedPair, Measurement } from "../model/measurement/measurement.ts";
import type { Design } from "../model/plan/plan.ts";
import { sum } from "../statistics/estimate.ts";
import { versusOf } from "./cell-comparison.ts";
import type { Effect, Versus } from "./comparison.ts";
import { meanLatencyMs } from "./mean-latency.ts";

/**
 * ln(head / base) of the throughput of some cells whose endpoints get requests by turns, as far as their replicates surely
 * show a change, with half of its interval; `undefined` where none does. Cells in doubt count as unchanged.
 *
 * @param measurements all of the report, because they share its false alarms
 */
export function knownEffect(
  cells: readonly Measurement[],
  measurements: readonly Measurement[],
  design: Design,
): AgedPair["known"] {
  const measured = measurements.filter(({ status }) => status === "measured");
  const versus = versusOf(measured, design);
  const times = cells.map((each) => {
    const { low, high } = sureInterval(versus.get(each.cell.id));
    const base = meanLatencyMs(each, "base");
    return { base, head: base / Math.exp((low + high) / 2), half: (high - low) / 2 };
  });
  const head = sum(times.map((each) => each.head));
  const effect = Math.log(sum(times.map(({ base }) => base)) / head);
  const half = Math.hypot(...times.map((each) => (each.half * each.head) / head));
  return Number.isFinite(effect) && effect !== 0 ? { effect, half } : undefined;
}

/** As logarithms; 0 where nothing is sure. */
function sureInterval(versus: Versus | undefined): NonNullable<Effect["interval"]> {
  const isSure = versus?.verdict.kind === "slower" || versus?.verdict.kind === "faster";
  const { interval } = versus?.effects.totalThroughput ?? versus?.effects.throughput ?? {};
  if (!isSure || interval === undefined || interval.low <= -1) return { low: 0, high: 0 };
  return { low: Math.log1p(interval.low), high: Math.log1p(interval.high) };
}
