import type { Comparison } from "../compare/comparison.ts";
import { noBaseSentences } from "../compare/standing.ts";
import { headline } from "./headline.ts";
import type { Links } from "./links.ts";
import { renderComment } from "./markdown.ts";
import { renderNoReport } from "./no-report.ts";
import { exitStatusOf, outcomeOf } from "./outcome.ts";

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
export function checkRunOf(name: string, comparison: Comparison, links: Links): CheckRun {
  const isDoubtful =
    ["slower", "inconclusive"].includes(outcomeOf(comparison)) || noBaseSentences(comparison).length > 0;
  const passed = isDoubtful ? ("neutral" as const) : ("success" as const);
  return {
    name,
    conclusion: exitStatusOf(comparison) === 0 ? passed : "failure",
    title: headline(comparison),
    summary: renderComment(comparison, { ...links, marker: "", limit: longestSummary }).trimStart(),
  };
}

/** Of a run that ended before anything was planned: without it a check that is asked for would be waited for in vain. */
export function checkRunOfNothing(name: string, links: Links): CheckRun {
  return { name, conclusion: "failure", title: "no result", summary: renderNoReport(links) };
}
