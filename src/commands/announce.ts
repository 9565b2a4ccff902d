import type { Announcing } from "../forge/posting/inputs.ts";
import type { CommentOutcome } from "../ports/forge.ts";
import type { AnnouncePorts } from "../ports/report.ts";
import { renderAnnouncement, renderWithdrawal } from "../report/forge/announcement.ts";
import { commentWords } from "./forge-outcomes.ts";

/** Announces in the comment that this run measures, or withdraws that. Runs before and after foreign code. */
export async function announce(
  { reportId, mode, isWithdrawal }: Announcing,
  { progress, links, comment }: AnnouncePorts,
): Promise<CommentOutcome> {
  const outcome: CommentOutcome =
    mode === "never"
      ? { kind: "none", reason: "`comment-mode` is never, or `comment` is false" }
      : await comment({
          reportId,
          ...(isWithdrawal ? { isWithdrawal } : { isAnnouncement: true }),
          // It is not known yet whether the report will get a comment of its own.
          ...(mode !== "always" && { silence: `there is no result yet, and \`comment-mode\` is ${mode}` }),
          render: (marker) =>
            `${marker}\n${isWithdrawal ? renderWithdrawal(links) : renderAnnouncement(links)}`,
        });
  progress({ kind: "step", text: commentWords(outcome) }); // only the report warns of a refusal
  return outcome;
}
