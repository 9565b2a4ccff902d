import type { Comparison, Row } from "../../compare/comparison.ts";
import type { MemoryGrowth } from "../../compare/footprint/memory-growth.ts";
import { reachOf } from "../../compare/reach.ts";
import { perhapsSlowerWithAge, slowerWithAge } from "../../compare/standing.ts";
import { figure, plural } from "../../text/numbers.ts";
import { percent, relativeChange } from "../../text/percent.ts";
import { limitOf } from "./outcome.ts";

/** What came with the age of one pair of servers, when that is more than the verdicts say: our own words. */
export function agingSentences(row: Row, { check, design }: Pick<Comparison, "check" | "design">): string[] {
  const { aging } = row;
  if (aging === undefined) return [];
  const { seconds, cells, effect, beyond, longestMs, memoryGrowth, isMemoryGrowing } = aging;
  const where = cells > 1 ? `, ${plural(cells, "endpoint")} by turns` : "";
  const limit = limitOf(check, design);
  const canFail = design?.kind !== "control" && check.failOn !== "never";
  const isPerhaps = canFail && reachOf(beyond, limit) === "perhaps";
  const more =
    beyond.value === effect.value ? "" : `, ${relativeChange(beyond)} beyond what young servers show`;
  const seen = `in one pair of servers that lived for ${Math.round(seconds)} s${where} total throughput changed by ${relativeChange(effect)}${more}; the longest reply took ${figure(longestMs.base)} → ${figure(longestMs.head)} ms.`;
  return [
    ...(perhapsSlowerWithAge(row)
      ? [`Perhaps slower with age: ${seen} A longer \`server-age\` would tell.`]
      : []),
    ...(slowerWithAge(row)
      ? [
          `Slower with age: ${seen}`,
          ...(isPerhaps
            ? [`May be slower by ${percent(limit)} or more with age, which would fail the check.`]
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
