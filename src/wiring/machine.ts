import { join } from "node:path";

import {
  canLayOut,
  cpuSetsOf,
  describeMachine,
  openFilesLimit,
  watchMachine,
} from "../adapters/machine/index.ts";
import type { Workload } from "../model/workload/workload.ts";
import type { MachinePorts } from "../ports/machine.ts";
import type { Shared } from "./shared.ts";

export async function machinePorts(
  { separateCpus, sameLayout }: Pick<Workload, "separateCpus" | "sameLayout">,
  workFolder: string,
  { environment, signal }: Shared,
): Promise<MachinePorts> {
  const trial = (program: string) => ({ logPath: join(workFolder, `${program}.log`), signal });
  return {
    machine: describeMachine(environment),
    cpuSets: separateCpus ? await cpuSetsOf(trial("taskset")) : undefined,
    canShareLayout: sameLayout && (await canLayOut(trial("setarch"))),
    openFilesLimit: openFilesLimit(),
    watchMachine,
  };
}
