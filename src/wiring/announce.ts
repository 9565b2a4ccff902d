import type { AnnouncePorts } from "../ports/announce.ts";
import { commentUntil } from "./comment.ts";
import { linksOf } from "./report.ts";
import type { Shared } from "./shared.ts";

/** The most that an announcement may take: the measurement waits for it, and is worth more. */
const announcingMs = 20_000;

export function announcePorts(shared: Shared): AnnouncePorts {
  const { runner, signal, terminal } = shared;
  return {
    progress: terminal.progress,
    links: linksOf(runner.context),
    comment: (report) =>
      commentUntil(AbortSignal.any([signal, AbortSignal.timeout(announcingMs)]), report, shared),
  };
}
