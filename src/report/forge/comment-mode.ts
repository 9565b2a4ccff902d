import type { Comparison } from "../../compare/comparison.ts";
import { moreFootprint } from "../../compare/footprint/more-footprint.ts";
import { noBaseSentences, standingOf } from "../../compare/standing.ts";
import type { CommentMode } from "../../model/choices.ts";
import { hasCountedChanges } from "../facts/counted-changes.ts";
import { exitStatusOf, outcomeOf } from "../facts/outcome.ts";

/** The reason why a report gets no new comment, in a few words; `undefined` when it gets one. */
export function reasonForSilence(mode: CommentMode, comparison: Comparison): string | undefined {
  if (mode === "never") return "`comment-mode` is never, or `comment` is false";
  if (mode === "always" || exitStatusOf(comparison) !== 0) return undefined;
  if (mode === "on-failure") return "nothing failed, and `comment-mode` is on-failure";
  const isQuiet =
    ["unchanged", "not reached", "complete"].includes(outcomeOf(comparison)) &&
    noBaseSentences(comparison).length === 0;
  const hasOthers = comparison.rows.some(
    (row) =>
      ["new", "removed"].includes(standingOf(row) ?? "") ||
      moreFootprint(row).length > 0 ||
      hasCountedChanges(row, comparison),
  );
  return isQuiet && !hasOthers ? "nothing changed, and `comment-mode` is on-change" : undefined;
}
