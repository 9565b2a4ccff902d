import type { Comparison } from "../compare/comparison.ts";
import { noBaseSentences } from "../compare/standing.ts";
import { causesOf } from "./causes/causes.ts";
import { line, sentence } from "./document/inline.ts";
import type { Report } from "./document/report.ts";
import { certaintyOf } from "./facts/certainty.ts";
import { headline, titleOf } from "./facts/headline.ts";
import { hasPlusMinus, howMeasured, plusMinusNote, warningsOf, whereMeasured } from "./facts/notes.ts";
import { exitStatusOf, outcomeOf } from "./facts/outcome.ts";
import type { Links } from "./links.ts";
import { acceptedLines } from "./sections/accepted-section.ts";
import { appSections } from "./sections/app-sections.ts";
import { casesOf } from "./sections/cases.ts";
import { changesSection } from "./sections/changes-section.ts";
import { effectsChart, throughputChart } from "./sections/charts.ts";
import { sectionOf } from "./sections/section.ts";
import { smallPrintOf } from "./sections/small-print.ts";
import { sourceOf } from "./sections/source.ts";

/** Words everything that a comparison tells, once. Each format sets it in its own way. */
export function reportOf(comparison: Comparison, links: Links = {}): Report {
  const { rows, commits } = comparison;
  const sources = { links, commit: commits.head };
  const { paragraphs, told } = changesSection(comparison, causesOf(comparison), sources);
  const whole = sectionOf(comparison, sources, told);
  return {
    headline: headline(comparison),
    title: titleOf(comparison),
    outcome: outcomeOf(comparison),
    exitStatus: exitStatusOf(comparison),
    tone: whole.main.rows.some(({ tone }) => tone === "bad") ? "bad" : "plain",
    noBase: noBaseSentences(comparison).map(sentence),
    changes: paragraphs,
    accepted: acceptedLines(comparison),
    whole,
    apps: appSections(comparison).map(({ app, comparison: ofApp }) => ({
      app,
      headline: headline(ofApp),
      section: sectionOf(ofApp, sources, told),
    })),
    warnings: warningsOf(comparison).map(sentence),
    smallPrint: smallPrintOf(comparison, links),
    certainty: sentence(certaintyOf(comparison)),
    plusMinus: line(hasPlusMinus(comparison) ? plusMinusNote : ""),
    measured: [howMeasured(rows), whereMeasured(rows)].map(sentence),
    source: sourceOf(comparison, links),
    effects: effectsChart(comparison),
    throughput: throughputChart(comparison),
    cases: casesOf(comparison),
  };
}
