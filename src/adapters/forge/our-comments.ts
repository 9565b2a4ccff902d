import { announcedText, announcementIn, type Shown, shownIn } from "../../forge/announced.ts";
import {
  type CommentState,
  isLater,
  isNewer,
  parseMarker,
  type RunState,
  renderMarker,
} from "../../forge/comment-marker.ts";
import type { Comment } from "../../ports/forge.ts";

export interface OurComment extends Comment {
  /** `undefined` when the marker cannot be read. */
  readonly state: CommentState | undefined;
}

/** The report's comments, oldest first. Without any: one whose marker was damaged, which is taken over. */
export function findOurs(
  comments: readonly Comment[],
  author: string,
  reportId: string,
): readonly OurComment[] {
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

export function newestOf(comments: readonly OurComment[]): OurComment | undefined {
  return comments.reduce<OurComment | undefined>(
    (newest, each) => (newest?.state && each.state && !isNewer(each.state, newest.state) ? newest : each),
    undefined,
  );
}

export function newestShown(comments: readonly OurComment[]): Shown | undefined {
  return comments
    .flatMap(({ body, state }) => (state === undefined ? [] : (shownIn(body, state) ?? [])))
    .reduce<Shown | undefined>(
      (newest, each) => (newest && !isLater(each.run, newest.run) ? newest : each),
      undefined,
    );
}

/** The announcement of a later run with this report below it; `undefined` when that would add nothing. */
export function belowAnnouncement({ body, state }: OurComment, report: Shown): string | undefined {
  if (state?.pending === undefined) return undefined;
  const { shows } = state.pending;
  const isOlder = shows === undefined || isLater(report.run, shows);
  if (!isOlder) return undefined;
  return bodyOf({ ...state, pending: { shows: report.run } }, announcedText(announcementIn(body), report));
}

export function bodyOf(state: CommentState, text: string): string {
  return `${renderMarker(state)}\n${text}`;
}

export function isReportOf(state: CommentState | undefined, headSha: string): boolean {
  return state?.headSha === headSha && state.pending === undefined;
}

/** True for the same run with the same commit, both with their report or both only announced. */
export function isSame(one: CommentState | undefined, other: CommentState): boolean {
  const isAlike = (one?.pending === undefined) === (other.pending === undefined);
  return isAlike && isSameRun(one, other);
}

export function isSameRun(one: RunState | undefined, other: RunState | undefined): boolean {
  const isSameId = one?.runId === undefined || other?.runId === undefined || one.runId === other.runId;
  return (
    isSameId &&
    one?.runNumber === other?.runNumber &&
    one?.attempt === other?.attempt &&
    one?.headSha === other?.headSha
  );
}
