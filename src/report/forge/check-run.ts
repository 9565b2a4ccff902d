import type { Report } from "../document/report.ts";
import type { Links } from "../links.ts";
import { renderComment } from "../render/markdown/comment.ts";
import { renderNoReport } from "./no-report.ts";

/** A check run on a commit, as GitHub shows it beside the jobs. Branch protection can require its name. */
export interface CheckRun {
  readonly name: string;
  /** GitHub lets a `neutral` one pass, and shows that it is no success. */
  readonly conclusion: "success" | "failure" | "neutral";
  readonly title: string;
  /** Markdown. */
  readonly summary: string;
}

/** GitHub refuses longer summaries; in characters. */
const longestSummary = 65_535;

/**
 * `failure` when the exit status says so. `neutral` when nothing fails but an allowed change was found, or when there
 * is no answer, also because nothing could be compared. Otherwise `success`.
 */
export function checkRunOf(name: string, report: Report): CheckRun {
  const { outcome, exitStatus, noBase, headline } = report;
  const isDoubtful = ["slower", "inconclusive"].includes(outcome) || noBase.length > 0;
  const passed = isDoubtful ? ("neutral" as const) : ("success" as const);
  return {
    name,
    conclusion: exitStatus === 0 ? passed : "failure",
    title: headline,
    summary: renderComment(report, { marker: "", limit: longestSummary }).trimStart(),
  };
}

/** For a run that ended before anything was planned: otherwise a required check would be waited for in vain. */
export function checkRunOfNothing(name: string, links: Links): CheckRun {
  return { name, conclusion: "failure", title: "no result", summary: renderNoReport(links) };
}
