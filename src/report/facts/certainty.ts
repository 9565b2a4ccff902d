import type { Comparison, Row, Versus } from "../../compare/comparison.ts";
import { isSlowerByMuch } from "../../compare/judgement.ts";
import { isScript, isSocket } from "../../model/endpoint/endpoint.ts";
import { count } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { machinesSentence } from "./environment.ts";

/** What the intervals of further figures hold, for the rows that were compared. */
export function furtherIntervalsNote(rows: readonly Row[]): string {
  const confidences = rows.flatMap(({ versus }) => versus?.confidence ?? []);
  return `The confidence level of the intervals is 95% for CPU time per request, first byte and data per second, and at least ${percent(Math.min(...confidences))} for everything else. Latencies at a fixed rate are shown for context only: no verdict depends on them.`;
}

/** Certainty and method: a foreign sentence with code in backticks; empty when nothing was compared. */
export function certaintyOf(comparison: Comparison): string {
  if (!comparison.hasVerdicts) return "";
  const compared = comparison.rows.map(({ versus }) => versus).filter((versus) => versus !== undefined);
  return [
    ...(compared.length > 0 ? measuredSentences(comparison, compared) : []),
    compared.length > 0 ? soakSentence(comparison) : "",
    commitsSentence(comparison),
  ]
    .filter((text) => text !== "")
    .join(" ");
}

/** The same as short as a reader of the comment needs it. */
export function briefCertainty({ rows, commits: { base, head } }: Comparison): string {
  const compared = rows.map(({ versus }) => versus).filter((versus) => versus !== undefined);
  if (compared.length === 0) return "";
  const confidence = Math.min(...compared.map((versus) => versus.confidence));
  const named = (arm: string, commit: string | undefined) =>
    commit === undefined ? arm : `${arm} \`${commit.slice(0, 7)}\``;
  const machine = machinesSentence(rows) === undefined ? "one machine" : "the same machine";
  const turns = wholeRuns(rows) === undefined ? "" : ", one whole run of the script each,";
  return `${named("Base", base)} and ${named("head", head)} took turns${turns} on ${machine}. If nothing differs, the chance that this report shows a change of any kind is at most ${percent(1 - confidence)}.`;
}

/** The note on rows whose turns were whole runs of a script; `undefined` without such rows. */
function wholeRuns(rows: readonly Row[]): string | undefined {
  return rows.some((row) => row.versus !== undefined && isScript(row.cell.endpoint))
    ? "Each turn was a whole run of the script, and the version that ran first alternated. The machine's speed changes between runs, so these intervals are wider than those from slices, and small changes stay inconclusive."
    : undefined;
}

function measuredSentences({ design, rows }: Comparison, compared: readonly Versus[]): string[] {
  const confidence = Math.min(...compared.map((versus) => versus.confidence));
  const unchanged = compared.flatMap(({ unchangedConfidence }) => unchangedConfidence ?? []);
  const other =
    unchanged.length === 0
      ? ""
      : ` (${percent(Math.min(...unchanged))} for unchanged endpoints that certainly execute as many instructions)`;
  const smallest =
    design === undefined ? "" : ` Changes under ${percent(design.minChange)} count as unchanged or small.`;
  const replicates = compared.map((versus) => versus.replicates);
  const isOne = Math.max(...replicates) === 1;
  const noun = isOne ? "replicate" : "replicates";
  const fresh = isOne ? "(fresh server)" : "(fresh servers)";
  const machine = machinesSentence(rows) === undefined ? "one" : "the same";
  const times = range(replicates, count);
  const runs = wholeRuns(rows);
  const alternating = rows.every(({ cell }) => isScript(cell.endpoint)) ? "" : " in alternating slices";
  const atSaturation = alternating === "" ? "" : " at saturation";
  const isElsewhere = rows.some(({ cell }) => isAddress(cell.server));
  return [
    `Each change is the head's throughput${atSaturation} compared with the base's. Its confidence level is at least ${percent(confidence)}${other}, like that of the intervals for latency at saturation, memory, start-up and the soak test. If nothing differs, the chance that this report shows a change of any kind is at most ${percent(1 - confidence)}.${smallest}`,
    isElsewhere
      ? `${times} ${noun} of each version, loaded from ${machine} machine${alternating}. Both apps were already running and were not restarted, so chance differences between two processes or machines remain in the result.`
      : `${times} ${noun} ${fresh} of each version ran on ${machine} machine${alternating}${cpuWords(rows)}.`,
    ...(runs === undefined ? [] : [runs]),
  ];
}

/** Says how long the soak test was, so whether a slowdown over time could show. */
function soakSentence({ design, rows }: Comparison): string {
  if ((design?.soakSeconds ?? 0) === 0) return "";
  const ages = rows.flatMap(({ aging }) => aging?.seconds ?? []);
  if (ages.length > 0) return `The soak test took ${range(ages, (seconds) => `${Math.round(seconds)} s`)}.`;
  const compared = rows.filter(({ versus }) => versus !== undefined);
  if (compared.every(({ versus }) => isSlowerByMuch(versus?.verdict)))
    return "There was no soak test, because every endpoint is slower already.";
  const reason = compared.some(({ cell }) => isSliced(cell))
    ? "because there was not enough time left"
    : "because scripts, WebSockets and apps that run elsewhere have none";
  return `The soak test did not run ${reason}, so a slowdown over time would have gone unnoticed.`;
}

/** True for a cell whose servers could have got old under its load. */
function isSliced({ endpoint, server }: Row["cell"]): boolean {
  return !isScript(endpoint) && !isSocket(endpoint) && !isAddress(server);
}

function isAddress(server: string): boolean {
  return /^https?:[/]{2}/.test(server);
}

function cpuWords(rows: readonly Row[]): string {
  const sets = rows.flatMap(({ environment }) => (environment === undefined ? [] : [environment]));
  const words = sets.map(({ appCpus, otherCpus }) =>
    appCpus === undefined
      ? ""
      : `, with the app on CPU ${appCpus} and k6 and Postgres on CPU ${otherCpus ?? "?"}`,
  );
  const [first = "", ...others] = [...new Set(words)];
  return others.length === 0 ? first : "";
}

function commitsSentence({ commits: { base, head } }: Comparison): string {
  const named = [
    ["base", base],
    ["head", head],
  ].flatMap(([name, commit]) => (commit === undefined ? [] : [`${name} \`${commit.slice(0, 10)}\``]));
  return named.length === 0 ? "" : `Commits: ${named.join(", ")}.`;
}

/** One number, or the smallest and the largest: `5 to 12`. */
function range(values: readonly number[], text: (value: number) => string): string {
  return [...new Set([Math.min(...values), Math.max(...values)].map(text))].join(" to ");
}
