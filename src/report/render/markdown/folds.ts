import { lastLines } from "../../../text/length.ts";
import { codeBlock, mermaidNumber, mermaidText, tableRow } from "../../../text/markdown.ts";
import { plural } from "../../../text/numbers.ts";
import type { Line } from "../../document/inline.ts";
import type {
  Fact,
  Gates,
  Item,
  Noted,
  Patch,
  ReportedEnvironment,
  ReportedFailure,
  Table,
  Thresholds,
  Workers,
  WorkersCurve,
} from "../../document/report.ts";
import { fold, inElement, inMarkdown, itemText, list, paragraphs, tableText } from "./blocks.ts";

export function thresholdsFold(thresholds: Thresholds | undefined): string {
  const isWhole = thresholds?.shown?.rows.length === thresholds?.all.rows.length;
  return thresholds === undefined || isWhole ? "" : fold("All thresholds", tableText(thresholds.all));
}

export function figuresFold(comparisons: Noted | undefined, further: Table | undefined): string {
  const { table, note = [] } = comparisons ?? {};
  return fold("More figures", tableText(table), inMarkdown(note), tableText(further));
}

export function patchesFold(patches: readonly Patch[]): string {
  return fold(
    "Suggested changes, not applied",
    ...patches.flatMap(({ words, text, kind }) => [inMarkdown(words), codeBlock(text, kind)]),
  );
}

export function evidenceFold(evidence: readonly Item[]): string {
  return fold("Evidence", list(evidence.map(itemText)));
}

export function checksFold(all: readonly Gates[], measured: readonly Line[]): string {
  const items = all.flatMap(({ cell, gates }) => [
    `- ${inMarkdown(cell)}`,
    ...gates.map((gate) => `  - ${inMarkdown(gate)}`),
  ]);
  return fold("Checks on the measurement", ...measured.map(inMarkdown), items.join("\n"));
}

export function environmentFolds(environment: ReportedEnvironment | undefined): string {
  if (environment === undefined) return "";
  const { facts, packages, differences } = environment;
  const rows = [
    tableRow(["What", "Value"]),
    tableRow([":---", ":---"]),
    ...facts.map((fact) => factRow(fact, "")),
    ...packages.map((fact) => factRow(fact, "package ")),
  ];
  return paragraphs(
    differences === undefined ? "" : fold(differences.title, tableText(differences.table)),
    fold("Environment", rows.join("\n")),
  );
}

function factRow({ name, values }: Fact, before: string): string {
  return tableRow([`${before}${inMarkdown(name)}`, values.map(inMarkdown).join(", ")]);
}

export function failureFold({ state, cells, problem, log }: ReportedFailure, longestLog: number): string {
  const end = lastLines(log, longestLog);
  return fold(`${state}: ${inElement(cells)}`, inMarkdown(problem), end.trim() === "" ? "" : codeBlock(end));
}

/** The advice on workers, shown unfolded; empty when only one count was requested. */
export function workersParagraph(workers: Workers | undefined): string {
  if (workers === undefined) return "";
  const texts = workers.sentences.map(inMarkdown);
  return `**How many workers?**${texts.length === 1 ? ` ${texts.join("")}` : `\n${list(texts)}`}`;
}

/** Most charts of worker counts: more of them would hide the table. */
const mostCurves = 4;

/** The figures behind it, folded; rows beyond `mostRows` are counted. */
export function workersFold(workers: Workers | undefined, mostRows: number): string {
  if (workers === undefined) return "";
  const { table, notes, curves } = workers;
  const hidden = Math.max(0, table.rows.length - mostRows);
  const more = hidden > 0 ? [`${plural(hidden, "more row")} in the job summary`] : [];
  return fold(
    "Worker counts",
    tableText(table, mostRows),
    list([...more, ...notes.map(inMarkdown)]),
    ...curves.slice(0, mostCurves).flatMap((curve) => [inMarkdown(curve.caption), curveBlock(curve)]),
  );
}

/** Colours that differ on white and on black. */
const colours = "#2f6fb0, #c2571a";

/** A Mermaid block by the older name `xychart-beta`, which GitHub knows. No foreign text is in it. */
export function curveBlock({ points }: Pick<WorkersCurve, "points">): string {
  const top = Math.max(...points.flatMap(({ rate, ideal }) => [rate, ideal])) * 1.05;
  return [
    "```mermaid",
    "---",
    "config:",
    "  xyChart:",
    "    width: 600",
    "    height: 260",
    "  themeVariables:",
    "    xyChart:",
    `      plotColorPalette: "${colours}"`,
    "---",
    "xychart-beta",
    `  x-axis ${mermaidText("workers")} [${points.map(({ workers }) => mermaidText(String(workers))).join(", ")}]`,
    `  y-axis ${mermaidText("requests/s")} 0 --> ${mermaidNumber(top)}`,
    `  bar [${points.map(({ rate }) => mermaidNumber(rate)).join(", ")}]`,
    `  line [${points.map(({ ideal }) => mermaidNumber(ideal)).join(", ")}]`,
    "```",
  ].join("\n");
}
