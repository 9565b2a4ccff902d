import { longestComment } from "../report/render/markdown/comment.ts";
import { codeSpan } from "../text/markdown.ts";
import { type CommentState, type RunState, shownRun } from "./comment-marker.ts";

/** Results that a comment shows: their run, and their markdown. */
export interface Shown {
  readonly run: RunState;
  readonly text: string;
}

/** Characters left free for the marker, which is shorter. */
const roomForMarker = 2_000;
/** Characters left free for closing a cut text and for saying so. A text that was cut once fits the next time. */
const roomForClosing = 1_000;

/** Line between an announcement and earlier results. Foreign text cannot hold it: no HTML comment gets through. */
const divider = "<!-- fastapi-loadtest: earlier -->";
const dividerPattern = /\r?\n\r?\n<!-- fastapi-loadtest: earlier -->\r?\n\r?\n[^\r\n]*\r?\n\r?\n/;

export function announcedText(announcement: string, shown: Shown | undefined): string {
  if (shown === undefined) return announcement;
  const commit = `commit ${codeSpan(shown.run.headSha.slice(0, 10))}`;
  const title = `**Until then, these are the results of ${commit}:**`;
  const head = [announcement.trimEnd(), divider, title, ""].join("\n\n");
  return head + fitted(shown.text, longestComment - roomForMarker - head.length);
}

/** Whole lines up to so many characters. Everything that they opened is closed. */
function fitted(text: string, room: number): string {
  if (text.length <= room) return text;
  const end = text.lastIndexOf("\n", room - roomForClosing);
  const whole = end < 0 ? "" : text.slice(0, end);
  const fence = count(whole, /^```/gm) % 2 === 1 ? "\n```" : "";
  const open = Math.min(Math.max(count(whole, /<details/g) - count(whole, /<\/details>/g), 0), 20);
  const closed = `${whole}${fence}${"\n\n</details>".repeat(open)}`;
  return `${closed}\n\nThe rest is too long to show here; see the comment's history.\n`;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

export function shownIn(body: string, state: CommentState): Shown | undefined {
  const run = shownRun(state);
  if (run === undefined) return undefined;
  const text = belowMarker(body);
  if (state.pending === undefined) return { run, text };
  const [, shown] = splitOnce(text);
  return shown === undefined ? undefined : { run, text: shown };
}

export function announcementIn(body: string): string {
  return splitOnce(belowMarker(body))[0];
}

/** A comment's text without its hidden first line. */
export function belowMarker(body: string): string {
  return body.replace(/^[^\n]*\n?/, "");
}

function splitOnce(text: string): readonly [string, string | undefined] {
  const found = dividerPattern.exec(text);
  if (found === null) return [text, undefined];
  return [text.slice(0, found.index), text.slice(found.index + found[0].length)];
}
