import type { Comparison } from "../../compare/comparison.ts";
import type { CommentMode } from "../../model/choices.ts";
import { codeSpan, sentence } from "../../text/markdown.ts";
import { noBaseSentences } from "../facts/absences.ts";
import { hasCountedChanges } from "../facts/counted-changes.ts";
import { exitStatusOf, outcomeOf } from "../facts/outcome.ts";
import { isWebAddress, type Links } from "../links.ts";

/** The comment's text while a run measures. The results of an earlier run follow. */
export function renderAnnouncement(links: Links): string {
  const commit =
    links.headSha === undefined ? "This commit" : `Commit ${codeSpan(links.headSha.slice(0, 10))}`;
  const run = linkedRun(links);
  return `## Load test in progress\n\n${commit} is being measured by ${run}. Results will appear here.\n`;
}

/** Replaces the announcement of a cancelled run when nothing was measured before. */
export function renderWithdrawal(links: Links): string {
  const commit =
    links.headSha === undefined ? "this commit" : `commit ${codeSpan(links.headSha.slice(0, 10))}`;
  return `## Load test – cancelled\n\nNo results for ${commit}: ${linkedRun(links)} was cancelled before it could report.\n`;
}

/** Begins the job summary when the comment holds a newer run's results, or its announcement. */
export const supersededNote =
  "> [!NOTE]\n> Superseded: the comment on the pull request is from a newer run.\n\n";

function linkedRun({ runUrl, runLabel = "this run" }: Links): string {
  return isWebAddress(runUrl) ? `[${sentence(runLabel)}](${runUrl})` : sentence(runLabel);
}

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
      ["new", "removed"].includes(row.standing ?? "") ||
      row.moreFootprint.length > 0 ||
      row.moreInstructions !== undefined ||
      hasCountedChanges(row, comparison),
  );
  return isQuiet && !hasOthers ? "nothing changed, and `comment-mode` is on-change" : undefined;
}
