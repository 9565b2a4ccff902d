import type { ArmName, Measurement } from "../model/measurement/measurement.ts";
import { sum } from "../statistics/estimate.ts";

/** Mean time for an arm's replies, in milliseconds, over all replicates; NaN without any. */
export function meanLatencyMs({ replicates }: Pick<Measurement, "replicates">, arm: ArmName): number {
  const blocks = replicates.flatMap(({ arms }) => arms[arm]?.blocks ?? []);
  return (
    sum(blocks.map(({ latencyTotalMs }) => latencyTotalMs)) / sum(blocks.map(({ requests }) => requests))
  );
}
