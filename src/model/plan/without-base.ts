import type { Workload } from "../workload/workload.ts";
import { minutesProblem, type Plan } from "./plan.ts";

/**
 * Reason why base and head are not compared although the user wanted that: one sentence, in the form of a mistake in an
 * input. `undefined` when they are, or when nobody wanted it.
 */
export function notComparedBecause(
  { design, cells }: Plan,
  { comparing: { base, maxMinutes } }: Workload,
  { isForMatrix = false } = {},
): string | undefined {
  if (base.kind === "none") return base.reason;
  return design === undefined ? minutesProblem(isForMatrix ? 1 : cells.length, maxMinutes) : undefined;
}

/** The head alone, with the reason in the comparison's place. */
export function withoutBase(workload: Workload, reason: string): Workload {
  return { ...workload, comparing: { ...workload.comparing, base: { kind: "none", reason } } };
}
