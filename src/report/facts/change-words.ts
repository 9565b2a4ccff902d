import type { MemoryGrowth } from "../../compare/aging.ts";
import type { Comparison, Row } from "../../compare/comparison.ts";
import type { FootprintChange } from "../../compare/footprint-change.ts";
import type { LatencyChange, PercentileMs } from "../../compare/latency-change.ts";
import { usualLatencyEffect, usualMemoryEffect } from "../../model/plan/plan.ts";
import { count, figure, plural } from "../../text/numbers.ts";
import { percent, relativeChange } from "../../text/percent.ts";

/** `p99` */
export function percentileName({ share }: Pick<LatencyChange, "share">): "p50" | "p95" | "p99" {
  if (share < 0.9) return "p50";
  return share < 0.99 ? "p95" : "p99";
}

/**
 * The standing with what the usual throughput does not show: `unchanged, slower with age, longer p99, more memory, slower start`.
 * Empty when the row has no figures.
 */
export function verdictWords(row: Row): string {
  return `${row.standing ?? ""}${additionsToStanding(row)}`;
}

/** What stands after the standing: `, small, longer p99`. */
export function additionsToStanding(row: Row): string {
  const names = row.unexpectedLatencies.map(percentileName);
  const perhaps = row.withAge === "perhaps slower" ? ["perhaps slower with age"] : [];
  const age = row.withAge === "slower" ? ["slower with age"] : perhaps;
  const latency = names.length === 0 ? [] : [`longer ${names.join(", ")}`];
  const memory = row.moreFootprint.some(isMemory) ? ["more memory"] : [];
  const start = !row.moreFootprint.every(isMemory) ? ["slower start"] : [];
  const small = row.versus?.verdict.isSmall ? ["small"] : [];
  return [...small, ...age, ...latency, ...memory, ...start].map((words) => `, ${words}`).join("");
}

/** The standing in words: `slower, small`. Empty when the row has no figures. */
export function standingWords({ standing, versus }: Row): string {
  return versus?.verdict.isSmall ? `${standing}, small` : (standing ?? "");
}

export function isMemory({ part }: FootprintChange): boolean {
  return part !== "startCpu";
}

/** Percentiles that certainly changed by as much as matters, and what that means for the check: our own words. */
export function latencySentences(row: Row, { design }: Pick<Comparison, "design">): string[] {
  const changed = (row.versus?.latency ?? []).filter(({ kind }) => kind === "longer" || kind === "shorter");
  if (changed.length === 0) return [];
  const changes = changed.map((change) => `${percentileName(change)} ${changeWords(change)}`).join("; ");
  const limit = percent(design?.minLatencyChange ?? usualLatencyEffect);
  return [
    `Latency at saturation changed: ${changes}.`,
    ...(row.reach.latency === "certainly"
      ? [`The check fails, because a percentile is longer by ${limit} or more.`]
      : []),
    ...(row.reach.latency === "perhaps"
      ? [`A percentile may be longer by ${limit} or more, which would fail the check.`]
      : []),
  ];
}

function changeWords({ arms: { base, head }, effect }: LatencyChange): string {
  return `${figure(base.value)} → ${figure(head.value)} ms (${relativeChange(effect)})`;
}

/** `10.6 → 15.5 (+46% ± 8)`, in milliseconds; or why a percentile is not known, with its bounds. */
export function percentileText(row: Row, share: number): string | undefined {
  const change = row.versus?.latency.find((each) => each.share === share);
  if (change === undefined) return undefined;
  const { arms, kind, effect, requests } = change;
  if (kind === "unresolved")
    return `not resolvable with ${count(requests)} requests (${boundsText(arms.base)} → ${boundsText(arms.head)})`;
  const figures = `${figure(arms.base.value)} → ${figure(arms.head.value)}`;
  return effect.interval === undefined ? figures : `${figures} (${relativeChange(effect)})`;
}

function boundsText({ low, high }: PercentileMs): string {
  return high === undefined ? `${figure(low)} or more` : `${figure(low)} to ${figure(high)}`;
}

/** What came with the age of one pair of servers, when that is more than the verdicts say: our own words. */
export function agingSentences(row: Row, { failsFrom }: Pick<Comparison, "failsFrom">): string[] {
  const { aging } = row;
  if (aging === undefined) return [];
  const { seconds, cells, effect, beyond, longestMs, memoryGrowth, isMemoryGrowing } = aging;
  const where = cells > 1 ? `, ${plural(cells, "endpoint")} by turns` : "";
  const more =
    beyond.value === effect.value ? "" : `, ${relativeChange(beyond)} beyond what young servers show`;
  const seen = `in one pair of servers that lived for ${Math.round(seconds)} s${where} total throughput changed by ${relativeChange(effect)}${more}; the longest reply took ${figure(longestMs.base)} → ${figure(longestMs.head)} ms.`;
  return [
    ...(row.withAge === "perhaps slower"
      ? [`Perhaps slower with age: ${seen} A longer \`soak\` would tell.`]
      : []),
    ...(row.withAge === "slower"
      ? [
          `Slower with age: ${seen}`,
          ...(row.reach.age === "perhaps"
            ? [`May be slower by ${percent(failsFrom)} or more with age, which would fail the check.`]
            : []),
        ]
      : []),
    ...(isMemoryGrowing && memoryGrowth !== undefined
      ? [
          `Memory grows with age: ${kilobytes(memoryGrowth.base)} → ${kilobytes(memoryGrowth.head)} kB for each 1,000 requests${extraText(memoryGrowth)}.`,
        ]
      : []),
  ];
}

function extraText({ extra: { interval } }: MemoryGrowth): string {
  return interval === undefined
    ? ""
    : ` (${kilobytes(interval.low)} to ${kilobytes(interval.high)} kB more than the base)`;
}

function kilobytes(bytes: number): string {
  return figure(bytes / 1_000);
}

/** Memory and start that certainly changed by as much as matters, and what that means for the check: our own words. */
export function footprintSentences(row: Row, { design }: Pick<Comparison, "design">): string[] {
  const changed = (row.versus?.footprint ?? []).filter(({ kind }) => kind !== "none");
  const memory = changed.filter(({ part }) => part !== "startCpu").map(memoryWords);
  const starts = changed.filter(({ part }) => part === "startCpu").map(startSentence);
  if (memory.length === 0) return starts;
  const limit = percent(design?.minMemoryChange ?? usualMemoryEffect);
  const reach = row.reach.memory;
  return [
    `Memory changed: ${memory.join("; ")}.`,
    ...(reach === "certainly" ? [`The check fails, because it is more by ${limit} or more.`] : []),
    ...(reach === "perhaps" ? [`It may be more by ${limit} or more, which would fail the check.`] : []),
    ...starts,
  ];
}

function memoryWords({ part, arms: { base, head }, effect }: FootprintChange): string {
  const moment = part === "readyMemory" ? "when ready" : "at most";
  return `${moment} ${figure(base / 1e6)} → ${figure(head / 1e6)} MB (${relativeChange(effect)})`;
}

function startSentence({ arms: { base, head }, effect }: FootprintChange): string {
  return `The server's start takes ${figure(base)} → ${figure(head)} s of CPU (${relativeChange(effect)}).`;
}
