import type { RunState } from "../../github/comment-marker.ts";
import type { CommentOutcome } from "../../ports/forge.ts";
import { type CommentRequest, maxRounds, settleMs, update } from "./comment.ts";
import type { GitHub } from "./comment-api.ts";
import { bodyOf, findOurs, isSameRun, newestOf, newestShown } from "./our-comments.ts";
import { GitHubFailure, outcomeOf } from "./request-failure.ts";

/**
 * Takes back a run's announcement when nothing will come of it. Earlier results stand alone again, as those of the run
 * that measured them; without any the comment becomes `text`. Any other text is left alone, above all a successor's.
 */
export async function withdrawAnnouncement(
  github: GitHub,
  { pullNumber, asker, state }: Pick<CommentRequest, "pullNumber" | "asker" | "state">,
  text: string,
): Promise<CommentOutcome> {
  try {
    const { login: author } = await github.findLogin();
    let isWritten = false;
    for (let round = 1; round <= maxRounds; round++) {
      const ours = findOurs(await github.listComments(pullNumber), author, state.reportId);
      const newest = newestOf(ours);
      if (newest === undefined || newest.state?.pending === undefined || !isSameRun(newest.state, state))
        return isWritten && newest !== undefined
          ? { kind: "updated", url: newest.url }
          : { kind: "none", reason: "nothing that this run has announced stands there" };
      const shown = newestShown(ours);
      const shownState = (run: RunState) => ({ reportId: state.reportId, ...run });
      const body = shown === undefined ? bodyOf(state, text) : bodyOf(shownState(shown.run), shown.text);
      await update(github, newest.id, body, true);
      isWritten = true;
      await github.pause(settleMs);
    }
    return { kind: "failed", reason: "the announcement came back each time it was taken away" };
  } catch (error) {
    if (error instanceof GitHubFailure) return outcomeOf(error, asker);
    throw error;
  }
}
