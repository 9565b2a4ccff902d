import type { Comparison } from "../../compare/comparison.ts";
import { cellLabel } from "../../model/plan/cell.ts";
import { count, figure } from "../../text/numbers.ts";
import { printable } from "../../text/printable.ts";

/** One result of the user's own k6 script, beside its requests and thresholds. */
export interface ScriptLine {
  /** Path of the script: foreign text, as `name` is. */
  readonly script: string;
  readonly kind: "check" | "group" | "metric";
  readonly name: string;
  readonly workers: number;
  readonly result: string;
  /** True when a check failed. */
  readonly isBad: boolean;
}

/** Checks, failed ones first, then groups and metrics of every script; empty when there is no script. */
export function scriptLines({ rows }: Comparison): readonly ScriptLine[] {
  const all = rows.flatMap(({ cell, script }): ScriptLine[] => {
    if (script === undefined) return [];
    const of = { script: cellLabel(cell), workers: cell.workers, isBad: false };
    return [
      ...script.checks.map(({ group, name, passes, fails }) => ({
        ...of,
        kind: "check" as const,
        name: group === "" ? name : `${groupName(group)}: ${name}`,
        result: `${count(passes)} of ${count(passes + fails)} passed`,
        isBad: fails > 0,
      })),
      ...script.groups.map(({ name, count: times, meanMs, p95Ms }) => ({
        ...of,
        kind: "group" as const,
        name: groupName(name),
        result: `${count(times)} times, mean ${figure(meanMs)} ms, p95 ${figure(p95Ms)} ms`,
      })),
      ...script.metrics.map(({ name, values }) => ({
        ...of,
        kind: "metric" as const,
        name,
        result: Object.entries(values)
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([figureName, value]) => `${printable(figureName)} ${figure(value)}`)
          .join(", "),
      })),
    ];
  });
  return [...all.filter(({ isBad }) => isBad), ...all.filter(({ isBad }) => !isBad)];
}

/** `::list::first page`, as people read it. */
function groupName(path: string): string {
  return path
    .split("::")
    .filter((part) => part !== "")
    .join(" / ");
}
