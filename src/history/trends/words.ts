import { codeSpan, sentence, tableRow } from "../../text/markdown.ts";
import { figure, plural, unknown } from "../../text/numbers.ts";
import { signedPercent } from "../../text/percent.ts";
import { shellWords } from "../../text/quoting.ts";
import { printable } from "../../text/visible.ts";
import type { HistoryLine } from "../history-line.ts";
import { type ChangePoint, fewestPoints, isLongEnough, type Level, type Series } from "./change-points.ts";
import type { History, Trend } from "./history.ts";
import { changesOf, type Trends } from "./trends.ts";

export const recordNote =
  "This page is only a record and never decides a pull request: machines differ from run to run, so a pull request compares only what was measured side by side.";

export const changePointsNote =
  "Apache Otava finds the change points with its own settings, separately for each cell (one endpoint at one worker count) and each kind of machine. p is the probability that chance alone makes two levels differ this much, by a t-test. Changes with p below 0.001 are shown. p is too low, because the same figures also chose where to split: about 2 in 100 series in which nothing changed have a change point, and 8 in 100 of those with 100 points.";

export function titleOf(trends: Trends): string {
  const { history, changePoints } = trends;
  const found =
    changePoints.kind === "found"
      ? plural(changePoints.changes.length, "change point")
      : "change points not computed";
  return `Load test trends – ${plural(history.trends.length, "cell")}, ${plural(history.commits, "commit")}, ${found}`;
}

/** The endpoint, with report, app and cell where others have the same words. Foreign text. */
export function trendName(trend: Trend, { trends }: History): string {
  const { report, app, endpoint, workers } = trend;
  const hasReports = trends.some((each) => each.report !== report);
  const parts = [...(hasReports ? [report] : []), ...(app === null ? [] : [app])];
  const words = `${parts.map((part) => `${part}: `).join("")}${endpoint}, ${plural(workers, "worker")}`;
  const others = trends.filter((each) => each !== trend && hasSameWords(each, trend));
  return others.length === 0 ? words : `${words} (cell ${shortCell(trend, others)})`;
}

function hasSameWords(a: Trend, b: Trend): boolean {
  return a.endpoint === b.endpoint && a.workers === b.workers && a.app === b.app && a.report === b.report;
}

/** The hash at the end of an id; the whole id when others made it up. */
function shortCell({ cell }: Trend, others: readonly Trend[]): string {
  const end = cell.slice(-8);
  return others.some((other) => other.cell.endsWith(end)) ? cell : end;
}

/** Letter that distinguishes machines: A measured first. */
export function machineLetter(fingerprint: string, { machines }: History): string {
  const index = machines.findIndex((machine) => machine.fingerprint === fingerprint);
  return index < letters.length ? (letters[index] ?? unknown) : String(index + 1);
}
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** `▼ −8.2%, slower`: the shape is that of the figure, the word says what it means. */
export function changeWords({ change, isBetter, series, before, after }: ChangePoint): string {
  const isUp = after.mean > before.mean;
  const word = series.metric.isSpeed ? (isBetter ? "faster" : "slower") : isUp ? "more" : "less";
  return `${isUp ? "▲" : "▼"} ${changeText(change)}, ${word}`;
}

/** The command that finds the commit of a change of speed; `undefined` for others and unprintable texts. */
export function bisectCommand({ at, previous, series }: ChangePoint): string | undefined {
  const { app, endpoint } = series.trend;
  if (!series.metric.isSpeed || endpoint.includes("\n")) return undefined;
  return shellWords([
    ...["fastapi-loadtest", "bisect", "--good", commitWords(previous), "--bad", commitWords(at)],
    ...["--endpoint", endpoint, ...(app === null ? [] : ["--name", app])],
  ]);
}

/** Who accepted the change, and why; empty where nobody did. Foreign text. */
export function acceptedWords({ at }: Pick<ChangePoint, "at">): string {
  return at.accepted === null ? "" : `accepted by ${at.accepted.by}: ${at.accepted.reason}`;
}

/** A change from 0 has no share. */
function changeText(change: number | undefined): string {
  return change === undefined || !Number.isFinite(change) ? "from 0" : signedPercent(change);
}

/** Mean, standard deviation and points: `1,234 ± 12 (14)`. */
export function levelWords({ mean, sd, points }: Level): string {
  return `${figure(mean)} ± ${figure(sd)} (${points})`;
}

/** `<0.00001`: further digits say nothing. */
export function pValueWords({ pValue }: ChangePoint): string {
  if (pValue < 0.00001) return "<0.00001";
  return pValue.toFixed(5).replace(/0+$/, "");
}

/** `2026-11-21`, UTC. */
export function dayWords({ startedAt }: HistoryLine): string {
  return startedAt.slice(0, 10);
}

/** To the minute, in UTC: `2026-11-21 08:03`. */
export function timeWords({ startedAt }: HistoryLine): string {
  return `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)}`;
}

export function commitWords({ commit }: HistoryLine): string {
  return commit.slice(0, 10);
}

/** Result of the search in a cell, for each machine: `2`, `none in 34 points`, `too few points (3 of 8)`. */
export function foundWords(trend: Trend, trends: Trends): string {
  const { history, series, changePoints } = trends;
  const ofTrend = series.filter((each) => each.trend === trend);
  const isAlone = ofTrend.every(({ fingerprint }) => fingerprint === ofTrend[0]?.fingerprint);
  const machines = history.machines.flatMap(({ fingerprint }) => {
    const own = ofTrend.filter((each) => each.fingerprint === fingerprint);
    const [first] = own;
    if (first === undefined) return [];
    const letter = isAlone ? "" : `${machineLetter(fingerprint, history)}: `;
    const longest = longestOf(own, first);
    const points = longest.values.length;
    // Too short a series does not show that nothing changed.
    if (!isLongEnough(longest)) return [`${letter}too few points (${points} of ${fewestPoints})`];
    if (changePoints.kind === "not computed") return [`${letter}not computed`];
    const changes = changesOf(trends).filter((change) => own.includes(change.series));
    return [`${letter}${changes.length > 0 ? changes.length : `none in ${plural(points, "point")}`}`];
  });
  return machines.join("; ") || unknown;
}

function longestOf(own: readonly Series[], first: Series): Series {
  return own.reduce((longest, each) => (each.values.length > longest.values.length ? each : longest), first);
}

/** In a history of years the newest changes matter most; the page has all. */
const mostChanges = 30;

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
