import { openForge, openPosting } from "../adapters/forge/index.ts";
import { startDeadline } from "../adapters/process/index.ts";
import { linksOf } from "../forge/forges.ts";
import type { AnnouncePorts, PostPorts } from "../ports/report.ts";
import type { Shared } from "./shared.ts";

/** Time limit of an announcement: the measurement waits for it, and matters more. */
const announcingMs = 20_000;

export function announcePorts(shared: Shared): AnnouncePorts {
  const { environment, runner, signal, terminal } = shared;
  return {
    progress: terminal.progress,
    links: linksOf(runner.context),
    comment: async (report) => {
      using deadline = startDeadline({ ms: announcingMs, signal });
      return await openForge(runner.context, environment, { signal: deadline.signal }).comment(report);
    },
  };
}

export function postPorts({ environment, runner, terminal, signal }: Shared): PostPorts {
  return {
    progress: terminal.progress,
    addSummary: runner.addSummary,
    setOutputs: runner.setOutputs,
    posting: openPosting(runner.context, runner.runOfEvent, environment, { signal }),
  };
}
