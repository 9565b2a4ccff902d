import { type CommentState, isNewer, isOurs, parseMarker, renderMarker } from "../core/run/comment-marker.ts";
import type { Comment, CommentOutcome } from "../ports.ts";
import { type GitHub, isAnswer } from "./github.ts";
import { GitHubFailure, outcomeOf } from "./github-failure.ts";

export interface CommentRequest {
  readonly pullNumber: number;
  /** The token of a pull request from a fork cannot write: it decides which remedy is named. */
  readonly isFork: boolean;
  /** The report that the comment shows, and the run that it comes from. */
  readonly state: CommentState;
  /** Makes the comment's text, with the marker as its first line. */
  render(marker: string): string;
}

/** GitHub wants writes at least this far apart; besides it gives a rival's request under way time to arrive. */
const settleMs = 1_000;
const maxRounds = 8;
const maxPosts = 2;

/** Puts a report on a pull request: one comment, the newest run's, whoever else writes at the same time. */
export async function upsertComment(github: GitHub, request: CommentRequest): Promise<CommentOutcome> {
  const body = request.render(renderMarker(request.state));
  if (!isOurs(body, request.state.reportId)) throw new Error("the comment does not begin with its marker");
  try {
    return await converge(github, request, body);
  } catch (error) {
    if (error instanceof GitHubFailure) return outcomeOf(error, request.isFork);
    throw error;
  }
}

/**
 * Looks, does one thing, and looks again until there is nothing left to do. GitHub has no conditional writes, so a
 * comment counts as written only after it was seen unchanged once more.
 */
async function converge(github: GitHub, request: CommentRequest, body: string): Promise<CommentOutcome> {
  const { pullNumber, state } = request;
  let author = await github.findLogin();
  const written = new Set<number>();
  const posted = new Set<number>();
  let isPostUncertain = false;
  const isPosted = (comment: OurComment) =>
    posted.has(comment.id) || (isPostUncertain && isSame(comment.state, state));

  for (let round = 1, posts = 0; round <= maxRounds; round++) {
    const ours = findOurs(await github.listComments(pullNumber), author, state.reportId);
    const newer = ours.find((comment) => comment.state !== undefined && isNewer(comment.state, state));
    const [kept, ...later] = ours;
    if (newer !== undefined) {
      // What we posted goes, unless it is the oldest: that one the newer run takes over.
      for (const comment of later) if (isPosted(comment)) await github.deleteComment(comment.id);
      return { kind: "newer", url: newer.url };
    }
    if (kept === undefined) {
      if (posts++ === maxPosts) break;
      const created = await post(github, pullNumber, body);
      isPostUncertain ||= created === undefined;
      if (created !== undefined) {
        author = created.author; // an app's token has a name that cannot be asked for
        posted.add(created.id);
      }
    } else if (isSame(kept.state, state) && (written.has(kept.id) || isPosted(kept))) {
      for (const { id } of later) await github.deleteComment(id);
      return { kind: isPosted(kept) ? "created" : "updated", url: kept.url };
    } else {
      await update(github, kept.id, body);
      written.add(kept.id);
    }
    await github.pause(settleMs);
  }
  return { kind: "failed", reason: "the comment was changed or removed again each time it was written" };
}

interface OurComment extends Comment {
  /** `undefined` when the marker cannot be read. */
  readonly state: CommentState | undefined;
}

/** The report's comments, oldest first. Failing that, one whose marker was spoilt: it is taken over. */
function findOurs(comments: readonly Comment[], author: string, reportId: string): readonly OurComment[] {
  const own = comments
    .filter((comment) => comment.author === author)
    .map((comment) => ({ comment, marker: parseMarker(comment.body) }));
  const readable = own.flatMap(({ comment, marker }) =>
    marker !== undefined && marker !== "unknown" && marker.reportId === reportId
      ? [{ ...comment, state: marker }]
      : [],
  );
  if (readable.length > 0) return readable;
  const spoilt = own.find(({ marker }) => marker === "unknown");
  return spoilt === undefined ? [] : [{ ...spoilt.comment, state: undefined }];
}

/** `undefined` when it is not known whether there is a comment now; the next look tells. */
async function post(github: GitHub, pullNumber: number, body: string): Promise<Comment | undefined> {
  try {
    return await github.createComment(pullNumber, body);
  } catch (error) {
    if (error instanceof GitHubFailure && error.isUncertain) return undefined;
    throw error;
  }
}

/** A comment that is gone meanwhile is no failure: the next look finds none, and a new one is made. */
async function update(github: GitHub, id: number, body: string): Promise<void> {
  try {
    await github.updateComment(id, body);
  } catch (error) {
    if (!isAnswer(error, 404)) throw error;
  }
}

function isSame(one: CommentState | undefined, other: CommentState): boolean {
  return one?.runNumber === other.runNumber && one.attempt === other.attempt && one.headSha === other.headSha;
}
