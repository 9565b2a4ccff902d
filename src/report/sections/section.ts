import type { Comparison, Row } from "../../compare/comparison.ts";
import { sharedProblems } from "../../compare/problem.ts";
import { hasVerdicts, standingOf, versusIn } from "../../compare/standing.ts";
import type { Sources } from "../causes/cause-line.ts";
import { causeLines, evidenceItems } from "../causes/cause-text.ts";
import { causesOf } from "../causes/causes.ts";
import { effectStripColumn } from "../columns/effect-strip.ts";
import { changeColumn, furtherColumnsFor, mainColumnsFor } from "../columns/main-columns.ts";
import { versusColumns } from "../columns/versus-columns.ts";
import { line, sentence, strong } from "../document/inline.ts";
import type { Gates, Item, Section } from "../document/report.ts";
import type { Table } from "../document/table.ts";
import { furtherIntervalsNote } from "../facts/certainty.ts";
import { gateText, reasonsOf } from "../facts/reasons.ts";
import { cellName, cellNames } from "./cell-name.ts";
import { cellTable, furtherTable } from "./cell-table.ts";
import type { ToldAbove } from "./changes-section.ts";
import { environmentSection } from "./environment-section.ts";
import { failuresSection } from "./failures-section.ts";
import { longestReason, problemLine } from "./problem-line.ts";
import { scriptsSection } from "./scripts-section.ts";
import { thresholdsSection } from "./thresholds-section.ts";
import { workersSection } from "./workers-section.ts";

/**
 * The whole content about the cells of one app, or of all.
 *
 * @param told stands above already, beside changes
 */
export function sectionOf(comparison: Comparison, sources: Sources, told: ToldAbove): Section {
  const { rows } = comparison;
  const causes = causesOf(comparison);
  const others = { ...causes, causes: causes.causes.filter((each) => !told.causes.has(each.finding)) };
  const main = cellTable(mainColumns(comparison), comparison, true);
  const compared = rows.filter((row) => versusIn(row) !== undefined);
  return {
    main,
    folded: foldedWords(comparison, main),
    thresholds: thresholdsSection(comparison),
    scripts: scriptsSection(comparison),
    causes: causeLines(others, sources),
    evidence: evidenceItems(causes),
    problems: problemsOf(comparison),
    reasons: reasonItems(comparison, told.cells),
    workers: workersSection(rows),
    comparisons:
      compared.length === 0
        ? undefined
        : {
            table: cellTable(versusColumns, { ...comparison, rows: compared }),
            note: sentence(furtherIntervalsNote),
          },
    further: furtherTable(furtherColumnsFor(comparison), comparison),
    gates: rows.flatMap(gatesOf),
    environment: environmentSection(rows),
    failures: failuresSection(rows),
  };
}

/** Adds the drawing beside the effect. */
function mainColumns(comparison: Comparison) {
  const columns = mainColumnsFor(comparison);
  const strip = effectStripColumn(comparison.rows);
  return strip === undefined
    ? columns
    : columns.flatMap((column) => (column === changeColumn ? [column, strip] : [column]));
}

/** More uneventful rows than this are folded when other rows have a verdict to tell. */
const mostQuiet = 3;
/** The limit for all other reports: without verdicts the reader came for the figures. */
const mostRows = 20;

function foldedWords({ rows }: Comparison, main: Table): string {
  const quiet = rows.filter((_, index) => main.rows[index]?.weight === "measured");
  const isTold = hasVerdicts({ rows }) && quiet.length < rows.length;
  if (quiet.length <= (isTold ? mostQuiet : mostRows)) return "";
  return [...new Set(quiet.map((row) => standingOf(row) ?? ""))]
    .join(", ")
    .replace("not compared", "measured");
}

/** Beside verdicts the table gives the state alone. */
function problemsOf(comparison: Comparison): Section["problems"] {
  if (!hasVerdicts(comparison)) return [];
  return sharedProblems(comparison.rows).map(({ cause, rows }) =>
    problemLine(cause, { most: longestReason, where: cellNames(rows) }),
  );
}

function reasonItems(comparison: Comparison, told: ReadonlySet<string>): Item[] {
  const { shown, more } = reasonsOf(comparison, told);
  return [
    ...shown.map(({ row, standing, text }) => ({
      lead: standing,
      text: line(cellName(row), ": ", sentence(text)),
    })),
    ...(more > 0 ? [{ lead: "", text: line(`and ${more} more`) }] : []),
  ];
}

function gatesOf(row: Row): Gates[] {
  const gates = (versusIn(row)?.gates ?? []).map((gate) =>
    line(gate.isMet ? "met" : strong("not met"), ": ", sentence(gateText(gate))),
  );
  return gates.length === 0 ? [] : [{ cell: cellName(row), gates }];
}
