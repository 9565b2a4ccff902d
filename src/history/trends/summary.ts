import { codeSpan, sentence, tableRow } from "../../text/markdown.ts";
import { plural } from "../../text/numbers.ts";
import { printable } from "../../text/printable.ts";
import type { ChangePoint } from "./change-points.ts";
import { changesOf, type Trends } from "./trends.ts";
import {
  acceptedWords,
  bisectCommand,
  changeWords,
  commitWords,
  dayWords,
  pValueWords,
  recordNote,
  titleOf,
  trendName,
} from "./words.ts";

/** In a history of years the newest changes matter most; the page has all. */
const mostChanges = 30;

/** The job summary: the unusable parts of the history, and the change points as a table. */
export function renderTrendsSummary(trends: Trends): string {
  const { history, changePoints } = trends;
  const all = changesOf(trends);
  const shown = all.slice(0, mostChanges);
  const rows = shown.map((change) => {
    const { at, series } = change;
    return tableRow([
      codeSpan(trendName(series.trend, history)),
      series.metric.title,
      changeWords(change),
      [`${codeSpan(commitWords(at))} ${dayWords(at)}`, sentence(acceptedWords(change))]
        .filter((words) => words !== "")
        .join(", "),
      sentence(pValueWords(change)),
    ]);
  });
  const head = [tableRow(["Cell", "Figure", "Change", "Since", "p"]), "| --- | --- | --: | --- | --: |"];
  return [
    `## ${sentence(titleOf(trends))}`,
    ...(changePoints.kind === "not computed"
      ? [sentence(`Change points were not computed. ${changePoints.reason}`)]
      : []),
    ...history.warnings.map((warning) => sentence(warning)),
    ...(rows.length > 0 ? [[...head, ...rows].join("\n")] : []),
    ...(all.length > shown.length ? [`${plural(all.length - shown.length, "older one")} in the page.`] : []),
    recordNote,
    "",
  ].join("\n\n");
}

/** Lines for a terminal or a log: one for each change point, newest first. */
export function trendsLines(trends: Trends): readonly string[] {
  return [titleOf(trends), ...changesOf(trends).flatMap((change) => linesOf(change, trends))];
}

function linesOf(change: ChangePoint, { history }: Trends): string[] {
  const { series, at } = change;
  const what = `${trendName(series.trend, history)}: ${series.metric.title} ${changeWords(change)}`;
  const accepted = acceptedWords(change);
  const since = `${what} since ${commitWords(at)} (${dayWords(at)}, p ${pValueWords(change)})`;
  const command = bisectCommand(change);
  return [
    `  ${printable(accepted === "" ? since : `${since}, ${accepted}`)}`,
    ...(command === undefined ? [] : [`    ${command}`]),
  ];
}
