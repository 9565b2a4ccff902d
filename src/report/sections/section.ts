import type { Comparison, Row } from "../../compare/comparison.ts";
import { groupBy } from "../../lists/group.ts";
import { count, plural } from "../../text/numbers.ts";
import { causeLines, evidenceItems, type Sources } from "../causes/cause-text.ts";
import type { ReportedCause, ReportedCauses } from "../causes/causes.ts";
import { patchesOf } from "../causes/patches.ts";
import {
  changeColumn,
  effectStripColumn,
  furtherColumnsFor,
  intervalColumn,
  mainColumnsFor,
} from "../columns/column-choice.ts";
import { versusColumns } from "../columns/versus-columns.ts";
import { code, line, name, sentence, strong } from "../document/inline.ts";
import type { Gates, Item, Section, Table, Thresholds, Tone } from "../document/report.ts";
import { sharedProblems } from "../facts/absences.ts";
import { furtherIntervalsNote } from "../facts/certainty.ts";
import { type ThresholdLine, thresholdCounts, thresholdLines } from "../facts/outcome.ts";
import { gateText, reasonsOf } from "../facts/reasons.ts";
import { cellTable, furtherTable } from "./cell-table.ts";
import type { Explained } from "./changes-section.ts";
import { environmentSection } from "./environment-section.ts";
import { cellName, cellNames, failuresSection, longestReason, problemLine } from "./failures-section.ts";
import { scriptsSection } from "./scripts-section.ts";
import { workersSection } from "./workers-section.ts";

/** The content about one app's cells, or all. `explained`: what paragraphs have already. */
export function sectionOf(
  comparison: Comparison,
  causes: ReportedCauses,
  sources: Sources,
  explained: Explained,
): Section {
  const { rows } = comparison;
  const others = causes.causes.filter((each) => !explained.causes.has(each.finding));
  const isShown = ({ isNew, finding }: ReportedCause) =>
    !comparison.hasVerdicts || isNew !== false || finding.isInDiff === true;
  const { reasons, details } = reasonItems(comparison, explained.cells);
  const main = cellTable(mainColumns(comparison), comparison, true);
  const compared = rows.filter((row) => row.versus !== undefined);
  return {
    main,
    folded: foldedWords(comparison, main),
    thresholds: thresholdsSection(comparison),
    scripts: scriptsSection(comparison),
    causesTitle: comparison.hasVerdicts ? "Why" : "Bottlenecks",
    causes: causeLines(
      { ...causes, causes: others.filter(isShown), ...(comparison.hasVerdicts && { more: 0, remarks: [] }) },
      sources,
    ),
    patches: patchesOf(causes, sources),
    evidence: evidenceItems(causes),
    problems: problemsOf(comparison),
    reasons,
    details: [
      ...details,
      ...(comparison.hasVerdicts
        ? causeLines({ ...causes, causes: others.filter((each) => !isShown(each)), fixed: [] }, sources)
        : []
      ).map((text) => ({ lead: "", text })),
    ],
    workers: workersSection(rows),
    comparisons:
      compared.length === 0
        ? undefined
        : {
            table: cellTable(versusColumns, { ...comparison, rows: compared }),
            note: sentence(furtherIntervalsNote(compared)),
          },
    further: furtherTable(furtherColumnsFor(comparison), comparison),
    gates: rows.flatMap(gatesOf),
    environment: environmentSection(rows),
    failures: failuresSection(rows),
  };
}

/** Adds the drawing, and what replaces it elsewhere, after the effect. */
function mainColumns(comparison: Comparison) {
  const columns = mainColumnsFor(comparison);
  const strip = effectStripColumn(comparison.rows);
  return strip === undefined
    ? columns
    : columns.flatMap((column) => (column === changeColumn ? [column, strip, intervalColumn] : [column]));
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

/** With verdicts the table has room for the state alone. */
function problemsOf(comparison: Comparison): Section["problems"] {
  if (!comparison.hasVerdicts) return [];
  return sharedProblems(comparison.rows).map(({ cause, rows }) =>
    problemLine(cause, { most: longestReason, where: cellNames(rows) }),
  );
}

function reasonItems(
  comparison: Comparison,
  explained: ReadonlySet<string>,
): Pick<Section, "reasons" | "details"> {
  const { shown, more } = reasonsOf(comparison, explained);
  const itemsOf = (part: "text" | "detail"): Item[] => {
    const known = shown.filter((reason) => reason[part] !== "");
    const alike = groupBy(known, (reason) => JSON.stringify([reason.standing, reason[part]]));
    return [...alike.values()].flatMap((group) =>
      group.slice(0, 1).map(({ row, standing, [part]: text }) => {
        const others = group.length > 1 ? ` and ${plural(group.length - 1, "other cell")}` : "";
        return { lead: standing, text: line(cellName(row), `${others}: `, sentence(text)) };
      }),
    );
  };
  const rest = more > 0 ? [{ lead: "", text: line(`and ${more} more`) }] : [];
  return { reasons: [...itemsOf("text"), ...rest], details: itemsOf("detail") };
}

function gatesOf(row: Row): Gates[] {
  const gates = (row.versus?.gates ?? []).map((gate) =>
    line(gate.isMet ? "✓" : strong("failed:"), " ", sentence(gateText(gate))),
  );
  return gates.length === 0 ? [] : [{ cell: cellName(row), gates }];
}

/** Most thresholds that are shown unfolded, the broken ones first. The folded list has all. */
const mostShown = 20;

const everyEndpoint = "all endpoints";
const stateWords = { kept: "met", broken: "not met", unknown: "not judged" } as const;
const stateTones = { kept: "plain", broken: "bad", unknown: "doubt" } as const satisfies Readonly<
  Record<ThresholdLine["state"], Tone>
>;

function thresholdsSection(comparison: Comparison): Thresholds | undefined {
  const lines = thresholdLines(comparison);
  if (lines.length === 0) return undefined;
  const shown =
    lines.length <= mostShown ? lines : lines.filter(({ state }) => state !== "kept").slice(0, mostShown);
  return {
    counts: `${thresholdCounts(lines)}.`,
    shown: shown.length === 0 ? undefined : tableOf(shown),
    all: tableOf(lines),
    lines: lines.map(({ state, endpoint, workers, condition, value }) => ({
      tone: stateTones[state],
      text: line(
        `Threshold ${stateWords[state]}: `,
        endpoint === "" ? everyEndpoint : name(endpoint),
        `, ${plural(workers, "worker")}: `,
        code(condition),
        " (",
        sentence(value),
        ")",
      ),
    })),
  };
}

function tableOf(lines: readonly ThresholdLine[]): Table {
  return {
    labels: [
      { title: "Threshold", kind: "words", dispensability: 0 },
      { title: "Endpoint", kind: "name", dispensability: 0 },
      { title: "Workers", kind: "number", dispensability: 0 },
    ],
    figures: [
      { title: "Measured", kind: "words", dispensability: 0 },
      { title: "", kind: "verdict", dispensability: 0 },
    ],
    rows: lines.map(({ state, endpoint, workers, condition, value }) => ({
      labels: [
        line(code(condition)),
        line(endpoint === "" ? everyEndpoint : name(endpoint)),
        line(count(workers)),
      ],
      figures: [sentence(value), line(state === "kept" ? stateWords.kept : strong(stateWords[state]))],
      problem: undefined,
      verdictTone: stateTones[state],
      tone: stateTones[state],
      weight: "measured",
    })),
  };
}
