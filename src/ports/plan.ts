import type { Progress } from "./progress.ts";
/** What `plan` needs from outside. */
export interface PlanPorts {
  readonly progress: Progress;
  /** Whether the plan feeds a job matrix, which has a limit. */
  readonly forMatrix: boolean;
  setOutputs(outputs: Readonly<Record<string, string>>): Promise<void>;
}
