import { groupBy } from "../../lists/group.ts";
import { type HistoryLine, parseHistoryLine } from "../history-line.ts";

export interface HistoryText {
  /** Name for messages. */
  readonly name: string;
  readonly text: string;
  /** The reason why it could not be read; then there is no text. */
  readonly problem?: string;
}

export interface Trend {
  readonly report: string;
  /** Id made of everything that says what is measured; foreign text. */
  readonly cell: string;
  readonly app: string | null;
  readonly endpoint: string;
  readonly workers: number;
  /** One for each commit, in the order of measuring; never empty. */
  readonly lines: readonly HistoryLine[];
}

interface TrendMachine {
  readonly fingerprint: string;
  readonly cpuModel: string;
  readonly cores: number;
  readonly commits: number;
}

export interface History {
  /** Sorted by report, app, endpoint and worker count. */
  readonly trends: readonly Trend[];
  readonly machines: readonly TrendMachine[];
  readonly commits: number;
  /** One sentence for each file with unusable lines, and one for all files beyond the limit. */
  readonly warnings: readonly string[];
}

const mostWarnings = 5;

/** Puts the lines of a history together. It reports and leaves out lines of others or of a later version. */
export function readHistory(texts: readonly HistoryText[]): History {
  const read = texts.map(linesOf);
  // A commit that was measured twice, e.g. by two ways of keeping a history, keeps its last figures.
  const newest = new Map<string, HistoryLine>();
  for (const line of read.flatMap(({ lines }) => lines).toSorted(byTime))
    newest.set(JSON.stringify([line.report, line.cell, line.commit]), line);
  const lines = [...newest.values()].toSorted(byTime);
  const cells = groupBy(lines, ({ report, cell }) => JSON.stringify([report, cell]));
  return {
    trends: [...cells.values()].flatMap(trendOf).toSorted(byName),
    machines: machinesOf(lines),
    commits: new Set(lines.map(({ commit }) => commit)).size,
    warnings: warningsOf(read.flatMap(({ warning }) => warning ?? [])),
  };
}

function linesOf({ name, text, problem }: HistoryText): { lines: HistoryLine[]; warning?: string } {
  if (problem !== undefined) return { lines: [], warning: `${name} ${problem}` };
  const written = text.split("\n").filter((line) => line.trim() !== "");
  const lines = written.flatMap((line) => parseHistoryLine(line) ?? []);
  const lost = written.length - lines.length;
  if (lost === 0) return { lines };
  const what = written.length === 1 ? "its line" : `${lost} of ${written.length} lines`;
  return { lines, warning: `${name}: ${what} cannot be read, or is of a later version` };
}

function warningsOf(all: readonly string[]): readonly string[] {
  const more = all.length - mostWarnings;
  return more > 0 ? [...all.slice(0, mostWarnings), `and ${more} more files`] : all;
}

function trendOf(lines: readonly HistoryLine[]): Trend[] {
  return lines
    .slice(-1)
    .map(({ report, cell, app, endpoint, workers }) => ({ report, cell, app, endpoint, workers, lines }));
}

function machinesOf(lines: readonly HistoryLine[]): TrendMachine[] {
  const kinds = [...groupBy(lines, ({ machine }) => machine.fingerprint).values()];
  return kinds.flatMap((own) => {
    const commits = new Set(own.map(({ commit }) => commit)).size;
    return own.slice(0, 1).map(({ machine }) => ({ ...machine, commits }));
  });
}

function byTime(a: HistoryLine, b: HistoryLine): number {
  if (a.startedAt !== b.startedAt) return a.startedAt < b.startedAt ? -1 : 1;
  return a.runId - b.runId;
}

function byName(a: Trend, b: Trend): number {
  const names = (trend: Trend) => [trend.report, trend.app ?? "", trend.endpoint];
  for (const [index, name] of names(a).entries()) {
    const other = names(b)[index] ?? "";
    if (name !== other) return name < other ? -1 : 1;
  }
  return a.workers - b.workers;
}
