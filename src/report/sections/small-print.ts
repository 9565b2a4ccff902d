import type { Comparison } from "../../compare/comparison.ts";
import { cellLabel } from "../../model/plan/cell.ts";
import { code, data, joined, type Line, line, link, sentence } from "../document/inline.ts";
import type { Report } from "../document/report.ts";
import { briefCertainty } from "../facts/certainty.ts";
import { commitOf, hasPlusMinus, howMeasured, plusMinusNote, whereMeasured } from "../facts/notes.ts";
import { exitStatusOf } from "../facts/outcome.ts";
import { howItWorksUrl, isWebAddress, type Links, whatToDoUrl } from "../links.ts";

/** How it was compared and how sure that is; then where more stands. */
export function smallPrintOf(comparison: Comparison, links: Links): Report["smallPrint"] {
  if (!comparison.hasVerdicts) return measuredPrint(comparison, links);
  return {
    words: [sentence(briefCertainty(comparison)), howToAccept(comparison, links)].filter(isSaid),
    links: linksLine(comparison, links),
  };
}

function measuredPrint(comparison: Comparison, links: Links): Report["smallPrint"] {
  const { rows } = comparison;
  const words = [howMeasured(rows), whereMeasured(rows)].map(sentence);
  return {
    words: [line(hasPlusMinus(comparison) ? plusMinusNote : ""), ...words].filter(isSaid),
    links: sourceOf(comparison, links).comment,
  };
}

/** The commit of the report, where another one was measured; and addresses. */
function linksLine(comparison: Comparison, links: Links): Line {
  const { runUrl } = links;
  const sha = commitOf(comparison, links);
  const parts = [
    ...(sha === undefined ? [] : [line("Commit ", code(sha.slice(0, 10)))]),
    ...(exitStatusOf(comparison) === 0 ? [] : [line(link("What to do now", whatToDoUrl))]),
    line(link("How this works", howItWorksUrl)),
    ...(isWebAddress(runUrl) ? [line(link("Charts and data", runUrl))] : []),
  ];
  return joined(parts, " · ");
}

/** For a check that fails by a slow-down alone. */
function howToAccept(comparison: Comparison, { isPullRequest }: Links): Line {
  const { rows } = comparison;
  const failing = rows.find((row) => row.isForbidden);
  if (isPullRequest !== true || failing === undefined || exitStatusOf(comparison) !== 1) return [];
  const { app: _, ...cell } = failing.cell;
  const words = `/loadtest accept ${cellLabel(cell)}: the reason`.replaceAll("`", "'");
  return sentence(`Known and wanted? A member comments \`${words}\` and runs the failed job again.`);
}

function isSaid(each: Line): boolean {
  return each.length > 0;
}

/** The subject of the report, and where it comes from. */
export function sourceOf(comparison: Comparison, links: Links): Report["source"] {
  const { runUrl, runLabel } = links;
  const sha = commitOf(comparison, links)?.slice(0, 10);
  const commit = sha === undefined ? [] : [line("Commit ", code(sha))];
  const run = isWebAddress(runUrl)
    ? [
        line(
          link(runLabel ?? "this run", runUrl),
          ", whose artifacts have the page with charts (",
          data("report.html"),
          ") and all data",
        ),
      ]
    : [];
  const all = joined([...commit, ...run], ", ");
  const page = isWebAddress(runUrl) ? [line(link(runLabel ?? "This run", runUrl))] : [];
  return {
    comment: all.length === 0 ? [] : line(all, "."),
    page: joined([...commit.map((each) => line(each, ".")), ...page], " "),
  };
}
