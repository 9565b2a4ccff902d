import type { Report } from "../document/report.ts";
import type { Links } from "../links.ts";
import { renderComment } from "../render/markdown/comment.ts";
import { renderNoReport } from "./no-report.ts";

/** A check run on a commit, as GitHub shows it beside the jobs: branch protection can ask for its name. */
export interface CheckRun {
  readonly name: string;
  /** GitHub lets a `neutral` one pass, and shows that it is not a success. */
  readonly conclusion: "success" | "failure" | "neutral";
  readonly title: string;
  /** Markdown. */
  readonly summary: string;
}

/** GitHub refuses longer summaries; in characters. */
const longestSummary = 65_535;

/**
 * `failure` where the exit status says so; `neutral` where nothing fails, but a change was found that is not forbidden, or
 * there is no answer, also because nothing could be compared; else `success`.
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

/** Of a run that ended before anything was planned: without it a check that is asked for would be waited for in vain. */
export function checkRunOfNothing(name: string, links: Links): CheckRun {
  return { name, conclusion: "failure", title: "no result", summary: renderNoReport(links) };
}
