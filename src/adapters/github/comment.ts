import { announcedText, belowMarker } from "../../github/announced.ts";
import { type CommentState, isNewer, isOurs, isRival, renderMarker } from "../../github/comment-marker.ts";
import type { Comment, CommentOutcome } from "../../ports/forge.ts";
import { type GitHub, isAnswer } from "./comment-api.ts";
import {
  belowAnnouncement,
  bodyOf,
  findOurs,
  isReportOf,
  isSame,
  isSameRun,
  newestOf,
  newestShown,
  type OurComment,
} from "./our-comments.ts";
import { type Asker, GitHubFailure, outcomeOf } from "./request-failure.ts";

export interface CommentRequest {
  readonly pullNumber: number;
  /** Decides which remedy is named. */
  readonly asker: Asker;
  /** The report that the comment shows, and the run that it comes from. */
  readonly state: CommentState;
  /** True when only an existing comment is rewritten; absent means false. */
  readonly isCorrection?: boolean;
  /** True when the text only says that the run has begun, with earlier results below it; absent means false. */
  readonly isAnnouncement?: boolean;
  /** Reason to make no comment when there is none yet; absent: one is made. */
  readonly silence?: string;
  /** Makes the comment's text, with the marker as its first line. */
  render(marker: string): string;
}

/** GitHub wants writes at least this far apart. It also gives a rival's request time to arrive. */
export const settleMs = 1_000;
export const maxRounds = 8;
/** Each one is made only after a look that found none. */
const maxPosts = 4;

/**
 * Puts a report on a pull request: one comment with the newest run's report, even when others write at the same time.
 */
export async function upsertComment(github: GitHub, request: CommentRequest): Promise<CommentOutcome> {
  const body = request.render(renderMarker(request.state));
  if (!isOurs(body, request.state.reportId)) throw new Error("the comment does not begin with its marker");
  try {
    return await converge(github, request, belowMarker(body));
  } catch (error) {
    if (error instanceof GitHubFailure) return outcomeOf(error, request.asker);
    throw error;
  }
}

/**
 * Looks, does one thing, and looks again until there is nothing left to do. GitHub has no conditional writes, so a
 * comment counts as written only after it was seen unchanged once more.
 */
async function converge(github: GitHub, request: CommentRequest, text: string): Promise<CommentOutcome> {
  const { pullNumber, silence, isAnnouncement = false, isCorrection = false } = request;
  const state: CommentState = isAnnouncement
    ? { ...request.state, pending: { shows: undefined } }
    : request.state;
  const isReport = !isAnnouncement && !isCorrection;
  const { login, isCertain } = await github.findLogin();
  let author = login;
  // A report that did not find the announcement again would leave it standing for good.
  if (isAnnouncement && !isCertain && !(await github.isLogin(author)))
    return { kind: "none", reason: "whose comments the token writes cannot be told beforehand" };
  const written = new Set<number>();
  const posted = new Set<number>();
  const announced = new Set<number>();
  let isPostUncertain = false;
  const isPosted = (comment: OurComment) =>
    posted.has(comment.id) || (isPostUncertain && isSame(comment.state, state));

  for (let round = 1, posts = 0; round <= maxRounds; round++) {
    const ours = findOurs(await github.listComments(pullNumber), author, state.reportId);
    const newer = newestOf(ours.filter((comment) => comment.state && isNewer(comment.state, state)));
    const [kept, ...later] = ours;
    if (isReport && kept?.state !== undefined && isRival(kept.state, state)) {
      for (const comment of later) if (isPosted(comment)) await github.deleteComment(comment.id);
      return { kind: "refused", reason: rivalWords(kept.state) };
    }
    const shown = newestShown(ours);
    if (newer !== undefined) {
      const below = isReport ? belowAnnouncement(newer, { run: request.state, text }) : undefined;
      if (below !== undefined) {
        await update(github, newer.id, below);
        await github.pause(settleMs);
        continue;
      }
      // Our own posts go, unless one is the oldest: the newer run takes that one over.
      for (const comment of later) if (isPosted(comment)) await github.deleteComment(comment.id);
      const isShown = isReport && isSameRun(newer.state?.pending?.shows, state);
      return { kind: isShown ? "updated" : "newer", url: newer.url };
    }
    if (isCorrection && kept === undefined)
      return { kind: "none", reason: "there is no comment of an earlier run" };
    if (isCorrection && isReportOf(kept?.state, state.headSha) && !written.has(kept?.id ?? 0))
      return { kind: "none", reason: "the comment is of this commit already" };
    if (kept === undefined && silence !== undefined) return { kind: "none", reason: silence };
    const body = isAnnouncement
      ? bodyOf({ ...state, pending: { shows: shown?.run } }, announcedText(text, shown))
      : // The announced run came to nothing: the results of this very commit stand alone again.
        bodyOf(state, isCorrection && shown?.run.headSha === state.headSha ? shown.text : text);
    const isWritten = kept !== undefined && (written.has(kept.id) || isPosted(kept));
    const isComplete = !isAnnouncement || isSameRun(kept?.state?.pending?.shows, shown?.run);
    if (kept === undefined) {
      if (posts++ === maxPosts) break;
      const created = await post(github, pullNumber, body);
      isPostUncertain ||= created === undefined;
      if (created !== undefined) {
        author = created.author; // the name of an app's token cannot be asked for
        posted.add(created.id);
      }
    } else if (isSame(kept.state, state) && isWritten && isComplete) {
      for (const { id } of later) await github.deleteComment(id);
      const isFirst = isPosted(kept) || announced.has(kept.id);
      return { kind: isFirst ? "created" : "updated", url: kept.url };
    } else if (request.asker === "poster" && isSame(kept.state, state)) {
      // The run may write, and has more to say than a text made of a stranger's documents.
      return { kind: "none", reason: "the run has commented this report itself" };
    } else {
      // A comment without results so far was made for these.
      if (isReport && kept.state?.pending !== undefined && shown === undefined) announced.add(kept.id);
      // The next look tells the outcome. A repeated write could replace a newer run's report.
      await update(github, kept.id, body, isAnnouncement);
      written.add(kept.id);
    }
    await github.pause(settleMs);
  }
  return { kind: "failed", reason: "the comment was changed or removed again each time it was written" };
}

function rivalWords({ job, reportId }: CommentState): string {
  return `the job ${job} of this run has commented a report that is called ${reportId}, too; give each job a \`report-id\` of its own`;
}

/** `undefined` when it is unknown whether there is a comment now; the next look tells. */
async function post(github: GitHub, pullNumber: number, body: string): Promise<Comment | undefined> {
  try {
    return await github.createComment(pullNumber, body);
  } catch (error) {
    if (error instanceof GitHubFailure && error.isUncertain) return undefined;
    throw error;
  }
}

/**
 * A comment that is gone is no failure: the next look finds none, and a new one is made. Neither is a fault when the
 * request was sent only once: the next look decides about another write.
 */
export async function update(github: GitHub, id: number, body: string, isOnce = false): Promise<void> {
  try {
    await github.updateComment(id, body, isOnce);
  } catch (error) {
    const isLost = isOnce && error instanceof GitHubFailure && error.isUncertain;
    if (!isLost && !isAnswer(error, 404)) throw error;
  }
}
