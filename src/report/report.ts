import type { Comparison } from "../compare/comparison.ts";
import { noBaseSentences } from "../compare/standing.ts";
import { effectColumn } from "./columns/main-columns.ts";
import { joined, type Line, line, sentence } from "./document/inline.ts";
import type { Report } from "./document/report.ts";
import { certaintyOf } from "./facts/certainty.ts";
import { changesOf } from "./facts/changes.ts";
import { headline } from "./facts/headline.ts";
import { hasPlusMinus, howMeasured, plusMinusNote, warningsOf, whereMeasured } from "./facts/notes.ts";
import { exitStatusOf, outcomeOf } from "./facts/outcome.ts";
import type { Links } from "./links.ts";
import { acceptedLines } from "./sections/accepted-section.ts";
import { appSections } from "./sections/app-sections.ts";
import { casesOf } from "./sections/cases.ts";
import { cellName } from "./sections/cell-name.ts";
import { effectsChart, throughputChart } from "./sections/charts.ts";
import { sectionOf } from "./sections/section.ts";
import { sourceOf } from "./sections/source.ts";

/** Words everything that a comparison tells, once. Each format sets it in its own way. */
export function reportOf(comparison: Comparison, links: Links = {}): Report {
  const { rows } = comparison;
  const whole = sectionOf(comparison);
  return {
    headline: headline(comparison),
    outcome: outcomeOf(comparison),
    exitStatus: exitStatusOf(comparison),
    tone: whole.main.rows.some(({ tone }) => tone === "bad") ? "bad" : "plain",
    noBase: noBaseSentences(comparison).map(sentence),
    changes: changesOf(comparison).map(changesLine),
    accepted: acceptedLines(comparison),
    whole,
    apps: appSections(comparison).map(({ app, comparison: ofApp }) => ({
      app,
      headline: headline(ofApp),
      section: sectionOf(ofApp),
    })),
    warnings: warningsOf(comparison).map(sentence),
    certainty: sentence(certaintyOf(comparison)),
    plusMinus: line(hasPlusMinus(comparison) ? plusMinusNote : ""),
    measured: [howMeasured(rows), whereMeasured(rows)].map(sentence),
    source: sourceOf(comparison, links),
    effects: effectsChart(comparison),
    throughput: throughputChart(comparison),
    cases: casesOf(comparison),
  };
}

/** `Slower: /x, 1 worker (−9.8 % ± 0.6); and 2 more.` */
function changesLine({ words, rows, more }: ReturnType<typeof changesOf>[number]): Line {
  const cells = rows.map((row) => line(cellName(row), ` (${effectColumn.text(row)})`));
  const all = joined([...cells, ...(more > 0 ? [line(`and ${more} more`)] : [])], "; ");
  return line(`${words}: `, all, ".");
}
