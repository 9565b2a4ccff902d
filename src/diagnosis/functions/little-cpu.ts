import type { ArmName, Measurement } from "../../model/measurement/measurement.ts";
import { sum } from "../../statistics/estimate.ts";
import { percent } from "../../text/percent.ts";
import type { ChangeFacts } from "./change-facts.ts";

/** Share of what a request takes longer, or less long, below which CPU time is a side of it. */
const littleShare = 0.1;

/**
 * Why no function can be to blame for a change, however long one looks: CPU time per request surely did not change, or
 * by far too little. `undefined` where one may be.
 */
export function littleCpu(
  { replicates }: Pick<Measurement, "replicates">,
  { baseMs, extraMs: { interval } }: ChangeFacts["measured"],
  smallestEffect: number,
): string | undefined {
  if (interval === undefined) return undefined;
  const mostMs = Math.max(Math.abs(interval.low), Math.abs(interval.high));
  if (mostMs < smallestEffect * baseMs)
    return `CPU time per request changed by less than ${percent(smallestEffect)}, so its functions were not compared`;
  const longerMs = Math.abs(eachMs(replicates, "head") - eachMs(replicates, "base"));
  if (mostMs < littleShare * longerMs)
    return `CPU time is less than ${percent(littleShare)} of what changed for a request, so its functions were not compared`;
  return undefined;
}

/** Time of an arm between two replies, in milliseconds; `NaN` without any. */
function eachMs(replicates: Measurement["replicates"], arm: ArmName): number {
  const blocks = replicates.flatMap(({ arms }) => arms[arm]?.blocks ?? []);
  return (1_000 * sum(blocks.map(({ seconds }) => seconds))) / sum(blocks.map(({ requests }) => requests));
}
