import type { Measurement } from "../model/measurement/measurement.ts";
import type { Design } from "../model/plan/plan.ts";
import { sum } from "../statistics/estimate.ts";
import { versusOf } from "./cell-comparison.ts";
import { meanLatencyMs } from "./mean-latency.ts";

/**
 * ln(head / base) of the throughput of some cells whose endpoints get requests by turns, as far as their replicates surely
 * show a change; cells in doubt count as unchanged.
 *
 * @param measurements all of the report, because they share its false alarms
 */
export function knownEffect(
  cells: readonly Measurement[],
  measurements: readonly Measurement[],
  design: Design,
): number {
  const versus = versusOf(
    measurements.filter(({ status }) => status === "measured"),
    design,
  );
  const times = cells.map((each) => {
    const { verdict, effects } = versus.get(each.cell.id) ?? {};
    const isSure = verdict?.kind === "slower" || verdict?.kind === "faster";
    const effect = isSure ? (effects?.totalThroughput ?? effects?.throughput)?.value : undefined;
    const base = meanLatencyMs(each, "base");
    return { base, head: base / (1 + (effect ?? 0)) };
  });
  const effect = Math.log(sum(times.map(({ base }) => base)) / sum(times.map(({ head }) => head)));
  return Number.isFinite(effect) ? effect : 0;
}
