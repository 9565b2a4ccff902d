import type { CommentOutcome } from "./forge.ts";
import type { ReportPorts } from "./report.ts";
/** What `announce` needs from outside. */
export interface AnnouncePorts extends Pick<ReportPorts, "progress" | "links"> {
  comment(
    report: Parameters<ReportPorts["comment"]>[0] & {
      readonly isAnnouncement?: boolean;
      /** Whether what this run announced is taken back, and nothing else is touched. */
      readonly isWithdrawal?: boolean;
    },
  ): Promise<CommentOutcome>;
}
