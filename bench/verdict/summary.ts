import {
  agedPair,
  agedPairs,
  closedPhase,
  looks,
  mean,
  median,
  openPhase,
  openPhasesIn,
  secondsOfAged,
  secondsPerReplicate,
  variance,
} from "../../src/engine.ts";
import { rounded } from "../parts/timing.ts";
import {
  headByApp,
  headByEdit,
  headOfLiveByApp,
  liveRowsByApp,
  rowsByApp,
  rowsByEdit,
  sameWork,
} from "./apps.ts";
import { doseWords } from "./dose.ts";
import { peers } from "./peers.ts";
import { percent, toPercent } from "./percent.ts";
import type { RecordedRun } from "./recording.ts";
import { type Simulated, type Simulation, simulate } from "./simulation.ts";
import { wilsonWords } from "./wilson.ts";

const seed = 20_261;
const reports = 4_000;
const soakSeconds =
  agedPair.youth + secondsOfAged(60, agedPairs(60), Number.POSITIVE_INFINITY) + agedPair.around;
/** Replicates that a report of 15 minutes has time for, besides its preparation and the soak test. */
const inQuarterHour = Math.floor((15 * 60 - 20 - soakSeconds) / secondsPerReplicate);
/** The smallest change that the tables ask for. */
const ofFine = { cells: 1, reports, seed, minChange: 0.01 } as const;
const effects = [-0.01, -0.02, -0.03, -0.05, -0.1] as const;

/** Other work during a run. */
type Company = "nothing else" | "CPU hog" | "busy machine";

const disturbances = ["CPU hog", "busy machine"] as const;

function companyOf({ hog, busy }: RecordedRun): Company {
  if (hog) return "CPU hog";
  return busy ? "busy machine" : "nothing else";
}

function isEqual(run: RecordedRun, company: Company = "nothing else"): boolean {
  return (
    run.kind === "cpu" && run.aimedEffect === 0 && run.neutral === undefined && companyOf(run) === company
  );
}

/**
 * Runs in which both arms do the same work, the basis of all simulation: on a quiet machine those of every endpoint with
 * one address layout for both arms, edits that change nothing included; otherwise those of `/cpu`.
 */
function equalRuns(runs: readonly RecordedRun[], company: Company = "nothing else"): RecordedRun[] {
  const alike = company === "nothing else" ? sameWork(runs) : [];
  return alike.length > 1 ? alike : runs.filter((run) => isEqual(run, company));
}

/** What docs/internals/evidence.md shows. */
export function mainTables(runs: readonly RecordedRun[]): string {
  const equal = equalRuns(runs);
  if (equal.length < 2) return "Fewer than two runs of equal code are recorded: nothing to simulate.\n";
  // Other methods have long loads: only early recordings can show what they do.
  const long = runs.filter((run) => isEqual(run) && !run.alike);
  const shown = [0, -0.03, -0.05, -0.1, -0.3];
  const methods = [
    ["this project, one cell", ...shown.map((effect) => percent(calledShare(equal, effect)))],
    // A few tens of decisions each do not support more digits.
    ...peers.map(({ name, alarmShare }) => [
      name,
      ...shown.map((effect) => `${Math.round(alarmShare(long, effect) * 100)}%`),
    ]),
  ];
  return [
    `The figures come from ${equal.length} recorded runs of ${new Set(equal.map(({ kind }) => kind)).size} endpoints in which both versions did the same (${equal.flatMap(({ replicates }) => replicates).length.toLocaleString("en")} replicates). ${offsetWords(equal)}`,
    "",
    ...markdown(["method", "false alarms", "finds 3%", "finds 5%", "finds 10%", "finds 30%"], methods),
    "",
    ...markdown(
      [
        "change",
        "found",
        "called `unchanged`",
        "mean load per cell [s]",
        "cells with a false alarm or wrong sign",
      ],
      [
        ...[0, ...effects].map((effect) => simulatedRow(equal, effect)),
        ...disturbances.flatMap((company) => {
          const disturbed = equalRuns(runs, company);
          return disturbed.length > 1 ? [simulatedRow(disturbed, 0, `none, ${company}`)] : [];
        }),
      ],
    ),
    "",
    `Reports of 24 cells in 15 minutes (${inQuarterHour} replicates), the change in one of them:`,
    "",
    ...markdown(
      ["change", "found", "reports with a false alarm", "other cells called `unchanged`"],
      [0, -0.03, -0.05, -0.1].map((effect) => largeRow(equal, effect)),
    ),
    "",
    "Live, with one address layout for both versions:",
    "",
    ...liveTable(runs.filter(({ alike }) => alike)),
    "",
  ].join("\n");
}

/** What is only printed. */
export function furtherTables(runs: readonly RecordedRun[]): string {
  return [
    "By endpoint, each simulated from its own runs of equal code and of edits that change nothing:",
    "",
    ...markdown(headByApp, rowsByApp(runs)),
    "",
    "Live, with one address layout for both arms: runs that were called slower or faster, of how many. Changes are in either direction; one below `min-change` may be called or not:",
    "",
    ...markdown(headOfLiveByApp, liveRowsByApp(runs)),
    "",
    "Effect of such edits, or of the place of a checkout, on a whole run:",
    "",
    ...markdown(headByEdit, rowsByEdit(runs)),
    "",
    "With `min-change: 1%`, by throughput and stalls alone, and with CPU time:",
    "",
    ...markdown(
      [
        "machine",
        "change",
        "called, alone",
        "called, with CPU time",
        "load, alone [s]",
        "load, with CPU time [s]",
      ],
      fineRows(runs),
    ),
    "",
    "With `max-slowdown: 5%`, the check fails, by throughput and stalls alone, and with CPU time:",
    "",
    ...markdown(
      [
        "machine",
        "change",
        "fails, alone",
        "fails, with CPU time",
        "load, alone [s]",
        "load, with CPU time [s]",
      ],
      failingRows(runs),
    ),
    "",
    "With `max-slowdown: 5%`, a change that only waits, which no CPU time shows: where a cell of equal work goes on, and where it ends without a sign of a change:",
    "",
    ...markdown(
      ["machine", "change", "called, goes on", "called, ends", "load, goes on [s]", "load, ends [s]"],
      waitingRows(runs),
    ),
    "",
    "Live, with an address layout for each arm:",
    "",
    ...liveTable(runs.filter(({ alike }) => !alike)),
    ...[doseWords(runs)].flatMap((words) => (words === undefined ? [] : ["", words])),
    "",
  ].join("\n");
}

function liveTable(runs: readonly RecordedRun[]): string[] {
  return markdown(
    [
      "live runs",
      "endpoints",
      "runs",
      "slower",
      "faster",
      "unchanged",
      "inconclusive",
      "invalid",
      "called slower or faster (95% Wilson interval)",
      "mean load [s]",
      "estimate / truth",
    ],
    liveRows(runs),
  );
}

/** The benchmark's figures. */
export function figuresOf(runs: readonly RecordedRun[]): Record<string, number> {
  const equal = equalRuns(runs);
  const hog = equalRuns(runs, "CPU hog");
  const busy = equalRuns(runs, "busy machine");
  if (equal.length < 2) return { recordedRuns: runs.length };
  const everyEqual = [...equal, ...hog, ...busy];
  const at = (effect: number) => simulate(equal, { effect, cells: 1, reports, seed });
  const none = at(0);
  const ten = at(-0.1);
  return {
    falseAlarmPercentOf1Cell: toPercent(none.calledShare),
    falseAlarmPercentOf8Cells: toPercent(
      simulate(equal, { effect: 0, cells: 8, reports: 2_000, seed }).calledShare,
    ),
    ...(hog.length > 1 && {
      falseAlarmPercentWithHog: toPercent(simulate(hog, { effect: 0, cells: 1, reports, seed }).calledShare),
    }),
    ...(busy.length > 1 && {
      falseAlarmPercentBusy: toPercent(simulate(busy, { effect: 0, cells: 1, reports, seed }).calledShare),
    }),
    unchangedPercent: toPercent(none.unchangedShare),
    found1Percent: toPercent(at(-0.01).slowerShare),
    found2Percent: toPercent(at(-0.02).slowerShare),
    found3Percent: toPercent(at(-0.03).slowerShare),
    found10Percent: toPercent(ten.slowerShare),
    loadSecondsTo10Percent: loadSeconds(ten.meanReplicates),
    loadSecondsMost: loadSeconds(looks.at(-1) ?? 0),
    ...(busy.length > 1 && {
      fineFalseAlarmPercentBusy: toPercent(simulate(busy, { ...ofFine, effect: 0 }).calledShare),
      fineFound1PercentBusy: toPercent(simulate(busy, { ...ofFine, effect: -0.01 }).slowerShare),
    }),
    fineFalseAlarmPercent: toPercent(simulate(equal, { ...ofFine, effect: 0 }).calledShare),
    fineFound1Percent: toPercent(simulate(equal, { ...ofFine, effect: -0.01 }).slowerShare),
    found3PercentIn1Of24Cells: toPercent(large(equal, -0.03).slowerShare),
    replicateSdPercent: toPercent(replicateSd(equal)),
    liveRunsOfEqualCode: everyEqual.length,
    liveFalseAlarms: everyEqual.filter(({ verdict }) => verdict === "slower" || verdict === "faster").length,
    measuringPercentOfWallTime: toPercent(median(runs.map((run) => run.loadSeconds / run.wallSeconds))),
    ...measuringShares(runs),
  };
}

/** Load as a share of the time of `measure`: for all runs, and for those that went on to the last look. */
function measuringShares(runs: readonly RecordedRun[]): Record<string, number> {
  const timed = runs.flatMap(({ loadSeconds: load, measureSeconds, replicates }) =>
    measureSeconds === undefined ? [] : [{ share: load / measureSeconds, replicates: replicates.length }],
  );
  if (timed.length === 0) return {};
  const whole = timed.filter(({ replicates }) => replicates === looks.at(-1));
  const percentOf = (of: typeof timed) => toPercent(median(of.map(({ share }) => share)));
  return {
    measuringPercentOfMeasure: percentOf(timed),
    ...(whole.length > 0 && { measuringPercentOfLongestMeasures: percentOf(whole) }),
  };
}

/**
 * Checks for something that lasts for a whole run and sets one arm apart (a folder, an order, an environment). The
 * simulation cannot see it, because it gives each stretch of replicates a sign of its own.
 */
function offsetWords(equal: readonly RecordedRun[]): string {
  const series = equal.map(({ replicates }) =>
    replicates.map(({ blocks }) => mean(blocks.map(([value]) => value))),
  );
  const seen = Math.sqrt(mean(series.map((values) => mean(values) ** 2)));
  const expected = Math.sqrt(mean(series.map((values) => variance(values) / values.length)));
  return `The means of whole runs scatter by ${percent(seen)} around 0. Their replicates alone predict ${percent(expected)}.`;
}

function calledShare(equal: readonly RecordedRun[], effect: number): number {
  const { calledShare: all, slowerShare } = simulate(equal, { effect, cells: 1, reports, seed });
  return effect === 0 ? all : slowerShare;
}

function simulatedRow(equal: readonly RecordedRun[], effect: number, name = changeName(effect)): string[] {
  const made = simulate(equal, { effect, cells: 1, reports, seed });
  const wrong = effect === 0 ? made.calledShare : made.calledShare - made.slowerShare;
  return [
    name,
    effect === 0 ? "–" : percent(made.slowerShare),
    percent(made.unchangedShare),
    String(loadSeconds(made.meanReplicates)),
    percent(wrong),
  ];
}

function large(equal: readonly RecordedRun[], effect: number) {
  const [cells, changedCells, replicates] = [24, 1, inQuarterHour];
  return simulate(equal, { effect, cells, changedCells, replicates, reports: 1_000, seed });
}

function largeRow(equal: readonly RecordedRun[], effect: number): string[] {
  const made = large(equal, effect);
  return [
    changeName(effect),
    effect === 0 ? "–" : percent(made.slowerShare),
    percent(made.falseShare),
    percent(made.othersUnchangedShare),
  ];
}

/** What a report that asks for 1% finds, without and with CPU time: by condition, never pooled. */
function fineRows(runs: readonly RecordedRun[]): string[][] {
  return rowsByCompany(runs, [0, -0.01, -0.02], { minChange: 0.01 }, ({ calledShare }) => calledShare);
}

function failingRows(runs: readonly RecordedRun[]): string[][] {
  return rowsByCompany(runs, [-0.05, -0.065, -0.08], { maxSlowdown: 0.05 }, ({ failedShare }) => failedShare);
}

function waitingRows(runs: readonly RecordedRun[]): string[][] {
  const limits = { maxSlowdown: 0.05, isWaiting: true } as const;
  const ways = [{ endsWithoutSign: false }, { endsWithoutSign: true }] as const;
  return rowsByCompany(runs, [0, -0.03, -0.04, -0.05], limits, ({ calledShare }) => calledShare, ways);
}

function rowsByCompany(
  runs: readonly RecordedRun[],
  effects: readonly number[],
  limits: Pick<Simulation, "minChange" | "maxSlowdown" | "isWaiting">,
  shareOf: (simulated: Simulated) => number,
  ways: readonly Partial<Simulation>[] = [{ usesCpu: false }, { usesCpu: true }],
): string[][] {
  return (["nothing else", ...disturbances] as const).flatMap((company) => {
    const equal = equalRuns(runs, company);
    if (equal.length < 2) return [];
    return effects.map((effect) => {
      const made = ways.map((way) => simulate(equal, { effect, cells: 1, reports, seed, ...limits, ...way }));
      return [
        company === "nothing else" ? "quiet" : company,
        changeName(effect),
        ...made.map((each) => percent(shareOf(each))),
        ...made.map(({ meanReplicates }) => String(loadSeconds(meanReplicates))),
      ];
    });
  });
}

function changeName(effect: number): string {
  if (effect === 0) return "none";
  return `${percent(Math.abs(effect))} ${effect < 0 ? "slower" : "faster"}`;
}

function liveRows(runs: readonly RecordedRun[]): string[][] {
  return [...groupByName(runs)].map(([name, group]) => {
    const count = (verdict: string) => String(group.filter((run) => run.verdict === verdict).length);
    const ratios = group.flatMap((run) => {
      const truth = truthOf(run);
      return truth === 0 ? [] : [Math.log1p(run.effect) / truth];
    });
    return [
      name,
      String(new Set(group.map(({ kind }) => kind)).size),
      String(group.length),
      ...["slower", "faster", "unchanged", "inconclusive", "invalid"].map(count),
      wilsonWords(
        group.filter(({ verdict }) => verdict === "slower" || verdict === "faster").length,
        group.length,
      ),
      String(Math.round(mean(group.map(({ loadSeconds: seconds }) => seconds)))),
      ratios.length === 0
        ? "–"
        : `${rounded(mean(ratios), 3)} (${rounded(Math.min(...ratios), 3)} to ${rounded(Math.max(...ratios), 3)})`,
    ];
  });
}

function groupByName(runs: readonly RecordedRun[]): Map<string, RecordedRun[]> {
  const groups = new Map<string, RecordedRun[]>();
  for (const run of runs) groups.set(nameOf(run), [...(groups.get(nameOf(run)) ?? []), run]);
  return groups;
}

function nameOf(run: RecordedRun): string {
  const company = companyOf(run);
  const same = run.neutral === undefined ? "identical code" : "an edit that changes nothing";
  const what = run.aimedEffect === 0 ? same : changeName(run.aimedEffect);
  return `${what}${run.blind ? ", blind" : ""}${company === "nothing else" ? "" : `, ${company}`}`;
}

/** ln of the throughput's true change: counted by the app when it can, otherwise the change that was aimed at. */
function truthOf({ replicates, aimedEffect }: RecordedRun): number {
  const counted = replicates.map(({ trueEffect }) => trueEffect).filter((each) => each !== null);
  return counted.length > 0 && aimedEffect !== 0 ? mean(counted) : Math.log1p(aimedEffect);
}

/** Spread of the replicates' values around 0, which is the truth for equal code. */
function replicateSd(equal: readonly RecordedRun[]): number {
  const values = equal.flatMap(({ replicates }) =>
    replicates.map(({ blocks }) => mean(blocks.map(([value]) => value))),
  );
  return Math.sqrt(mean(values.map((value) => value ** 2)));
}

/** Seconds of load in a cell: the first replicates have an open phase, too. */
function loadSeconds(replicates: number): number {
  const slicing = { sliceMs: 50, guard: { startMs: 0, endMs: 0 } };
  const openSeconds = openPhase(1_000, 8, 8)?.load.durationSeconds ?? 0;
  const closedSeconds = closedPhase(8, slicing).load.durationSeconds;
  return rounded(replicates * closedSeconds + openPhasesIn(replicates) * openSeconds, 3);
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `|${cells.join("|")}|`;
  return [line(head), line(head.map((_, index) => (index === 0 ? "---" : "---:"))), ...rows.map(line)];
}
