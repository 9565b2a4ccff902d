import { InputError } from "../../errors/errors.ts";
import { plural } from "../../text/numbers.ts";
import type { Workload } from "../workload/workload.ts";
import { minutesProblem, type Plan } from "./plan.ts";

/**
 * The plan whose machines together measure for no longer than the smallest total that an app allows. Throws an
 * `InputError` when a machine's part is too short for a comparison.
 *
 * @param machines number of jobs, or of apps that are measured one after the other
 * @param cells of one machine
 */
export function withinTotal(
  plan: Plan,
  workloads: readonly Pick<Workload, "maxTotalMinutes">[],
  { machines, cells }: { readonly machines: number; readonly cells: number },
): Plan {
  const totals = workloads.flatMap(({ maxTotalMinutes }) => maxTotalMinutes ?? []);
  if (plan.design === undefined || totals.length === 0) return plan;
  const total = Math.min(...totals);
  const maxMinutes = Math.min(plan.design.maxMinutes, Math.round((1_000 * total) / machines) / 1_000);
  const problem = minutesProblem(cells, maxMinutes);
  if (problem !== undefined)
    throw new InputError([
      `max-total-minutes: ${total} leaves ${maxMinutes} to each of ${plural(machines, "machine")}; ${problem}`,
    ]);
  return { ...plan, design: { ...plan.design, maxMinutes } };
}
