import { arch, availableParallelism, cpus, platform, release, totalmem } from "node:os";

import type { Machine } from "../../ports/machine.ts";
import { readText } from "../process/index.ts";

/** Describes this machine and, on GitHub, the runner and its image. */
export function describeMachine(environment: NodeJS.ProcessEnv): Machine {
  return {
    cpuModel: cpus()[0]?.model.trim() || "unknown", // some ARM kernels do not say
    cores: availableParallelism(), // only those that we may use: a container can have fewer than the machine
    memoryBytes: totalmem(),
    kernel: release(),
    platform: `${platform()} ${arch()}`,
    runner: describeRunner(environment),
    node: process.versions.node,
  };
}

function describeRunner({
  RUNNER_NAME: name,
  ImageOS: image,
  ImageVersion: version,
}: NodeJS.ProcessEnv): string {
  if (!name) return "local";
  const origin = [image, version].filter((each) => each).join(" ");
  return `GitHub Actions runner "${name}"${origin && ` (${origin})`}`;
}

/**
 * Open files allowed for each process that we start. Node raised the soft limit to the hard one, and children inherit
 * it.
 */
export function openFilesLimit(): number | undefined {
  const [, limit] = /^Max open files\s+(\d+)/m.exec(readText("/proc/self/limits") ?? "") ?? [];
  return limit === undefined ? undefined : Number(limit); // "unlimited" and no procfs both mean no limit
}
