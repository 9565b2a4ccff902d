import { InputError } from "../../errors/errors.ts";
import { sum } from "../../statistics/estimate.ts";
import { plural } from "../../text/numbers.ts";
import type { Workload } from "../workload/workload.ts";
import { minutesProblem, mostMeasuringSeconds } from "./minutes.ts";
import type { Design, Plan } from "./plan.ts";

/**
 * The plan whose machines together measure for no longer than the smallest total that an app allows. Throws an
 * `InputError` when a machine's part is too short for a comparison.
 *
 * @param parts number of cells of each job, or of each app
 * @param isForMatrix the jobs run at the same time; apps are measured one after the other
 */
export function withinTotal(
  plan: Plan,
  workloads: readonly Pick<Workload, "maxTotalMinutes">[],
  { parts, isForMatrix }: { readonly parts: readonly number[]; readonly isForMatrix: boolean },
): Plan {
  const totals = workloads.flatMap(({ maxTotalMinutes }) => maxTotalMinutes ?? []);
  if (plan.design === undefined || totals.length === 0) return plan;
  const total = Math.min(...totals);
  const maxMinutes = Math.min(plan.design.maxMinutes, Math.round((1_000 * total) / parts.length) / 1_000);
  const problem = minutesProblem(Math.max(...parts), maxMinutes);
  if (problem !== undefined)
    throw new InputError([
      `max-total-minutes: ${total} leaves ${maxMinutes} to each of ${plural(parts.length, "machine")}; ${problem}`,
    ]);
  const design = { ...plan.design, maxMinutes };
  const secondsOf = (each: Design) => {
    const seconds = parts.map((cells) => mostMeasuringSeconds(cells, each));
    return isForMatrix ? Math.max(...seconds) : sum(seconds);
  };
  const { estimatedSeconds } = plan;
  if (estimatedSeconds === undefined) return { ...plan, design };
  return { ...plan, estimatedSeconds: estimatedSeconds - secondsOf(plan.design) + secondsOf(design), design };
}
