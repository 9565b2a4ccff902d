import type { Workload } from "../workload/workload.ts";
import { minutesProblem, type Plan } from "./plan.ts";

/**
 * Why base and head are not compared although somebody wanted that: one sentence, as a mistake in an input is told.
 * `undefined`: they are, or nobody did.
 */
export function notComparedBecause(
  { design, cells }: Plan,
  { comparing: { base, maxMinutes } }: Workload,
  { isForMatrix = false } = {},
): string | undefined {
  if (base.kind === "none") return base.reason;
  return design === undefined ? minutesProblem(isForMatrix ? 1 : cells.length, maxMinutes) : undefined;
}

/** The head alone, with what is said in the comparison's place. */
export function withoutBase(workload: Workload, reason: string): Workload {
  return { ...workload, comparing: { ...workload.comparing, base: { kind: "none", reason } } };
}
