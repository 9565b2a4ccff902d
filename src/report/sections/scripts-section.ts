import type { Comparison } from "../../compare/comparison.ts";
import type { ScriptResults } from "../../model/measurement/generator.ts";
import { cellLabel } from "../../model/plan/cell.ts";
import type { Estimate } from "../../statistics/estimate.ts";
import { count, figure } from "../../text/numbers.ts";
import { bracketedChange } from "../../text/percent.ts";
import { printable } from "../../text/visible.ts";
import { line, name, strong } from "../document/inline.ts";
import type { Scripts } from "../document/report.ts";

/** The results of the user's own load scripts; `undefined` when none was run. */
export function scriptsSection(comparison: Comparison): Scripts | undefined {
  const lines = scriptLines(comparison);
  if (lines.length === 0) return undefined;
  return {
    table: {
      labels: [
        { title: "Load script", kind: "name", dispensability: 0 },
        { title: "Kind", kind: "words", dispensability: 0 },
        { title: "Name", kind: "words", dispensability: 0 },
        { title: "Workers", kind: "number", dispensability: 0 },
      ],
      figures: [{ title: "Result", kind: "verdict", dispensability: 0 }],
      rows: lines.map(({ script, kind, name: what, workers, result, isBad }) => ({
        labels: [line(name(script)), line(kind), line(name(what)), line(count(workers))],
        figures: [line(isBad ? strong(result) : result)],
        problem: undefined,
        verdictTone: toneOf(isBad),
        tone: toneOf(isBad),
        weight: "measured",
      })),
    },
    lines: lines.map(({ script, kind, name: what, workers, result, isBad }) => ({
      text: line(name(script), ` (w${workers}): ${kind} `, name(what), `: ${result}`),
      tone: toneOf(isBad),
    })),
  };
}

function toneOf(isBad: ScriptLine["isBad"]) {
  return isBad ? ("bad" as const) : ("plain" as const);
}

interface ScriptLine {
  /** Path of the script: foreign text, as `name` is. */
  readonly script: string;
  readonly kind: "check" | "request" | "group" | "metric";
  readonly name: string;
  readonly workers: number;
  readonly result: string;
  readonly isBad: boolean;
}

/** Checks, failed ones first, then requests, groups and metrics of every script; empty when there is no script. */
function scriptLines({ rows }: Comparison): readonly ScriptLine[] {
  const all = rows.flatMap(({ cell, script, scriptChange }): ScriptLine[] => {
    if (script === undefined) return [];
    const of = { script: cellLabel(cell), workers: cell.workers, isBad: false };
    const { base, changes } = scriptChange ?? {};
    const timed = (kind: "request" | "group", key: "requests" | "groups") =>
      (script[key] ?? []).map((each) => {
        const before = base?.[key]?.find(({ name }) => name === each.name);
        const effect = changes?.find((change) => change.of === key && change.name === each.name)?.effect;
        const name = kind === "group" ? groupName(each.name) : each.name;
        return { ...of, kind, name, result: timesText(each, before, effect) };
      });
    return [
      ...script.checks.map((each) => {
        const { group, name, fails } = each;
        const before = base?.checks.find((other) => other.group === group && other.name === name);
        return {
          ...of,
          kind: "check" as const,
          name: group === "" ? name : `${groupName(group)}: ${name}`,
          result: `${passedText(each)} passed${before === undefined ? "" : `, base ${passedText(before)}`}`,
          isBad: fails > 0,
        };
      }),
      ...timed("request", "requests"),
      ...timed("group", "groups"),
      ...script.metrics.map(({ name, values }) => {
        const before = base?.metrics.find((other) => other.name === name);
        const ofBase = before === undefined ? "" : `; base ${valuesText(before.values)}`;
        return { ...of, kind: "metric" as const, name, result: `${valuesText(values)}${ofBase}` };
      }),
    ];
  });
  return [...all.filter(({ isBad }) => isBad), ...all.filter(({ isBad }) => !isBad)];
}

type Times = ScriptResults["groups"][number];

function timesText(head: Times, base: Times | undefined, effect: Estimate | undefined): string {
  if (base === undefined)
    return `ran ${count(head.count)} times, mean ${figure(head.meanMs)} ms, p95 ${figure(head.p95Ms)} ms`;
  const fromTo = (of: (times: Times) => number) => `${figure(of(base))} → ${figure(of(head))} ms`;
  return `ran ${count(head.count)} times, mean ${fromTo(({ meanMs }) => meanMs)}${bracketedChange(effect)}, p95 ${fromTo(({ p95Ms }) => p95Ms)}`;
}

function passedText({ passes, fails }: ScriptResults["checks"][number]): string {
  return `${count(passes)} of ${count(passes + fails)}`;
}

function valuesText(values: ScriptResults["metrics"][number]["values"]): string {
  return Object.entries(values)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${printable(name)} ${figure(value)}`)
    .join(", ");
}

/** `::list::first page`, as people read it. */
function groupName(path: string): string {
  return path
    .split("::")
    .filter((part) => part !== "")
    .join(" / ");
}
