import type { PlanPorts } from "../ports/plan.ts";
import type { Shared } from "./shared.ts";

/** A plan that is measured here is shown when that begins. */
export function planPorts(
  { forMatrix }: Pick<PlanPorts, "forMatrix">,
  { runner, terminal }: Shared,
): PlanPorts {
  return {
    progress: forMatrix ? terminal.progress : () => undefined,
    forMatrix,
    setOutputs: runner.setOutputs,
  };
}
