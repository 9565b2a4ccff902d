import type { CommentOutcome } from "./forge.ts";
import type { ReportPorts } from "./report.ts";
/** Ports of `announce`. */
export interface AnnouncePorts extends Pick<ReportPorts, "progress" | "links"> {
  comment(
    report: Parameters<ReportPorts["comment"]>[0] & {
      readonly isAnnouncement?: boolean;
      /** True when this run's announcement is withdrawn, and nothing else is touched. */
      readonly isWithdrawal?: boolean;
    },
  ): Promise<CommentOutcome>;
}
