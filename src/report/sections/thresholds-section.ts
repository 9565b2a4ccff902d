import type { Comparison } from "../../compare/comparison.ts";
import { count, plural } from "../../text/numbers.ts";
import { code, line, name, sentence, strong } from "../document/inline.ts";
import type { Table, Thresholds, Tone } from "../document/report.ts";
import { type ThresholdLine, thresholdCounts, thresholdLines } from "../facts/thresholds.ts";

/** Most thresholds that are shown unfolded, the broken ones first. The folded list has all. */
const mostShown = 20;

const everyEndpoint = "all endpoints";
const stateWords = { kept: "met", broken: "broken", unknown: "not judged" } as const;
const stateTones = { kept: "plain", broken: "bad", unknown: "doubt" } as const satisfies Readonly<
  Record<ThresholdLine["state"], Tone>
>;

/** Thresholds with their values; `undefined` when none was set. */
export function thresholdsSection(comparison: Comparison): Thresholds | undefined {
  const lines = thresholdLines(comparison);
  if (lines.length === 0) return undefined;
  const shown =
    lines.length <= mostShown ? lines : lines.filter(({ state }) => state !== "kept").slice(0, mostShown);
  return {
    counts: `${thresholdCounts(lines)}.`,
    shown: shown.length === 0 ? undefined : tableOf(shown),
    all: tableOf(lines),
    lines: lines.map(({ state, endpoint, workers, condition, value }) => ({
      tone: stateTones[state],
      text: line(
        `Threshold ${stateWords[state]}: `,
        endpoint === "" ? everyEndpoint : name(endpoint),
        `, ${plural(workers, "worker")}: `,
        code(condition),
        " (",
        sentence(value),
        ")",
      ),
    })),
  };
}

function tableOf(lines: readonly ThresholdLine[]): Table {
  return {
    labels: [
      { title: "Threshold", kind: "words", dispensability: 0 },
      { title: "Endpoint", kind: "name", dispensability: 0 },
      { title: "Workers", kind: "number", dispensability: 0 },
    ],
    figures: [
      { title: "Measured", kind: "words", dispensability: 0 },
      { title: "", kind: "verdict", dispensability: 0 },
    ],
    rows: lines.map(({ state, endpoint, workers, condition, value }) => ({
      labels: [
        line(code(condition)),
        line(endpoint === "" ? everyEndpoint : name(endpoint)),
        line(count(workers)),
      ],
      figures: [sentence(value), line(state === "kept" ? stateWords.kept : strong(stateWords[state]))],
      problem: undefined,
      verdictTone: stateTones[state],
      tone: stateTones[state],
      weight: "measured",
    })),
  };
}
