import type { Comparison, Row } from "../../compare/comparison.ts";
import { outsideSentence } from "../../diagnosis/probe-documents.ts";
import { endpointLabel } from "../../model/endpoint/endpoint.ts";
import { armNames } from "../../model/measurement/measurement.ts";
import { cellLabel, loadLabel, sendingLabel } from "../../model/plan/cell.ts";
import { usualServer } from "../../model/workload/servers.ts";
import { count, plural } from "../../text/numbers.ts";
import type { Links } from "../links.ts";
import { factsOf, listed, machinesSentence } from "./environment.ts";

/** Meaning of ±, shown with every table. */
export const plusMinusNote = "± is the 95% interval within this run; results vary more from run to run.";

/** Rows of each app, in order; one entry without a name where nobody named one. */
export type RowsByApp = ReadonlyMap<string | undefined, readonly Row[]>;

/** Facts that a reader must know before comparing rows: foreign sentences, at most twenty. */
export function warningsOf({ rows, warnings }: Comparison, apps: RowsByApp): string[] {
  // With two arms, the load at one rate explains and never judges. The note is at the row then.
  const dropping = rows.filter((row) => row.droppedIterations > 0 && row.versus === undefined).length;
  const all = [
    ...machinesSentences(apps),
    dropping > 0
      ? `In ${plural(dropping, "cell")} k6 could not send all requests in time, so the load was lower than requested.`
      : undefined,
    ...new Set(rows.flatMap(({ notices }) => notices.map((text) => `${text}.`))),
    ...rows.flatMap(otherWorkers),
    ...sharedSentences(rows),
    outsideSentence(
      rows.map(({ cell, environment }) => ({
        hosts: environment?.outsideHosts ?? [],
        endpoint: endpointLabel(cell.endpoint),
      })),
    ),
    ...warnings,
  ].filter((warning) => warning !== undefined);
  return all.length <= 20 ? all : [...all.slice(0, 19), `And ${all.length - 19} more warnings.`];
}

/** What one arm leaves in a service may change what the other finds. */
function sharedSentences(rows: readonly Row[]): string[] {
  const shared = new Set(rows.flatMap(({ environment }) => environment?.sharedServices ?? []));
  return shared.size === 0
    ? []
    : [
        `Both versions share ${listed([...shared], " and ")}, so each may find data that the other left there. Declare them under \`services\` to give each version its own.`,
      ];
}

/** Warnings about a row that names another number of workers than there were. */
function otherWorkers({ cell, arms }: Row): string[] {
  return armNames.flatMap((arm) => {
    const seen = arms[arm]?.workersSeen;
    if (seen === undefined || seen === 0 || seen === cell.workers) return [];
    const sentence =
      seen < cell.workers
        ? `only ${count(seen)} of the ${arm}'s ${plural(cell.workers, "worker")} accepted connections`
        : `${count(seen)} of the ${arm}'s processes accepted connections, not ${count(cell.workers)}: use \`{workers}\` in \`server\` to set their number`;
    return [`${cellLabel(cell)}: ${sentence}.`];
  });
}

/** The machines of each app on its own: nobody compares rows of different apps. */
function machinesSentences(apps: RowsByApp): (string | undefined)[] {
  return [...apps].map(([app, ofApp]) => {
    const text = machinesSentence(ofApp);
    return app === undefined || text === undefined ? text : `${app}: ${text}`;
  });
}

/** Method of the measurement: a foreign sentence. */
export function howMeasured(rows: readonly Row[]): string {
  const measured = rows.filter(({ arms }) => Object.keys(arms).length > 0);
  const loads = [...new Set((measured.length > 0 ? measured : rows).map(loadWords))];
  const tools = [
    ["k6", fact(rows, "k6")],
    ["Locust", fact(rows, "Locust")],
    ["Postgres", fact(rows, "Postgres")],
    ["Python", fact(rows, "Python")],
    [usualServer.name, fact(rows, usualServer.name)],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  const loop = [fact(rows, "Event loop"), fact(rows, "HTTP parser")].filter((each) => each !== undefined);
  const server = loop.length > 0 ? ` with ${loop.join(" and ")}` : "";
  const load = measured.length > 0 ? "Load per cell" : "Planned load per cell";
  return `${load} (one endpoint at one worker count): ${listed(loads)}.${tools.length > 0 ? ` Software: ${tools.join(", ")}${server}.` : ""}`;
}

/** A login that costs nothing; empty when it is the app's own. */
export function replacedLoginWords(rows: readonly Row[]): string {
  const names = new Set(rows.flatMap(({ environment }) => environment?.replacedLogin ?? []));
  return names.size === 0
    ? ""
    : `The app replaces its login (${listed([...names].map((name) => `\`${name}\``))}), so these figures do not include the cost of the login.`;
}

/** The load in words. When two arms take turns, only the users are known before. */
export function loadWords({ cell: { load }, versus }: Row): string {
  if (versus === undefined || !("virtualUsers" in load)) return loadLabel(load);
  return `${plural(load.virtualUsers, "VU")} at saturation${sendingLabel(load)}`;
}

/** Machine of the measurement: a foreign sentence; empty when no cell recorded it. */
export function whereMeasured(rows: readonly Row[]): string {
  const machine = fact(rows, "CPU");
  if (machine === undefined) return "";
  const parts = [machine, fact(rows, "Cores"), fact(rows, "Runner")];
  return `Machine: ${parts.filter((part) => part !== undefined).join(", ")}.`;
}

/** True when the first table shows figures with ± of their own, as it does without verdicts. */
export function hasPlusMinus(comparison: Comparison): boolean {
  return !comparison.hasVerdicts && hasIntervals(comparison.rows);
}

function hasIntervals(rows: readonly Row[]): boolean {
  return rows.some(
    (row) =>
      row.problem === undefined &&
      Object.values(row.arms).some(({ throughput }) => throughput.interval !== undefined),
  );
}

/** The commit that a report is about, unless the comparison names it already. */
export function commitOf(comparison: Comparison, { headSha }: Links): string | undefined {
  const { head } = comparison.commits;
  if (!comparison.hasVerdicts) return headSha ?? head;
  return headSha === head ? undefined : headSha;
}

function fact(rows: readonly Row[], name: string): string | undefined {
  const values = factsOf(rows).find((each) => each.name === name)?.values ?? [];
  return values.length === 0
    ? undefined
    : listed(
        values.map(({ text }) => text),
        " or ",
      );
}
