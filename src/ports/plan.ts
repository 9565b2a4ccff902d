import type { Progress } from "./progress.ts";
/** Ports of `plan`. */
export interface PlanPorts {
  readonly progress: Progress;
  /** True when the plan feeds a job matrix, which has a limit. */
  readonly forMatrix: boolean;
  /** ISO 8601, UTC. */
  now(): string;
  /** The plan as it is handed to other jobs. */
  pack(text: string): string;
  setOutputs(outputs: Readonly<Record<string, string>>): Promise<void>;
}
