import type { Row } from "../../compare/comparison.ts";
import { type WorkersAdvice, workersAdvice } from "../../compare/workers/advice.ts";
import {
  type AdviceOutcome,
  adviceOutcome,
  type SharedAdvice,
  sharedAdvice,
} from "../../compare/workers/advice-outcome.ts";
import { adviceSentence, caveatWords, rateOf } from "../../compare/workers/sentence.ts";
import { type ScaledCount, worthwhileShare } from "../../compare/workers/worker-count.ts";
import { shortenEnd } from "../../text/length.ts";
import { count, figure, plural, times, unknown, withInterval } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { joined, type Line, line, name, sentence } from "../document/inline.ts";
import type { TableRow, Workers, WorkersCurve } from "../document/report.ts";
import { longestReason } from "./failures-section.ts";
import { workersNotes } from "./workers-notes.ts";

/** Most endpoints in one sentence, and most sentences that are shown unfolded. */
const mostNames = 3;
const mostSentences = 8;

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

/** The advice on workers; `undefined` when no endpoint was planned with two counts, or none of them has figures. */
export function workersSection(rows: readonly Row[]): Workers | undefined {
  const advices = workersAdvice(rows);
  if (!advices.some(({ counts }) => counts.length > 0)) return undefined;
  const shared = sharedAdvice(advices);
  const all = shared.map((each) =>
    line(subjectOf(each, shared, advices), ": ", sentence(adviceSentence(each))),
  );
  const more = all.length - mostSentences;
  const rest = line(`and ${count(more)} more. The table lists all endpoints.`);
  const known = columns.filter(({ isKnown }) => advices.some(({ counts }) => counts.some(isKnown)));
  return {
    rows: advices.map(workersRow),
    sentences: more > 0 ? [...all.slice(0, mostSentences), rest] : all,
    table: {
      labels: [
        { title: "Endpoint", kind: "name", dispensability: 0 },
        { title: "Workers", kind: "number", dispensability: 0 },
      ],
      figures: known.map(({ title }) => ({ title, kind: "number", dispensability: 0 })),
      rows: advices.flatMap((advice) => rowsOf(advice, known)),
    },
    notes: workersNotes(advices).map(sentence),
    curves: advices.flatMap(({ endpoint, counts }) => curveOf(endpoint, counts) ?? []),
  };
}

/** The endpoints, which are foreign, by their names or their number. */
function subjectOf(
  { endpoints }: SharedAdvice,
  shared: readonly SharedAdvice[],
  advices: readonly WorkersAdvice[],
): Line {
  if (shared.length === 1 && advices.length > 1)
    return line(`${advices.length === 2 ? "both" : `all ${advices.length}`} endpoints`);
  const rest = endpoints.length - mostNames;
  const named = endpoints.slice(0, mostNames).map((endpoint) => line(name(endpoint)));
  return joined(rest > 0 ? [...named, line(`and ${rest} more`)] : named, ", ");
}

function rowsOf({ endpoint, counts, unusable }: WorkersAdvice, known: readonly Column[]): TableRow[] {
  const row = (workers: number, own: Pick<TableRow, "figures" | "problem">) => ({
    workers,
    row: {
      labels: [line(name(endpoint)), line(String(workers))],
      ...own,
      verdictTone: "plain" as const,
      tone: "plain" as const,
      weight: "measured" as const,
    },
  });
  const all = [
    ...counts.map((each) =>
      row(each.workers, { figures: known.map(({ text }) => line(text(each))), problem: undefined }),
    ),
    ...unusable.map(({ workers, reason }) =>
      row(workers, {
        figures: [],
        problem: { brief: sentence(shortenEnd(reason, longestReason)), whole: sentence(reason) },
      }),
    ),
  ];
  return all.toSorted((a, b) => a.workers - b.workers).map((each) => each.row);
}

function wholePercent(share: number): string {
  return percent(share, "whole");
}

/** With fewer counts a curve shows no more than a table. */
const fewestCounts = 3;

/** `undefined` when there is no curve to see. */
export function curveOf(endpoint: string, counts: readonly ScaledCount[]): WorkersCurve | undefined {
  const sorted = counts.toSorted((a, b) => a.workers - b.workers);
  const [first] = sorted;
  if (first === undefined || sorted.length < fewestCounts) return undefined;
  const perWorker = rateOf(first) / first.workers;
  return {
    caption: line(name(endpoint), ": the bars show measured throughput; the line shows ideal scaling."),
    points: sorted.map((each) => ({
      workers: each.workers,
      rate: rateOf(each),
      ideal: perWorker * each.workers,
    })),
  };
}

/** The advice on an endpoint as a row: `/items`, `2 workers`, `1,804 req/s`, …, or why there is none. */
function workersRow(advice: WorkersAdvice): readonly Line[] {
  const endpoint = line(name(advice.endpoint));
  const outcome = adviceOutcome(advice);
  if (outcome === undefined) return [endpoint, line(`no recommendation, because ${advice.obstacle}`)];
  const { chosen, enough, isCertain } = outcome;
  const { memoryBytes, connections = 0 } = chosen;
  const columns = [
    `${isCertain ? "" : "probably "}${plural(enough.workers, "worker")}`,
    `${figure(rateOf(chosen))} req/s`,
    memoryBytes === undefined ? "" : `${figure(memoryBytes / 1e6)} MB`,
    connections === 0 ? "" : plural(connections, "connection"),
    [comparedWords(outcome), caveatWords([outcome])].filter((text) => text !== "").join("; "),
  ];
  return [endpoint, ...columns.filter((text) => text !== "").map((text) => line(text))];
}

/** The recommended number compared with larger ones, else with the smallest. */
function comparedWords({ advice, chosen, smallest, upTo, isOpen }: AdviceOutcome): string {
  const larger = advice.counts.find(({ workers }) => workers === upTo);
  if (larger !== undefined) {
    const change = rateOf(larger) / rateOf(chosen) - 1;
    const words =
      change < -worthwhileShare
        ? `${percent(-change, "whole")} slower`
        : `under ${percent(worthwhileShare)} faster`;
    return `${plural(larger.workers, "worker")}: ${words}`;
  }
  const speedUp = chosen.speedUp?.value;
  const gain =
    smallest === undefined || speedUp === undefined
      ? ""
      : `${times(speedUp)} times as fast as ${plural(smallest, "worker")}`;
  return [gain, isOpen ? "more workers may help" : ""].filter((text) => text !== "").join("; ");
}
