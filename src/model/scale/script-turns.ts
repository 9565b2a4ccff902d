import { groupBy } from "../../lists/group.ts";
import { sum } from "../../statistics/estimate.ts";
import { secondsToLastReply, slicesAfter } from "../load/load-records.ts";
import { loneSlicing } from "../load/slicing.ts";
import { recordOfRun, replicateOfRuns, type WholeRun } from "../load/whole-run.ts";
import { type ArmName, armNames, type Replicate } from "../measurement/measurement.ts";
import type { GeneratorRecords } from "./generator-records.ts";
import { type ExpectedLoad, type MergedLoad, mergeGenerators } from "./merged-load.ts";
import { seedOf } from "./scaled-plan.ts";
import { mergeParts } from "./script-part.ts";

const { sliceMs } = loneSlicing;
/** Time for k6 to end and to begin again: setup and teardown included, which no script's length has. */
const betweenSeconds = 10;
/** No run of a script may take longer, whoever runs it. */
const longestSeconds = 3_600;
/** With fewer there is no interval. */
const fewestPairs = 2;
/** Generators may be a tenth of it apart: turns do not touch, but the parts of one are to be sent together. */
export const togetherMs = 5_000;

/** When whole runs of a script begin: the same in all generators, because nobody agrees on anything meanwhile. */
export interface Schedule {
  readonly turns: number;
  /** From the start of a turn to that of the next. */
  readonly spacingSeconds: number;
}

/**
 * As many pairs of runs, one against each arm, as the minutes have room for; or why there are none.
 *
 * @param seconds the longest time of one run
 * @param design absent: there is one run
 */
export function scheduleOf(
  script: string,
  seconds: number,
  design: { readonly maxMinutes: number; readonly looks: readonly number[] } | undefined,
): Schedule | string {
  const ofScript = `${script} may take ${Math.ceil(seconds)} s with its graceful stops`;
  if (seconds > longestSeconds) return `script: ${ofScript}, and an hour is the most`;
  const spacingSeconds = Math.ceil(seconds) + betweenSeconds;
  if (design === undefined) return { turns: 1, spacingSeconds };
  const { maxMinutes, looks } = design;
  const pairs = Math.min(Math.max(...looks), Math.floor((maxMinutes * 60) / (2 * spacingSeconds)));
  if (pairs >= fewestPairs) return { turns: 2 * pairs, spacingSeconds };
  const least = Math.ceil((2 * fewestPairs * spacingSeconds) / 6) / 10;
  return `script, max-minutes: ${ofScript}, so ${2 * fewestPairs} runs by generators need ${least} minutes, and max-minutes is ${maxMinutes}; give more, or make the script shorter (duration, or gracefulStop of its scenarios)`;
}

/** The arm of a turn: A B, then B A, in an order that the run decides anew for each four of them. */
export function armOfTurn(index: number, run: string, cell: string): ArmName {
  const isHeadFirst = seedOf(`${run} ${index >> 2}`, cell) % 2;
  return armNames[(isHeadFirst + (index & 1) + ((index >> 1) & 1)) % 2] ?? "head";
}

/** The turns of a script in order, or what keeps them from being whole: one clause each. */
export function mergeTurns(
  records: readonly GeneratorRecords[],
  expected: Omit<ExpectedLoad, "sliceMs">,
): { readonly turns: readonly MergedLoad[] } | { readonly problems: readonly string[] } {
  const counts = new Set(records.map(({ turn }) => turn?.of ?? 0));
  const most = Math.max(...counts);
  if (counts.size > 1 || most === 0)
    return { problems: [`the generators had different numbers of turns: ${[...counts].join(", ")}`] };
  const merged = Array.from({ length: most }, (_, index) =>
    mergeGenerators(
      records.filter(({ turn }) => turn?.index === index),
      { ...expected, sliceMs: togetherMs },
    ),
  );
  const turns = merged.flatMap((each) => ("load" in each ? [each.load] : []));
  const problems = merged.flatMap((each, index) => {
    if ("problems" in each) return each.problems.map((problem) => ({ problem, index }));
    return each.load.requests > 0 ? [] : [{ problem: "no request was sent", index }];
  });
  if (problems.length === 0) return { turns };
  return {
    problems: [...groupBy(problems, ({ problem }) => problem)].map(([problem, those]) =>
      those.length === most ? problem : `${problem} (turn ${those.map(({ index }) => index + 1).join(", ")})`,
    ),
  };
}

/** One replicate for each pair of turns; or the only turn, which is the head's. */
export function replicatesOfTurns(
  turns: readonly MergedLoad[],
  { run, cell, isCompared }: { readonly run: string; readonly cell: string; readonly isCompared: boolean },
): Replicate[] {
  const runs = turns.map((turn, index) => {
    const arm = isCompared ? armOfTurn(index, run, cell) : "head";
    return {
      index,
      arm,
      whole: runOf(turn, arm),
      shares: turn.generators.flatMap(({ cpuShare }) => cpuShare ?? []),
    };
  });
  const conditionsOf = (all: readonly Pick<(typeof runs)[number], "shares">[]) => {
    const shares = all.flatMap((each) => each.shares);
    return shares.length > 0 ? { conditions: { generatorShare: Math.max(...shares) } } : {};
  };
  if (!isCompared)
    return runs.map((each) => {
      const { generator, record, results } = each.whole;
      return { generator, arms: { head: record }, script: results, ...conditionsOf([each]) };
    });
  return [...groupBy(runs, ({ index }) => index >> 1).values()].flatMap((pair) => {
    const [base, head] = armNames.map((arm) => pair.find((each) => each.arm === arm)?.whole);
    return base === undefined || head === undefined
      ? []
      : [{ ...replicateOfRuns(base, head), ...conditionsOf(pair) }];
  });
}

/** One run, from its first request to its last reply, of whichever generator. */
function runOf({ slices, generators, requests, droppedIterations }: MergedLoad, arm: ArmName): WholeRun {
  const turns = generators.flatMap(({ turn }) => turn ?? []);
  const firstMs = Math.min(...turns.flatMap((turn) => turn.firstMs ?? []));
  const skipped = Math.floor(firstMs / sliceMs);
  const own = slicesAfter(slices, skipped, sliceMs);
  const endMs = secondsToLastReply(own) * 1_000;
  return {
    generator: {
      requests,
      failures: sum(slices.map(({ failures }) => failures)),
      iterations: sum(turns.map(({ iterations }) => iterations)),
      droppedIterations,
      durationSeconds: Math.max(1, endMs - (firstMs - skipped * sliceMs)) / 1_000,
    },
    record: recordOfRun(arm, own, endMs),
    results: mergeParts(turns.map(({ script }) => script)),
  };
}
