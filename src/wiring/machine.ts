import { join } from "node:path";

import { cpuSetsOf, describeMachine, openFilesLimit, watchMachine } from "../adapters/machine/index.ts";
import type { MachinePorts } from "../ports/machine.ts";
import type { Shared } from "./shared.ts";

export async function machinePorts(
  separateCpus: boolean,
  workFolder: string,
  { environment, signal }: Shared,
): Promise<MachinePorts> {
  return {
    machine: describeMachine(environment),
    cpuSets: separateCpus ? await cpuSetsOf({ logPath: join(workFolder, "taskset.log"), signal }) : undefined,
    openFilesLimit: openFilesLimit(),
    watchMachine,
  };
}
