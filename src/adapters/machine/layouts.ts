import { laidOut } from "../process/index.ts";
import { isRunning, type TrialOptions } from "./trial.ts";

/**
 * True when a seed can choose the address layout of a process. Tried out: containers may forbid it, limits may be too low,
 * and only Linux can.
 */
export async function canLayOut(options: TrialOptions): Promise<boolean> {
  const largestSeed = 2 ** 32 - 1;
  return await isRunning(laidOut(["setarch", "--version"], largestSeed), options);
}
