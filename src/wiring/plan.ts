import { packPlan } from "../adapters/runner/index.ts";
import type { PlanPorts } from "../ports/run.ts";
import type { Shared } from "./shared.ts";

/** Ports of `plan`. A plan that is measured here is not shown by them: it is shown when the measurement begins. */
export function planPorts(
  { forMatrix }: Pick<PlanPorts, "forMatrix">,
  { runner, terminal }: Shared,
): PlanPorts {
  return {
    progress: forMatrix ? terminal.progress : () => undefined,
    forMatrix,
    now: () => new Date().toISOString(),
    pack: packPlan,
    setOutputs: runner.setOutputs,
  };
}
