// What the recorded runs of each endpoint show by themselves: the program's constants were chosen from `/cpu` alone, so every
// other endpoint is one that they never saw.

import { halfWidth, looks, mean, variance } from "../../src/engine.ts";
import { percent } from "./percent.ts";
import { kinds, type RecordedRun } from "./recording.ts";
import { simulate } from "./simulation.ts";
import { wilsonWords } from "./wilson.ts";

const seed = 20_262;
const reports = 1_000;

/** Quiet runs in which nothing of what the head does was changed, with both arms laid out alike. */
export function sameWork(runs: readonly RecordedRun[]): RecordedRun[] {
  return runs.filter(({ aimedEffect, hog, busy, alike }) => aimedEffect === 0 && !hog && !busy && alike);
}

/** A row for each endpoint with three runs or more. */
export function rowsByApp(runs: readonly RecordedRun[]): string[][] {
  return kinds.flatMap((kind) => {
    const own = sameWork(runs).filter((run) => run.kind === kind);
    if (own.length < 3) return [];
    const at = (effect: number, minChange: number) =>
      simulate(own, { effect, cells: 1, reports, seed, minChange });
    const none = at(0, 0.03);
    return [
      [
        `\`${kind}\``,
        `${own.length} (${own.flatMap(({ replicates }) => replicates).length})`,
        percent(spreadOf(own)),
        percent(none.calledShare),
        percent(none.unchangedShare),
        none.meanReplicates.toFixed(1),
        percent(at(-0.03, 0.03).slowerShare),
        percent(at(-0.1, 0.03).slowerShare),
        percent(at(0, 0.01).calledShare),
        percent(at(-0.01, 0.01).slowerShare),
      ],
    ];
  });
}

export const headByApp = [
  "endpoint",
  "runs (replicates)",
  "sd of replicates",
  "false alarms",
  "`unchanged`",
  "replicates",
  "finds 3%",
  "finds 10%",
  "at 1%: false alarms",
  "at 1%: finds 1%",
];

/** Deviation of replicates from the mean of their run. */
function spreadOf(runs: readonly RecordedRun[]): number {
  const degrees = runs.map(({ replicates }) => replicates.length - 1);
  const squares = runs.map((run, index) => variance(valuesOf(run)) * (degrees[index] ?? 0));
  const all = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
  return Math.sqrt(all(squares) / all(degrees));
}

function valuesOf({ replicates }: RecordedRun): number[] {
  return replicates.map(({ blocks }) => mean(blocks.map(([value]) => value)));
}

/**
 * Whether an edit that changes nothing moves a whole run: the deviation of the runs' means around 0, beside what their own
 * replicates let expect. The simulation gives each stretch of replicates a sign of its own and cannot show it.
 */
export function rowsByEdit(runs: readonly RecordedRun[]): string[][] {
  const groups = new Map<string, RecordedRun[]>();
  for (const run of sameWork(runs)) {
    const name = run.neutral ?? "none";
    groups.set(name, [...(groups.get(name) ?? []), run]);
  }
  return [...groups].map(([name, group]) => {
    const series = group.map(valuesOf).filter(({ length }) => length >= (looks[0] ?? 0));
    const means = series.map(mean);
    const expected = series.map((values) => variance(values) / values.length);
    const called = group.filter(({ verdict }) => verdict === "slower" || verdict === "faster").length;
    return [
      name,
      String(group.length),
      String(called),
      percent(Math.sqrt(mean(means.map((value) => value ** 2)))),
      percent(Math.sqrt(mean(expected))),
      `${percent(mean(means))} ± ${percent(halfWidth(means, 0.95))}`,
    ];
  });
}

export const headByEdit = [
  "edit of the head",
  "runs",
  "called slower or faster",
  "deviation of their means",
  "expected from their replicates",
  "mean, 95%",
];

/** What live runs said of each endpoint. */
export function liveRowsByApp(runs: readonly RecordedRun[]): string[][] {
  const quiet = runs.filter(({ alike, hog, busy }) => alike && !hog && !busy);
  const row = (name: string, own: readonly RecordedRun[]) => {
    const equal = own.filter(({ aimedEffect }) => aimedEffect === 0);
    const changed = (size: number) => own.filter(({ aimedEffect }) => Math.abs(aimedEffect) === size);
    const all = own.filter(({ aimedEffect }) => aimedEffect !== 0);
    return [
      name,
      ...[equal.filter(({ neutral }) => neutral === undefined), equal.filter(({ neutral }) => neutral)].map(
        calledOf,
      ),
      wilsonWords(equal.filter(isCalled).length, equal.length),
      ...[0.1, 0.03, 0.01].map((size) => calledOf(changed(size))),
      String(all.filter(isWrong).length),
    ];
  };
  const rows = kinds.flatMap((kind) => {
    const own = quiet.filter((run) => run.kind === kind);
    return own.length === 0 ? [] : [row(`\`${kind}\``, own)];
  });
  const blind = quiet.filter((run) => run.blind);
  return [...rows, row("all", quiet), ...(blind.length === 0 ? [] : [row("blind ones of all", blind)])];
}

export const headOfLiveByApp = [
  "endpoint",
  "equal code",
  "edits that change nothing",
  "of both, 95% by Wilson",
  "10%",
  "3%",
  "1%",
  "wrong sign",
];

function isCalled({ verdict }: RecordedRun): boolean {
  return verdict === "slower" || verdict === "faster";
}

function isWrong({ verdict, aimedEffect }: RecordedRun): boolean {
  return verdict === (aimedEffect < 0 ? "faster" : "slower");
}

function calledOf(runs: readonly RecordedRun[]): string {
  return runs.length === 0 ? "–" : `${runs.filter(isCalled).length} of ${runs.length}`;
}
