import type { Row } from "../../compare/comparison.ts";
import { shortenEnd } from "../../text/length.ts";
import { joined, type Line, line, name, sentence } from "../document/inline.ts";
import type { Workers } from "../document/report.ts";
import type { TableRow } from "../document/table.ts";
import {
  moreSentences,
  type WorkersLine,
  type WorkersSentence,
  workersSection as workersTold,
} from "../workers/workers-table.ts";
import { longestReason } from "./problem-line.ts";

/** The advice on workers; `undefined` when nobody asked for several counts. */
export function workersSection(rows: readonly Row[]): Workers | undefined {
  const told = workersTold(rows);
  if (told === undefined) return undefined;
  const { sentences, more, titles, lines, notes, charts } = told;
  const [endpoint = "", workers = "", ...others] = titles;
  return {
    sentences: [...sentences.map(sentenceOf), ...(more > 0 ? [line(moreSentences(more))] : [])],
    table: {
      labels: [
        { title: endpoint, kind: "name", dispensability: 0 },
        { title: workers, kind: "number", dispensability: 0 },
      ],
      figures: others.map((title) => ({ title, kind: "number", dispensability: 0 })),
      rows: lines.map(rowOf),
    },
    notes: notes.map(sentence),
    curves: charts.map(({ endpoint: of, points }) => ({
      caption: line(
        name(of),
        ": bars are what was measured, the line is what it would be if every worker added as much as the first.",
      ),
      points,
    })),
  };
}

function sentenceOf({ subject, endpoints, text }: WorkersSentence): Line {
  const about = [
    ...endpoints.map((endpoint) => line(name(endpoint))),
    ...(subject === "" ? [] : [line(subject)]),
  ];
  return line(joined(about, ", "), ": ", sentence(text));
}

function rowOf({ endpoint, workers, figures, problem }: WorkersLine): TableRow {
  return {
    labels: [line(name(endpoint)), line(String(workers))],
    figures: figures.map((text) => line(text)),
    problem:
      problem === ""
        ? undefined
        : { brief: sentence(shortenEnd(problem, longestReason)), whole: sentence(problem) },
    verdictTone: "plain",
    tone: "plain",
    weight: "measured",
  };
}
