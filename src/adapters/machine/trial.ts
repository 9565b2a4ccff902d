import { type Argv, runProcess } from "../process/index.ts";

export interface TrialOptions {
  /** Output of the trial. */
  readonly logPath: string;
  readonly signal: AbortSignal;
}

/** Tries a command out: true when it could be started and ends with 0. */
export async function isRunning(argv: Argv, { logPath, signal }: TrialOptions): Promise<boolean> {
  try {
    return (await runProcess({ argv, logPath }, signal)).code === 0;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
