import type { WorkersAdvice } from "../../compare/workers/advice.ts";
import type { FittedLaw } from "../../compare/workers/scalability-law.ts";
import type { Interval } from "../../statistics/estimate.ts";
import { plural } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";

const mostLaws = 10;

/** Notes on reading the table of worker counts and on its limits: foreign sentences. */
export function workersNotes(advices: readonly WorkersAdvice[]): string[] {
  return [readingNote(advices), machineNote(advices), beyondNote(advices), ...lawNotes(advices)].filter(
    (note) => note !== "",
  );
}

function lawNotes(advices: readonly WorkersAdvice[]): string[] {
  const notes = advices.flatMap(({ endpoint, counts, law }) => {
    if (law === undefined) return [];
    const most = Math.max(...counts.map(({ workers }) => workers));
    // The notes' own code is between backticks, so a name must not have any.
    return [`\`${endpoint.replaceAll("`", "'")}\`: ${lawWords(law, most)}`];
  });
  return notes.slice(0, mostLaws);
}

function readingNote(advices: readonly WorkersAdvice[]): string {
  const counts = advices.flatMap((advice) => advice.counts);
  const hasIntervals = counts.some(({ speedUp }) => speedUp?.interval !== undefined);
  const how = hasIntervals
    ? "The 95% intervals over the replicates (fresh server starts) are in parentheses. Speed-up compares geometric means over the replicates, so it may not equal the ratio of the throughputs shown."
    : "There are no intervals: they need several replicates (fresh server starts) of at least two worker counts.";
  return `Speed-up and efficiency are relative to the smallest worker count that was measured. ${how}`;
}

function machineNote(advices: readonly WorkersAdvice[]): string {
  const environment = advices.find((advice) => advice.environment !== undefined)?.environment;
  if (environment === undefined) return "";
  const { appCpus, cores } = environment;
  const where =
    appCpus === undefined
      ? `shared its ${plural(cores, "core")} with the app`
      : `used different CPUs from the app's (CPU ${appCpus})`;
  return `The load generator ran on the same machine and ${where}. The advice applies to that machine only.`;
}

/** Counts that had no core of their own. */
function beyondNote(advices: readonly WorkersAdvice[]): string {
  const beyond = advices.flatMap(({ cores, counts }) =>
    counts.flatMap(({ workers }) => (cores !== undefined && workers > cores ? [workers] : [])),
  );
  const [cores] = advices.flatMap((advice) => advice.cores ?? []);
  if (beyond.length === 0 || cores === undefined) return "";
  const counts = [...new Set(beyond)].toSorted((a, b) => a - b);
  return `The app had ${plural(cores, "core")}. ${countWords(counts)} workers shared ${cores === 1 ? "it" : "them"}, which helps only if requests spend time waiting.`;
}

/** `2`, `2 and 4`, `2 to 5`, `2, 4 and 8` */
function countWords(counts: readonly number[]): string {
  const [first = 0, last = 0] = [counts[0], counts.at(-1)];
  if (counts.length > 2 && last - first === counts.length - 1) return `${first} to ${last}`;
  return counts.length < 2 ? `${last}` : `${counts.slice(0, -1).join(", ")} and ${last}`;
}

function lawWords(
  { serial, crosstalk, peak, peakInterval, miss, isFitting }: FittedLaw,
  most: number,
): string {
  const found = `the Universal Scalability Law (contention ${percent(serial, "measured")}, coherency ${percent(crosstalk, "measured")})`;
  const off = percent(miss, "whole");
  if (!isFitting) return `${found} is off by up to ${off}, so ignore it for this endpoint.`;
  return `${found} is off by at most ${off} and puts the ${peakWords(peak, peakInterval, most)}.`;
}

/** Counts beyond those measured are left out: the curve was not tested there. */
function peakWords(peak: number, interval: Interval | undefined, most: number): string {
  const at = (workers: number) => (workers > most ? `beyond ${most}` : workers.toFixed(1));
  if (interval === undefined) return `peak ${peak > most ? "" : "at "}${at(peak)} workers`;
  const [low, high] = [at(interval.low), at(interval.high)];
  return `peak ${peak > most ? "" : "at "}${at(peak)} workers (95% interval: ${low === high ? low : `${low} to ${high}`})`;
}
