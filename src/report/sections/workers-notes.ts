import type { WorkersAdvice } from "../../compare/workers/advice.ts";
import type { FittedLaw } from "../../compare/workers/scalability-law.ts";
import type { Interval } from "../../statistics/estimate.ts";
import { plural } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";

/** Most endpoints that get a sentence on their curve. */
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
    ? "Brackets hold the 95% interval over the replicates (fresh server starts)."
    : "There are no intervals, because each count has one replicate (one fresh server start). A comparison with a base has several.";
  return `Speed-up and efficiency are relative to the smallest worker count that was measured. ${how}`;
}

/** The CPUs that the workers had. */
function machineNote(advices: readonly WorkersAdvice[]): string {
  const environment = advices.find((advice) => advice.environment !== undefined)?.environment;
  if (environment === undefined) return "";
  const { appCpus, cores } = environment;
  const where =
    appCpus === undefined
      ? `shared its ${plural(cores, "core")} with the app`
      : `used other CPUs than the app (CPU ${appCpus})`;
  return `The load generator ran on the same machine and ${where}. The counts hold for that machine.`;
}

/** Counts that had no core of their own. */
function beyondNote(advices: readonly WorkersAdvice[]): string {
  const beyond = advices.flatMap(({ cores, counts }) =>
    counts.flatMap(({ workers }) => (cores !== undefined && workers > cores ? [workers] : [])),
  );
  const [cores] = advices.flatMap((advice) => advice.cores ?? []);
  if (beyond.length === 0 || cores === undefined) return "";
  const counts = [...new Set(beyond)].toSorted((a, b) => a - b);
  return `The app had ${plural(cores, "core")}: ${counts.join(", ")} workers shared ${cores === 1 ? "it" : "them"}, which helps only while requests wait.`;
}

function lawWords(
  { serial, crosstalk, peak, peakInterval, miss, isFitting }: FittedLaw,
  most: number,
): string {
  const found = `the Universal Scalability Law (serial share ${percent(serial, "measured")}, crosstalk ${percent(crosstalk, "measured")})`;
  const off = percent(miss, "whole");
  if (!isFitting) return `${found} is off by up to ${off}, so it does not describe this endpoint.`;
  return `${found} is off by at most ${off}: ${peakWords(peak, peakInterval, most)}.`;
}

/** Counts beyond those measured are left out: the curve was not tested there. */
function peakWords(peak: number, interval: Interval | undefined, most: number): string {
  const at = (workers: number) => (workers > most ? `beyond ${most}` : workers.toFixed(1));
  if (interval === undefined) return `peak ${peak > most ? "" : "at "}${at(peak)} workers`;
  const [low, high] = [at(interval.low), at(interval.high)];
  return `peak ${peak > most ? "" : "at "}${at(peak)} workers (${low === high ? low : `${low} to ${high}`}, 95%)`;
}
