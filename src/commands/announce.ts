import type { Announcing } from "../github/posting/announcing.ts";
import type { AnnouncePorts } from "../ports/announce.ts";
import type { CommentOutcome } from "../ports/forge.ts";
import { renderAnnouncement, renderWithdrawal } from "../report/forge/announcement.ts";
import { commentWords } from "./comment-event.ts";

/**
 * Says in the comment that this run has begun to measure, or takes it back; what an earlier one measured stays. It has
 * the token, so the action announces before anything of the pull request runs, and takes back when all of that has ended.
 */
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
          // Whether the report will get a comment of its own is not known yet.
          ...(mode !== "always" && { silence: `nothing is known yet, and \`comment-mode\` is ${mode}` }),
          render: (marker) =>
            `${marker}\n${isWithdrawal ? renderWithdrawal(links) : renderAnnouncement(links)}`,
        });
  progress({ kind: "step", text: commentWords(outcome) }); // what stands out is said of the report's comment
  return outcome;
}
