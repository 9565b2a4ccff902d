import type { Comparison, Row } from "../compare/comparison.ts";
import { groupBy } from "../lists/group.ts";
import { mostApps } from "../model/plan/apps-plan.ts";
import { cellLabel } from "../model/plan/cell.ts";
import { plural } from "../text/numbers.ts";
import { percent } from "../text/percent.ts";
import { causesOf } from "./causes/causes.ts";
import { effectColumn } from "./columns/column-choice.ts";
import { data, type Line, line, link, sentence } from "./document/inline.ts";
import type { Report, TestCase } from "./document/report.ts";
import { noBaseSentences } from "./facts/absences.ts";
import { certaintyOf } from "./facts/certainty.ts";
import { standingWords, verdictWords } from "./facts/change-words.ts";
import { headline, titleOf } from "./facts/headline.ts";
import {
  hasPlusMinus,
  howMeasured,
  plusMinusNote,
  type RowsByApp,
  warningsOf,
  whereMeasured,
} from "./facts/notes.ts";
import { acceptedRows, exitStatusOf, outcomeOf } from "./facts/outcome.ts";
import { isRemarkAddress, type Links } from "./links.ts";
import { changesSection } from "./sections/changes-section.ts";
import { cellName } from "./sections/failures-section.ts";
import { sectionOf } from "./sections/section.ts";
import { smallPrintOf, sourceOf } from "./sections/small-print.ts";

/** Words everything that a comparison shows, once. Each format sets it in its own way. */
export function reportOf(comparison: Comparison, links: Links = {}, causes = causesOf(comparison)): Report {
  const { rows, commits } = comparison;
  const sources = { links, commit: commits.head };
  const apps = groupBy(rows, ({ cell }) => cell.app);
  const { paragraphs, explained } = changesSection(comparison, causes, sources);
  const whole = sectionOf(comparison, causes, sources, explained);
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
    apps: appSections(comparison, apps).map(({ app, comparison: ofApp }) => ({
      app,
      headline: headline(ofApp),
      section: sectionOf(ofApp, causesOf(ofApp), sources, explained),
    })),
    warnings: warningsOf(comparison, apps).map(sentence),
    smallPrint: smallPrintOf(comparison, links),
    certainty: sentence(certaintyOf(comparison)),
    plusMinus: line(hasPlusMinus(comparison) ? plusMinusNote : ""),
    measured: [howMeasured(rows), whereMeasured(rows)].map(sentence),
    source: sourceOf(comparison, links),
    cases: casesOf(comparison),
  };
}

interface AppRows {
  /** Only letters, digits, `_`, `.`, `-` and `/`. */
  readonly app: string;
  readonly comparison: Comparison;
}

/** A report in parts, one for each app in order; empty when nobody named one, or for too many. */
function appSections(comparison: Comparison, apps: RowsByApp): readonly AppRows[] {
  if (apps.size > mostApps || apps.has(undefined)) return [];
  return [...apps].map(([app = "", rows]) => ({
    app,
    comparison: {
      ...comparison,
      rows: rows.map(withoutApp),
      hasVerdicts: rows.some(({ isCompared }) => isCompared),
      thresholds: comparison.thresholds
        .filter((threshold) => threshold.app === app)
        .map((threshold) => ({ ...threshold, app: undefined })),
    },
  }));
}

function withoutApp({ cell: { app: _, ...cell }, ...row }: Row): Row {
  return { ...row, cell };
}

/** Who accepts which slowdown, and why; nothing where nobody does. */
function acceptedLines(comparison: Comparison): readonly Line[] {
  return acceptedRows(comparison).map(({ row, acceptance: { by, reason, url } }) => {
    const who = isRemarkAddress(url) ? link(by, url) : data(by);
    return line("Accepted: ", cellName(row), ", by ", who, ": ", sentence(reason));
  });
}

/** Each cell as a test. It fails only when it fails the check, and is skipped when nobody knows whether it does. */
function casesOf(comparison: Comparison): TestCase[] {
  return comparison.rows.map((row) => ({
    endpoint: cellLabel(row.cell),
    workers: plural(row.cell.workers, "worker"),
    result: resultOf(row, comparison),
  }));
}

function resultOf(row: Row, comparison: Comparison): TestCase["result"] {
  const { problem, acceptance } = row;
  if (problem !== undefined) {
    const { state, during, reason, logTail } = problem;
    return { kind: "error", state, message: `${during} ${reason}`, log: logTail };
  }
  if (row.isForbidden && acceptance !== undefined)
    return { kind: "skipped", message: `accepted by ${acceptance.by}: ${acceptance.reason}` };
  if (row.isForbidden) return { kind: "failure", message: `${verdictWords(row)}, ${effectColumn.text(row)}` };
  if (row.isPerhapsForbidden) {
    const limit = percent(comparison.failsFrom);
    const message = `${standingWords(row)}, ${effectColumn.text(row)}: may be slower by ${limit} or more`;
    return { kind: "skipped", message };
  }
  const isDoubtful = ["inconclusive", "invalid", "no base"].includes(row.standing ?? "");
  if (!comparison.hasVerdicts || !isDoubtful) return { kind: "passed" };
  const reason = row.versus?.verdict.reason ?? row.loneArm?.reason ?? "";
  return { kind: "skipped", message: `${standingWords(row)}: ${reason}` };
}
