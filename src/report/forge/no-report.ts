import { codeSpan, sentence } from "../../text/markdown.ts";
import { isWebAddress, type Links } from "../links.ts";

/**
 * Replaces the comment when a run ended before anything was planned. The old text is about another commit, and nobody
 * should take it for this one's.
 */
export function renderNoReport({ runUrl, runLabel = "this run", headSha }: Links): string {
  const commit = headSha === undefined ? "this commit" : `commit ${codeSpan(headSha.slice(0, 10))}`;
  const log = isWebAddress(runUrl)
    ? `the log of [${sentence(runLabel)}](${runUrl}) says why`
    : "its log says why";
  return `## Load test – no result\n\nThe run of ${commit} ended before anything was measured; ${log}. Any results that stood here before were of an earlier commit.\n`;
}
