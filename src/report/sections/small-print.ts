import type { Comparison } from "../../compare/comparison.ts";
import { cellLabel } from "../../model/plan/cell.ts";
import { code, joined, type Line, line, link, sentence } from "../document/inline.ts";
import type { Report } from "../document/report.ts";
import { briefCertainty } from "../facts/certainty.ts";
import { uncountedWords } from "../facts/change-words.ts";
import {
  commitOf,
  hasPlusMinus,
  howMeasured,
  plusMinusNote,
  replacedLoginWords,
  whereMeasured,
} from "../facts/notes.ts";
import { brokenWords, exitStatusOf, outcomeOf } from "../facts/outcome.ts";
import { howItWorksUrl, isWebAddress, type Links, whatToDoUrl } from "../links.ts";

/** How it was compared and how certain that is; then where to read more. */
export function smallPrintOf(comparison: Comparison, links: Links): Report["smallPrint"] {
  if (!comparison.hasVerdicts) return measuredPrint(comparison, links);
  return {
    words: [
      howToAccept(comparison, links),
      sentence(briefCertainty(comparison)),
      sentence(uncountedWords(comparison.rows)),
      sentence(replacedLoginWords(comparison.rows)),
    ].filter(isWritten),
    check: checkWords(comparison),
    links: linksLine(comparison, links),
  };
}

function measuredPrint(comparison: Comparison, links: Links): Report["smallPrint"] {
  const { rows } = comparison;
  const words = [
    ...[hasPlusMinus(comparison) ? plusMinusNote : "", howMeasured(rows), whereMeasured(rows)],
    replacedLoginWords(rows),
  ];
  return {
    words: words.map(sentence).filter(isWritten),
    check: checkWords(comparison),
    links: linksLine(comparison, links),
  };
}

/** The commit, unless the words name it; and addresses. */
function linksLine(comparison: Comparison, links: Links): Line {
  const { runUrl, artifactsAnchor = "" } = links;
  const sha = commitOf(comparison, links);
  const parts = [
    ...(sha === undefined
      ? []
      : [line(comparison.hasVerdicts ? "Pull request at " : "Commit ", code(sha.slice(0, 10)))]),
    ...(comparison.hasVerdicts ? [line(link("How this works", howItWorksUrl))] : []),
    ...(isWebAddress(runUrl) ? [line(link("Charts and data", `${runUrl}${artifactsAnchor}`))] : []),
  ];
  return joined(parts, " · ");
}

/** What the check makes of it, where a reader cannot take that for granted. */
function checkWords(comparison: Comparison): Line {
  if (exitStatusOf(comparison) !== 0) return line(link("The check failed: what to do now", whatToDoUrl));
  const isDoubtful = comparison.hasVerdicts && ["slower", "inconclusive"].includes(outcomeOf(comparison));
  return isDoubtful ? line("The check passed") : [];
}

/** For a check that fails by a slowdown. */
function howToAccept(comparison: Comparison, { isPullRequest }: Links): Line {
  const { rows } = comparison;
  // Without an app and a number of workers a line accepts the endpoint everywhere.
  const [first, ...others] = new Set(
    rows.filter((row) => row.isForbidden).map(({ cell: { app: _, ...cell } }) => cellLabel(cell)),
  );
  if (isPullRequest !== true || first === undefined || exitStatusOf(comparison) !== 1) return [];
  const words = `/loadtest accept ${first}: the reason`.replaceAll("`", "'");
  const limits =
    brokenWords(comparison) === "" ? "" : " This does not cover missed thresholds on absolute figures.";
  const each =
    others.length === 0 ? "" : `, with one line for each of the ${others.length + 1} endpoints that fail`;
  return sentence(
    `Is this expected? Someone with write access can comment \`${words}\`${each}, then re-run the failed job.${limits}`,
  );
}

function isWritten(each: Line): boolean {
  return each.length > 0;
}

/** The commit and the run, for the page. */
export function sourceOf(comparison: Comparison, links: Links): Line {
  const { runUrl, runLabel = "This run" } = links;
  const sha = commitOf(comparison, links)?.slice(0, 10);
  return joined(
    [
      ...(sha === undefined ? [] : [line("Commit ", code(sha), ".")]),
      ...(isWebAddress(runUrl) ? [line(link(runLabel, runUrl))] : []),
    ],
    " ",
  );
}
