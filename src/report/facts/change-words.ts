import type { MemoryGrowth } from "../../compare/aging.ts";
import type { Comparison, Row } from "../../compare/comparison.ts";
import type { FootprintChange } from "../../compare/footprint-change.ts";
import type { InstructionChange } from "../../compare/instruction-change.ts";
import type { LatencyChange, PercentileMs } from "../../compare/latency-change.ts";
import { usualCostEffect, usualLatencyEffect, usualMemoryEffect } from "../../model/plan/plan.ts";
import type { Estimate } from "../../statistics/estimate.ts";
import { shortenEnd } from "../../text/length.ts";
import { count, figure, plural } from "../../text/numbers.ts";
import { bracketedChange, changeSize, percent, relativeChange, signedPercent } from "../../text/percent.ts";

/** `p99` */
export function percentileName({ share }: Pick<LatencyChange, "share">): "p50" | "p95" | "p99" {
  if (share < 0.9) return "p50";
  return share < 0.99 ? "p95" : "p99";
}

/** `unchanged, slower over time, higher p99, more memory`; empty when the row has no figures. */
export function verdictWords(row: Row): string {
  return `${row.standing ?? ""}${additionsToStanding(row)}`;
}

/** What follows the standing: `, small, higher p99`. */
export function additionsToStanding(row: Row): string {
  const names = row.unexpectedLatencies.map(percentileName);
  const perhaps = row.withAge === "perhaps slower" ? ["perhaps slower over time"] : [];
  const age = row.withAge === "slower" ? ["slower over time"] : perhaps;
  const latency = names.length === 0 ? [] : [`higher ${names.join(", ")}`];
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

/** Percentiles that certainly changed enough to matter, and what that means for the check: our own words. */
export function latencySentences(row: Row, { design }: Pick<Comparison, "design">): string[] {
  const changed = (row.versus?.latency ?? []).filter(({ kind }) => kind === "longer" || kind === "shorter");
  if (changed.length === 0) return [];
  const changes = changed.map((change) => `${percentileName(change)} ${changeWords(change)}`);
  const limit = percent(design?.minLatencyChange ?? usualLatencyEffect);
  return [
    `Latency at saturation changed: ${changes.join(", ")}.`,
    ...(row.reach.latency === "certainly"
      ? [`The check fails because a percentile is at least ${limit} higher.`]
      : []),
    ...(row.reach.latency === "perhaps"
      ? [`A percentile may be at least ${limit} higher, which would fail the check.`]
      : []),
  ];
}

function changeWords({ arms: { base, head }, effect }: LatencyChange): string {
  return `from ${figure(base.value)} to ${figure(head.value)} ms${bracketedChange(effect)}`;
}

/** `10.6 → 15.5 (+46% ± 8)`, in milliseconds; or why a percentile is not known, with its bounds. */
export function percentileText(row: Row, share: number): string | undefined {
  const change = row.versus?.latency.find((each) => each.share === share);
  if (change === undefined) return undefined;
  const { arms, kind, effect, requests } = change;
  if (kind === "unresolved")
    return `unknown with ${count(requests)} requests (${boundsText(arms.base)} → ${boundsText(arms.head)})`;
  return `${figure(arms.base.value)} → ${figure(arms.head.value)}${bracketedChange(effect)}`;
}

function boundsText({ low, high }: PercentileMs): string {
  return high === undefined ? `${figure(low)} or more` : `${figure(low)} to ${figure(high)}`;
}

/** What the soak test found beyond the verdict: our own words. */
export function agingSentences(row: Row, { failsFrom }: Pick<Comparison, "failsFrom">): string[] {
  const { aging } = row;
  if (aging === undefined) return [];
  const { seconds, cells, effect, beyond, longestMs, memoryGrowth, isMemoryGrowing } = aging;
  const where = cells > 1 ? ` with requests to ${plural(cells, "endpoint")} in turn` : "";
  const more =
    beyond.value === effect.value
      ? ""
      : ` Without the difference between fresh servers, the change is ${relativeChange(beyond)}.`;
  const { size } = changeSize(effect);
  const seen = `In a ${Math.round(seconds)} s soak test${where}, the head's total throughput was ${size} ${effect.value < 0 ? "lower" : "higher"} than the base's${intervalWords(effect)}.${more} The slowest response took ${figure(longestMs.base)} ms in the base and ${figure(longestMs.head)} ms in the head.`;
  return [
    ...(row.withAge === "perhaps slower" ? [`${seen} A longer \`soak\` would settle it.`] : []),
    ...(row.withAge === "slower"
      ? [
          seen,
          ...(row.reach.age === "perhaps"
            ? [`It may be at least ${percent(failsFrom)} slower over time, which would fail the check.`]
            : []),
        ]
      : []),
    ...(isMemoryGrowing && memoryGrowth !== undefined
      ? [
          `Memory grows over time: by ${kilobytes(memoryGrowth.head)} kB per 1,000 requests instead of ${kilobytes(memoryGrowth.base)} kB${extraText(memoryGrowth)}.`,
        ]
      : []),
  ];
}

/** ` (−27% to −11%)`; empty where it is not known. */
function intervalWords({ interval }: Estimate): string {
  return interval === undefined ? "" : ` (${signedPercent(interval.low)} to ${signedPercent(interval.high)})`;
}

function extraText({ extra: { interval } }: MemoryGrowth): string {
  return interval === undefined
    ? ""
    : ` (${kilobytes(interval.low)} to ${kilobytes(interval.high)} kB more than the base)`;
}

function kilobytes(bytes: number): string {
  return figure(bytes / 1_000);
}

/** Memory and start that certainly changed enough to matter, and what that means for the check: our own words. */
export function footprintSentences(row: Row, { design }: Pick<Comparison, "design">): string[] {
  const changed = (row.versus?.footprint ?? []).filter(({ kind }) => kind !== "none");
  const memory = changed.filter(({ part }) => part !== "startCpu").map(memorySentence);
  const starts = changed.filter(({ part }) => part === "startCpu").map(startSentence);
  if (memory.length === 0) return starts;
  const limit = percent(design?.minMemoryChange ?? usualMemoryEffect);
  const reach = row.reach.memory;
  return [
    ...memory,
    ...(reach === "certainly" ? [`The check fails because memory grew by at least ${limit}.`] : []),
    ...(reach === "perhaps"
      ? [`Memory may have grown by at least ${limit}, which would fail the check.`]
      : []),
    ...starts,
  ];
}

/** Instructions of a request that certainly changed enough to matter, and what that means for the check: our own words. */
export function instructionSentences(row: Row, { design }: Pick<Comparison, "design">): string[] {
  const change = row.versus?.instructions;
  if (typeof change !== "object" || change.kind === "none") return [];
  const {
    arms: { base, head },
    effect,
  } = change;
  const limit = percent(design?.minCostChange ?? usualCostEffect);
  const reach = row.reach.cost;
  return [
    `Each request runs ${changeSize(effect).size} ${change.kind === "more" ? "more" : "fewer"} CPU instructions (${millions(base)} → ${millions(head)})${libraryWords(change)}.`,
    ...(reach === "certainly" ? [`The check fails because the number grew by at least ${limit}.`] : []),
    ...(reach === "perhaps"
      ? [`The number may have grown by at least ${limit}, which would fail the check.`]
      : []),
  ];
}

/** Why instructions are not known, where they were to be counted; empty where they were. May quote foreign text. */
export function uncountedWords(rows: readonly Row[]): string {
  const [reason, ...others] = new Set(
    rows.flatMap(({ versus }) => versus?.instructions ?? []).filter(isText),
  );
  if (reason === undefined) return "";
  const some = rows.some(({ versus }) => typeof versus?.instructions === "object")
    ? " for some endpoints"
    : "";
  return `CPU instructions were not counted${some}: ${shortenEnd(reason, 200)}${others.length > 0 ? ", among other reasons" : ""}.`;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** `: +0.31 M in pydantic_core, +0.02 M in Python`; empty where no library stands out. */
export function libraryWords({ libraries }: InstructionChange): string {
  const parts = libraries.map(
    ({ name, extraInstructions: extra }) => `${extra > 0 ? "+" : "−"}${millions(Math.abs(extra))} in ${name}`,
  );
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`;
}

/** `3.97 M` */
export function millions(instructions: number): string {
  return `${figure(instructions / 1e6)} M`;
}

function memorySentence({ part, arms: { base, head }, effect }: FootprintChange): string {
  const which = part === "readyMemory" ? "Memory when ready" : "Peak memory";
  return `${which} went from ${figure(base / 1e6)} to ${figure(head / 1e6)} MB${bracketedChange(effect)}.`;
}

function startSentence({ arms: { base, head }, effect }: FootprintChange): string {
  return `Starting the server takes ${figure(head)} s of CPU instead of ${figure(base)} s${bracketedChange(effect)}.`;
}
