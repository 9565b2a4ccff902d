import { announcedText, belowMarker } from "../../forge/announced.ts";
import {
  type CommentState,
  isNewer,
  isOurs,
  isRival,
  type RunState,
  renderMarker,
} from "../../forge/comment-marker.ts";
import type { Comment, CommentOutcome } from "../../ports/forge.ts";
import { failureIn, isAnswer, outcomeOf, RequestFailure, type Writer } from "./failure.ts";
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
import type { Repeats } from "./requests.ts";

/** What comments need of a forge's API. Every method rejects with `RequestFailure`. */
export interface CommentApi {
  /** Name under which the token writes; `isCertain` when the server itself names it. */
  findLogin(): Promise<{ readonly login: string; readonly isCertain: boolean }>;
  /** True when the server says that the token writes under this name; `false` also when it does not answer. */
  isLogin(login: string): Promise<boolean>;
  listComments(pullNumber: number): Promise<readonly Comment[]>;
  createComment(pullNumber: number, body: string): Promise<Comment>;
  updateComment(id: number, body: string, repeats: Repeats): Promise<void>;
  deleteComment(id: number): Promise<void>;
  pause(ms: number): Promise<void>;
}

export interface CommentRequest {
  readonly pullNumber: number;
  readonly writer: Writer;
  readonly state: CommentState;
  /** Set when another run's report is posted, which never replaces that run's own comment. */
  readonly isPosted?: boolean;
  /** True when only an existing comment is rewritten; absent means false. */
  readonly isCorrection?: boolean | undefined;
  /** True when the text only says that the run has begun, with earlier results below it; absent means false. */
  readonly isAnnouncement?: boolean | undefined;
  /** Reason to make no comment when there is none yet; absent: one is made. */
  readonly silence?: string | undefined;
  render(marker: string): string;
}

/** GitHub wants writes at least this far apart. It also gives a rival's request time to arrive. */
export const settleMs = 1_000;
const maxRounds = 8;
/** Each one is made only after a check that found none. */
const maxPosts = 4;

/** Puts a report on a pull request: one comment, even when others write at the same time. */
export async function upsertComment(api: CommentApi, request: CommentRequest): Promise<CommentOutcome> {
  const body = request.render(renderMarker(request.state));
  if (!isOurs(body, request.state.reportId)) throw new Error("the comment does not begin with its marker");
  try {
    return await converge(api, request, belowMarker(body));
  } catch (error) {
    return outcomeOf(failureIn(error), request.writer);
  }
}

/** Acts until nothing is left to do. GitHub has no conditional writes: each one is checked once more. */
async function converge(api: CommentApi, request: CommentRequest, text: string): Promise<CommentOutcome> {
  const { pullNumber, silence, isAnnouncement = false, isCorrection = false } = request;
  const state: CommentState = isAnnouncement
    ? { ...request.state, pending: { shows: undefined } }
    : request.state;
  const isReport = !isAnnouncement && !isCorrection;
  const { login, isCertain } = await api.findLogin();
  let author = login;
  // A report that did not find the announcement again would leave it standing for good.
  if (isAnnouncement && !isCertain && !(await api.isLogin(author)))
    return { kind: "none", reason: "cannot identify the token's account" };
  const written = new Set<number>();
  const posted = new Set<number>();
  const announced = new Set<number>();
  let isPostUncertain = false;
  const isPosted = (comment: OurComment) =>
    posted.has(comment.id) || (isPostUncertain && isSame(comment.state, state));

  for (let round = 1, posts = 0; round <= maxRounds; round++) {
    const ours = findOurs(await api.listComments(pullNumber), author, state.reportId);
    const newer = newestOf(ours.filter((comment) => comment.state && isNewer(comment.state, state)));
    const [oldest, ...later] = ours;
    if (isReport && oldest?.state !== undefined && isRival(oldest.state, state)) {
      for (const comment of later) if (isPosted(comment)) await remove(api, comment.id);
      return { kind: "refused", reason: rivalWords(oldest.state) };
    }
    const shown = newestShown(ours);
    if (newer !== undefined) {
      const below = isReport ? belowAnnouncement(newer, { run: request.state, text }) : undefined;
      if (below !== undefined) {
        await update(api, newer.id, below);
        await api.pause(settleMs);
        continue;
      }
      // Our own posts go, unless one is the oldest: the newer run takes that one over.
      for (const comment of later) if (isPosted(comment)) await remove(api, comment.id);
      const isShown = isReport && isSameRun(newer.state?.pending?.shows, state);
      return { kind: isShown ? "updated" : "newer", url: newer.url };
    }
    if (isCorrection && oldest === undefined)
      return { kind: "none", reason: "there is no comment from an earlier run" };
    if (isCorrection && isReportOf(oldest?.state, state.headSha) && !written.has(oldest?.id ?? 0))
      return { kind: "none", reason: "the comment already shows this commit" };
    if (oldest === undefined && silence !== undefined) return { kind: "none", reason: silence };
    const body = isAnnouncement
      ? bodyOf({ ...state, pending: { shows: shown?.run } }, announcedText(text, shown))
      : // The announced run came to nothing: the results of this very commit stand alone again.
        bodyOf(state, isCorrection && shown?.run.headSha === state.headSha ? shown.text : text);
    const isWritten = oldest !== undefined && (written.has(oldest.id) || isPosted(oldest));
    const isComplete = !isAnnouncement || isSameRun(oldest?.state?.pending?.shows, shown?.run);
    if (oldest === undefined) {
      if (posts++ === maxPosts) break;
      const created = await post(api, pullNumber, body);
      isPostUncertain ||= created === undefined;
      if (created !== undefined) {
        author = created.author; // the name of an app's token cannot be requested
        posted.add(created.id);
      }
    } else if (isSame(oldest.state, state) && isWritten && isComplete) {
      for (const { id } of later) await remove(api, id);
      const isFirst = isPosted(oldest) || announced.has(oldest.id);
      return { kind: isFirst ? "created" : "updated", url: oldest.url };
    } else if (request.isPosted && isSame(oldest.state, state)) {
      // The run may write, and has more to say than a text made of a stranger's documents.
      return { kind: "none", reason: "the run has already commented with this report" };
    } else {
      // A comment without results so far was made for these.
      if (isReport && oldest.state?.pending !== undefined && shown === undefined) announced.add(oldest.id);
      // The next round shows the outcome. A repeated write could replace a newer run's report.
      await update(api, oldest.id, body, isAnnouncement);
      written.add(oldest.id);
    }
    await api.pause(settleMs);
  }
  return { kind: "failed", reason: "another run changed or removed the comment each time it was written" };
}

function rivalWords({ job, reportId }: CommentState): string {
  return `the job ${job} of this run has already posted a report called ${reportId}; give each job its own \`report-id\``;
}

/** `undefined` when it is unknown whether there is a comment now; the next round shows. */
async function post(api: CommentApi, pullNumber: number, body: string): Promise<Comment | undefined> {
  try {
    return await api.createComment(pullNumber, body);
  } catch (error) {
    if (error instanceof RequestFailure && error.isUncertain) return undefined;
    throw error;
  }
}

/** A comment that is gone, and a fault of a request that was sent once, are left to the next round. */
async function update(api: CommentApi, id: number, body: string, isOnce = false): Promise<void> {
  try {
    await api.updateComment(id, body, isOnce ? "never" : "usual");
  } catch (error) {
    const isLost = isOnce && error instanceof RequestFailure && error.isUncertain;
    if (!isLost && !isAnswer(error, 404)) throw error;
  }
}

async function remove(api: CommentApi, id: number): Promise<void> {
  try {
    await api.deleteComment(id);
  } catch (error) {
    if (!isAnswer(error, 404)) throw error;
  }
}

/**
 * Takes back a run's announcement when nothing will come of it. Earlier results stand alone again, as those of the run
 * that measured them; without any the comment becomes `text`. Any other text is left alone, above all a successor's.
 */
export async function withdrawAnnouncement(
  api: CommentApi,
  { pullNumber, writer, state }: Pick<CommentRequest, "pullNumber" | "writer" | "state">,
  text: string,
): Promise<CommentOutcome> {
  try {
    const { login } = await api.findLogin();
    let isWritten = false;
    for (let round = 1; round <= maxRounds; round++) {
      const ours = findOurs(await api.listComments(pullNumber), login, state.reportId);
      const newest = newestOf(ours);
      if (newest === undefined || newest.state?.pending === undefined || !isSameRun(newest.state, state))
        return isWritten && newest !== undefined
          ? { kind: "updated", url: newest.url }
          : { kind: "none", reason: "this run has posted no announcement there" };
      const shown = newestShown(ours);
      const shownState = (run: RunState) => ({ reportId: state.reportId, ...run });
      const body = shown === undefined ? bodyOf(state, text) : bodyOf(shownState(shown.run), shown.text);
      await update(api, newest.id, body, true);
      isWritten = true;
      await api.pause(settleMs);
    }
    return { kind: "failed", reason: "the announcement came back each time it was removed" };
  } catch (error) {
    return outcomeOf(failureIn(error), writer);
  }
}
