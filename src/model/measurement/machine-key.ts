import type { Environment } from "./environment.ts";

/** Equal for cells that were measured on one machine, or on indistinguishable machines. */
export function machineKey(environment: Environment): string {
  const { cpuModel, cores, memoryBytes, kernel, platform, runner } = environment;
  return JSON.stringify([cpuModel, cores, memoryBytes, kernel, platform, runner]);
}

/**
 * Equal for machines that are alike: hosted runners of one kind, which differ in name, kernel and a few KiB of memory
 * from job to job. Memory counts in whole GiB, and the runner by its image without the version.
 */
export function kindOfMachine({ cpuModel, cores, memoryBytes, platform, runner }: Environment): string {
  const [, image = ""] = /\((\S+)[^()]*\)$/.exec(runner) ?? [];
  return JSON.stringify([cpuModel, cores, Math.round(memoryBytes / 2 ** 30), platform, image]);
}
