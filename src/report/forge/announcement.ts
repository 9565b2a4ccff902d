import { codeSpan, sentence } from "../../text/markdown.ts";
import { isWebAddress, type Links } from "../links.ts";

/** The comment's text while a run measures. The results of an earlier run stand below it. */
export function renderAnnouncement(links: Links): string {
  const commit =
    links.headSha === undefined ? "This commit" : `Commit ${codeSpan(links.headSha.slice(0, 10))}`;
  const run = linkedRun(links);
  return `## Load test – being measured\n\n${commit} is being measured by ${run}. Its results will stand here.\n`;
}

/** Replaces the announcement of a cancelled run when nothing was measured before. */
export function renderWithdrawal(links: Links): string {
  const commit =
    links.headSha === undefined ? "this commit" : `commit ${codeSpan(links.headSha.slice(0, 10))}`;
  return `## Load test – cancelled\n\nNothing is known of ${commit}: ${linkedRun(links)} was cancelled before it could report.\n`;
}

/** Begins the job summary when the comment holds a newer run's results, or its announcement. */
export const supersededNote =
  "> [!NOTE]\n> Superseded: the comment on the pull request is of a newer run.\n\n";

function linkedRun({ runUrl, runLabel = "this run" }: Links): string {
  return isWebAddress(runUrl) ? `[${sentence(runLabel)}](${runUrl})` : sentence(runLabel);
}
