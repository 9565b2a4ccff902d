import type { Comparison, Row } from "../../compare/comparison.ts";
import { causeLines, evidenceItems, type Sources } from "../causes/cause-text.ts";
import type { ReportedCauses } from "../causes/causes.ts";
import {
  changeColumn,
  effectStripColumn,
  furtherColumnsFor,
  mainColumnsFor,
} from "../columns/column-choice.ts";
import { versusColumns } from "../columns/versus-columns.ts";
import { line, sentence, strong } from "../document/inline.ts";
import type { Gates, Item, Section, Table } from "../document/report.ts";
import { sharedProblems } from "../facts/absences.ts";
import { furtherIntervalsNote } from "../facts/certainty.ts";
import { gateText, reasonsOf } from "../facts/reasons.ts";
import { cellTable, furtherTable } from "./cell-table.ts";
import type { Explained } from "./changes-section.ts";
import { environmentSection } from "./environment-section.ts";
import { cellName, cellNames, failuresSection, longestReason, problemLine } from "./failures-section.ts";
import { scriptsSection } from "./scripts-section.ts";
import { thresholdsSection } from "./thresholds-section.ts";
import { workersSection } from "./workers-section.ts";

/**
 * The whole content about the cells of one app, or of all.
 *
 * @param explained stands above already, with changes
 */
export function sectionOf(
  comparison: Comparison,
  causes: ReportedCauses,
  sources: Sources,
  explained: Explained,
): Section {
  const { rows } = comparison;
  const others = { ...causes, causes: causes.causes.filter((each) => !explained.causes.has(each.finding)) };
  const main = cellTable(mainColumns(comparison), comparison, true);
  const compared = rows.filter((row) => row.versus !== undefined);
  return {
    main,
    folded: foldedWords(comparison, main),
    thresholds: thresholdsSection(comparison),
    scripts: scriptsSection(comparison),
    causes: causeLines(others, sources),
    evidence: evidenceItems(causes),
    problems: problemsOf(comparison),
    reasons: reasonItems(comparison, explained.cells),
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

/** More uneventful rows than this are folded when other rows have an eventful verdict. */
const mostQuiet = 3;
/** The limit for all other reports: without verdicts the reader came for the figures. */
const mostRows = 20;

function foldedWords({ rows, hasVerdicts }: Comparison, main: Table): string {
  const quiet = rows.filter((_, index) => main.rows[index]?.weight === "measured");
  const hasEventful = hasVerdicts && quiet.length < rows.length;
  if (quiet.length <= (hasEventful ? mostQuiet : mostRows)) return "";
  const words = quiet.map(({ standing = "" }) => (standing === "not compared" ? "measured" : standing));
  return [...new Set(words)].join(", ");
}

/** Beside verdicts the table gives the state alone. */
function problemsOf(comparison: Comparison): Section["problems"] {
  if (!comparison.hasVerdicts) return [];
  return sharedProblems(comparison.rows).map(({ cause, rows }) =>
    problemLine(cause, { most: longestReason, where: cellNames(rows) }),
  );
}

function reasonItems(comparison: Comparison, explained: ReadonlySet<string>): Item[] {
  const { shown, more } = reasonsOf(comparison, explained);
  return [
    ...shown.map(({ row, standing, text }) => ({
      lead: standing,
      text: line(cellName(row), ": ", sentence(text)),
    })),
    ...(more > 0 ? [{ lead: "", text: line(`and ${more} more`) }] : []),
  ];
}

function gatesOf(row: Row): Gates[] {
  const gates = (row.versus?.gates ?? []).map((gate) =>
    line(gate.isMet ? "met" : strong("not met"), ": ", sentence(gateText(gate))),
  );
  return gates.length === 0 ? [] : [{ cell: cellName(row), gates }];
}
