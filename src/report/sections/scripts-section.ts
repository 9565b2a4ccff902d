import type { Comparison } from "../../compare/comparison.ts";
import { count } from "../../text/numbers.ts";
import { line, name, strong } from "../document/inline.ts";
import type { Scripts } from "../document/report.ts";
import { type ScriptLine, scriptLines } from "../facts/script-results.ts";

/** The results of the user's own load scripts; `undefined` when none was run. */
export function scriptsSection(comparison: Comparison): Scripts | undefined {
  const lines = scriptLines(comparison);
  if (lines.length === 0) return undefined;
  return {
    table: {
      labels: [
        { title: "Load script", kind: "name", dispensability: 0 },
        { title: "Of", kind: "words", dispensability: 0 },
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
