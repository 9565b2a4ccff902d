import type { Row } from "../../compare/comparison.ts";
import { type WorkersAdvice, workersAdvice } from "../../compare/workers/advice.ts";
import { sharedAdvice } from "../../compare/workers/advice-outcome.ts";
import { adviceSentence, rateOf } from "../../compare/workers/sentence.ts";
import type { ScaledCount } from "../../compare/workers/worker-count.ts";
import { count, figure, plural, times, unknown, withInterval } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { type WorkersChart, workersChart } from "./workers-chart.ts";
import { workersNotes } from "./workers-notes.ts";

/** Most endpoints in one sentence, and most sentences that are shown unfolded. */
const mostNames = 3;
const mostSentences = 8;

/** The advice on workers, in no format yet. */
export interface WorkersSection {
  readonly sentences: readonly WorkersSentence[];
  /** Number of sentences that did not fit. */
  readonly more: number;
  /** Figures of our own; the first column has the endpoint, which is foreign. */
  readonly titles: readonly string[];
  readonly lines: readonly WorkersLine[];
  /** Notes on reading it and on its limits: foreign sentences. */
  readonly notes: readonly string[];
  /** Charts of endpoints with enough counts for a curve. */
  readonly charts: readonly WorkersChart[];
}

/** `subject` or `endpoints`: the subject of the sentence. */
export interface WorkersSentence {
  /** Our own words; empty when the endpoints are named. */
  readonly subject: string;
  /** Foreign texts, at most three. */
  readonly endpoints: readonly string[];
  /** Our own words. */
  readonly text: string;
}

export interface WorkersLine {
  /** Foreign text. */
  readonly endpoint: string;
  readonly workers: number;
  /** As many as there are further titles; empty when the count has none. */
  readonly figures: readonly string[];
  /** Stands in place of the figures: a foreign sentence. */
  readonly problem: string;
}

interface Column {
  readonly title: string;
  readonly text: (line: ScaledCount) => string;
  readonly isKnown: (line: ScaledCount) => boolean;
}

const columns: readonly Column[] = [
  { title: "Throughput [req/s]", text: (line) => figure(rateOf(line)), isKnown: () => true },
  {
    title: "Speed-up",
    text: ({ speedUp }) => withInterval(speedUp, times),
    isKnown: ({ speedUp }) => speedUp !== undefined,
  },
  {
    title: "Efficiency",
    text: ({ efficiency }) => withInterval(efficiency, wholePercent),
    isKnown: ({ efficiency }) => efficiency !== undefined,
  },
  {
    title: "CPU busy",
    text: ({ cpuShare }) => (cpuShare === undefined ? unknown : wholePercent(cpuShare)),
    isKnown: ({ cpuShare }) => cpuShare !== undefined,
  },
  {
    title: "Peak memory [MB]",
    text: ({ memoryBytes }) => figure(memoryBytes === undefined ? undefined : memoryBytes / 1e6),
    isKnown: ({ memoryBytes }) => memoryBytes !== undefined,
  },
  {
    title: "Connections",
    text: ({ connections }) => count(connections),
    isKnown: ({ connections }) => (connections ?? 0) > 0,
  },
];

/** `undefined` when no endpoint was planned with two worker counts, or none of them has figures. */
export function workersSection(rows: readonly Row[]): WorkersSection | undefined {
  const advices = workersAdvice(rows);
  if (!advices.some(({ counts }) => counts.length > 0)) return undefined;
  const shared = sharedAdvice(advices);
  const all = shared.map((each): WorkersSentence => {
    const isAll = shared.length === 1 && advices.length > 1;
    const rest = each.endpoints.length - mostNames;
    return {
      subject: isAll
        ? `${advices.length === 2 ? "both" : `all ${advices.length}`} endpoints`
        : rest > 0
          ? `and ${rest} more`
          : "",
      endpoints: isAll ? [] : each.endpoints.slice(0, mostNames),
      text: adviceSentence(each),
    };
  });
  const known = columns.filter(({ isKnown }) => advices.some(({ counts }) => counts.some(isKnown)));
  return {
    sentences: all.slice(0, mostSentences),
    more: Math.max(0, all.length - mostSentences),
    titles: ["Endpoint", "Workers", ...known.map(({ title }) => title)],
    lines: advices.flatMap((advice) => linesOf(advice, known)),
    notes: workersNotes(advices),
    charts: advices.flatMap(({ endpoint, counts }) => workersChart(endpoint, counts) ?? []),
  };
}

/** Counts the sentences that did not fit, in words. */
export function moreSentences(more: number): string {
  return `and ${plural(more, "more sentence")} for other endpoints; the table has all.`;
}

function linesOf({ endpoint, counts, unusable }: WorkersAdvice, known: readonly Column[]): WorkersLine[] {
  const lines = [
    ...counts.map((line) => ({
      endpoint,
      workers: line.workers,
      figures: known.map(({ text }) => text(line)),
      problem: "",
    })),
    ...unusable.map(({ workers, reason }) => ({ endpoint, workers, figures: [], problem: reason })),
  ];
  return lines.toSorted((a, b) => a.workers - b.workers);
}

function wholePercent(share: number): string {
  return percent(share, "whole");
}
