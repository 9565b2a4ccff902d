import type { Forge } from "../ports/forge.ts";
import type { Shared } from "./shared.ts";

/** The forge around this run, for as long as the signal lets it. Its code is loaded when it is needed. */
export function forgeOf({ environment, runner }: Shared, signal: AbortSignal): Forge {
  const open = async () =>
    (await import("../adapters/forge/index.ts")).openForge(runner.context, environment, { signal });
  return {
    comment: async (report) => (await open()).comment(report),
    readAcceptances: async () => (await open()).readAcceptances(),
    readMergedAcceptances: async () => (await open()).readMergedAcceptances(),
    checkCommit: async (check) => (await open()).checkCommit(check),
    keepHistory: async (branch, make) => (await open()).keepHistory(branch, make),
  };
}
