import type { Row } from "../../compare/comparison.ts";
import { type WorkersAdvice, workersAdvice } from "../../compare/workers/advice.ts";
import { sharedAdvice } from "../../compare/workers/advice-outcome.ts";
import { adviceSentence, rateOf } from "../../compare/workers/sentence.ts";
import type { ScaledCount } from "../../compare/workers/worker-count.ts";
import { count, figure, plural, times, unknown, withInterval } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { type WorkersChart, workersChart } from "./workers-chart.ts";
import { workersNotes } from "./workers-notes.ts";

/** So many endpoints are named in one sentence, and so many sentences stand where everybody reads. */
const mostNames = 3;
const mostSentences = 8;

/** How many workers to run, in no format yet. */
export interface WorkersSection {
  readonly sentences: readonly WorkersSentence[];
  /** Sentences that did not fit. */
  readonly more: number;
  /** Figures of our own; the first column has the endpoint, which is foreign. */
  readonly titles: readonly string[];
  readonly lines: readonly WorkersLine[];
  /** How to read it, and what limits it: foreign sentences. */
  readonly notes: readonly string[];
  /** Of endpoints with enough counts for a curve. */
  readonly charts: readonly WorkersChart[];
}

/** `subject` or `endpoints`: what it is about. */
export interface WorkersSentence {
  /** Our own words; empty where the endpoints are named. */
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

/** What a sentence is about where only plain text is known: `2 of your endpoints`. */
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
