import type { CommentOutcome } from "../ports/forge.ts";
import type { ProgressEvent } from "../ports/progress.ts";

/** The event of a comment while a command runs: a warning when it was refused. */
export function commentEvent(outcome: CommentOutcome): ProgressEvent {
  const isRefused = "reason" in outcome && outcome.kind !== "none";
  return { kind: isRefused ? "warning" : "step", text: commentWords(outcome) };
}

/** The outcome of a comment, in words. */
export function commentWords(outcome: CommentOutcome): string {
  switch (outcome.kind) {
    case "created":
    case "updated":
      return `comment ${outcome.kind}: ${outcome.url}`;
    case "newer":
      return `a newer run has already commented: ${outcome.url}`;
    default:
      return `no comment: ${outcome.reason}`;
  }
}
