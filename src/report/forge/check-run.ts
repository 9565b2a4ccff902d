import type { Comparison } from "../../compare/comparison.ts";
import { codeSpan, sentence } from "../../text/markdown.ts";
import { visibleLine } from "../../text/visible.ts";
import { causeText } from "../causes/cause-text.ts";
import type { ReportedCauses } from "../causes/causes.ts";
import { plainText } from "../document/inline.ts";
import type { Report } from "../document/report.ts";
import { isWebAddress, type Links } from "../links.ts";
import { renderComment } from "../render/markdown/comment.ts";
import { changesSection } from "../sections/changes-section.ts";

/** A check run on a commit, as GitHub shows it next to the jobs. Branch protection can require its name. */
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

/** `failure` by the exit status; `neutral` for an allowed change or no answer, else `success`. */
export function checkRunOf(name: string, report: Report): CheckRun {
  const { outcome, exitStatus, noBase, headline } = report;
  const isDoubtful = ["slower", "inconclusive"].includes(outcome) || noBase.length > 0;
  const passed = isDoubtful ? ("neutral" as const) : ("success" as const);
  return {
    name,
    conclusion: exitStatus === 0 ? passed : "failure",
    title: plainText(headline),
    summary: renderComment(report, { marker: "", limit: longestSummary }).trimStart(),
  };
}

/** For a run that ended before anything was planned: otherwise a required check would be waited for in vain. */
export function checkRunOfNothing(name: string, links: Links): CheckRun {
  return { name, conclusion: "failure", title: "No result", summary: renderNoReport(links) };
}

/** Replaces a comment about another commit when a run ended before anything was planned. */
export function renderNoReport({ runUrl, runLabel = "this run", headSha }: Links): string {
  const commit = headSha === undefined ? "this commit" : `commit ${codeSpan(headSha.slice(0, 10))}`;
  const log = isWebAddress(runUrl) ? `[The log of ${sentence(runLabel)}](${runUrl})` : "Its log";
  return `## Load test – no result\n\nThe run for ${commit} ended before anything was measured. ${log} shows why. Any results shown here before were for an earlier commit.\n`;
}

export interface Annotation {
  /** From the repository's top; never above it. */
  readonly path: string;
  readonly line: number;
  readonly title: string;
  /** One line. */
  readonly message: string;
}

/** GitHub shows at most this many for one step. */
const mostAnnotations = 10;

/** Problems at a line of the repository, unless the base has them and the diff does not. */
export function annotationsOf(comparison: Comparison, causes: ReportedCauses): Annotation[] {
  const { explained } = changesSection(comparison, causes, { links: {}, commit: undefined });
  return causes.causes
    .flatMap((reported): Annotation[] => {
      const { path, place, cause, severity, isInDiff } = reported.finding;
      const isOld = reported.isNew === false && isInDiff !== true;
      if (path === undefined || place === undefined || severity === "note" || isOld) return [];
      const paragraph = explained.causes.get(reported.finding);
      const text = paragraph === undefined ? visibleLine(causeText(reported)) : plainText(paragraph);
      const message = text.replaceAll("`", "");
      return [{ path, line: place.line, title: `Load test: ${cause}`, message }];
    })
    .slice(0, mostAnnotations);
}
