import type { Workload } from "../workload/workload.ts";
import { minutesProblem } from "./minutes.ts";
import type { Plan } from "./plan.ts";

/** Why base and head are not compared, as a mistake in an input; `undefined` if not wanted, or if they are. */
export function notComparedBecause(
  { design, cells }: Plan,
  { comparing: { base, maxMinutes } }: Workload,
  { isForMatrix = false } = {},
): string | undefined {
  if (base.kind === "none") return base.reason;
  return design === undefined ? minutesProblem(isForMatrix ? 1 : cells.length, maxMinutes) : undefined;
}

/**
 * Reason why the head will be measured alone if the change reaches every cell: one sentence, in the form of a mistake in
 * an input; `undefined` when the minutes suffice for all, or nothing is compared anyway.
 *
 * @param cells that share the minutes
 */
export function aloneIfAllReached({ design }: Plan, cells: number): string | undefined {
  const problem = design && minutesProblem(cells, design.maxMinutes);
  return problem && `no comparison if the change reaches every cell: ${problem}`;
}

/** The head alone, with the reason in the comparison's place. */
export function withoutBase(workload: Workload, reason: string): Workload {
  return { ...workload, comparing: { ...workload.comparing, base: { kind: "none", reason } } };
}
