import {
  answerOf,
  type Counted,
  instructionsApart,
  likenessOf,
  placeOf,
  statementsApart,
} from "../compare/bisection.ts";
import type { Comparison } from "../compare/comparison.ts";
import { type InstructionChange, instructionChange } from "../compare/instruction-change.ts";
import type { RawInputs } from "../config/inputs.ts";
import { EnvironmentError, InputError } from "../errors/errors.ts";
import type { NonEmptyArray } from "../lists/non-empty.ts";
import { countAlone } from "../measure/count.ts";
import { type BisectAnswer, type Bisection, errorShare } from "../model/bisection/bisection.ts";
import { makePlan } from "../model/plan/plan.ts";
import type { AppOfReport } from "../model/workload/workload.ts";
import type { BisectPorts, CommitRange, RunPorts } from "../ports/run.ts";
import * as words from "../report/bisection-words.ts";
import { cellAlone } from "./again.ts";
import type { Bisecting } from "./arguments.ts";
import { fillInEndpoints, readRequest } from "./request.ts";
import type { measureAll } from "./run.ts";

export interface Searching {
  readonly measured: typeof measureAll;
  readonly counted: typeof countAll;
  /** False where the user wants no instructions counted. */
  readonly isCounting: boolean;
  readonly wanted: Bisecting;
  readonly ports: BisectPorts;
  /** The same, where a commit of the range is the working tree. */
  readonly inRange: RunPorts;
  readonly range: CommitRange;
  /** Absolute. */
  readonly folder: string;
  readonly raw: RawInputs;
  /** Chance of any wrong answer in the whole search. */
  readonly total: number;
}

type Problem = InputError | EnvironmentError;
type Choice = (apps: NonEmptyArray<AppOfReport>) => NonEmptyArray<AppOfReport>;

/** What is counted is counted apart. */
const bare = {
  ...{ soak: "0s", diagnose: "never", "count-instructions": "never", comment: "false" },
  "fail-on": "regression",
};
/** Enough to count statements. */
const shortMinutes = "0.4";

/** Measures a commit. `answer`: `undefined` where none is certain. */
export async function test(
  commit: string,
  bisection: Bisection,
  searching: Searching,
  { isByTime }: { readonly isByTime: boolean },
): Promise<{ readonly answer: BisectAnswer | undefined; readonly line: string }> {
  const byCount = isByTime ? undefined : await testByCount(commit, bisection, searching);
  return byCount ?? (await testByTime(commit, bisection, searching));
}

/** `undefined` where the count does not decide. */
async function testByCount(commit: string, bisection: Bisection, searching: Searching) {
  const { witness, slowerEnd = "bad" } = bisection;
  if (witness === undefined) return undefined;
  const { by, apart } = witness;
  const counted =
    by === "instructions"
      ? await countedApart(commit, bisection, searching)
      : await countedStatements(commit, bisection, searching);
  if (counted instanceof Error) return skipped(commit, reasonOf(counted));
  if (typeof counted !== "object") return undefined;
  const { likeness, isAtNeitherEnd } = placeOf(counted.apart, apart);
  const answer = answerOf(likeness, slowerEnd);
  if (answer === undefined) return undefined;
  const placed = { perRequest: counted.other, isAtNeitherEnd };
  return {
    answer: { commit, answer, counted: placed },
    line: words.counted(commit, answer, placed, witness),
  };
}

function skipped(commit: string, why: string) {
  const line = words.tested(commit, undefined, { answer: "skip", limit: 0, why });
  return { answer: { commit, answer: "skip" as const }, line };
}

async function testByTime(commit: string, bisection: Bisection, searching: Searching) {
  const { change, slowerEnd = "bad" } = bisection;
  // Throughput then only shows whether the app can be measured.
  const settings = change === undefined ? { "max-minutes": shortMinutes } : {};
  const limit = change === undefined ? Number.NaN : -change / 2;
  const comparison = await comparedToFaster(commit, bisection, searching, settings);
  if (comparison instanceof Error) return skipped(commit, reasonOf(comparison));
  const [row] = comparison.rows;
  const answer = answerOf(likenessOf(row, limit), slowerEnd);
  if (answer === undefined && change === undefined) return skipped(commit, "its count does not decide");
  return {
    answer: answer && { commit, answer },
    line: words.tested(commit, row, { answer, limit, why: "" }),
  };
}

async function comparedToFaster(
  commit: string,
  bisection: Bisection,
  searching: Searching,
  settings: RawInputs,
): Promise<Comparison | Problem> {
  const { cell = "", change } = bisection;
  const limit = change === undefined ? undefined : share(-change / 2);
  const limits = limit === undefined ? {} : { "min-change": limit, "max-slowdown": limit };
  return await compared(
    commit,
    bisection,
    { "base-ref": fasterEnd(bisection), ...limits, ...settings },
    searching,
    (apps) => cellAlone(apps, cell),
  );
}

async function countedStatements(commit: string, bisection: Bisection, searching: Searching) {
  const comparison = await comparedToFaster(commit, bisection, searching, { "max-minutes": shortMinutes });
  if (comparison instanceof Error) return comparison;
  return statementsApart(comparison.rows[0]?.arms ?? {});
}

/** Instructions of a commit's requests against the faster end; the problem of a commit that cannot be prepared, or why they are not known. */
async function countedApart(
  commit: string,
  bisection: Bisection,
  searching: Searching,
): Promise<Counted | Problem | string> {
  const { counted, inRange, folder, ports } = searching;
  const { cell = "" } = bisection;
  const inputs = {
    ...inputsOf(bisection, { "base-ref": fasterEnd(bisection) }, searching),
    "results-directory": ports.request.files.resolve("counted", folder),
  };
  const change = await attempted(commit, searching, () =>
    counted(inputs, inRange, (apps) => cellAlone(apps, cell)),
  );
  if (typeof change === "string" || change instanceof Error) return change;
  return instructionsApart(change) ?? "the counts of two starts differ";
}

function fasterEnd({ slowerEnd, good, bad }: Bisection): string {
  return slowerEnd === "good" ? bad : good;
}

function reasonOf(problem: Problem): string {
  return problem instanceof InputError ? problem.problems.join("; ") : problem.message;
}

function share(value: number): string {
  return `${(value * 100).toFixed(6)}%`;
}

/** The comparison of a commit; the problem of one that cannot be measured. */
export async function compared(
  commit: string,
  bisection: Bisection,
  settings: RawInputs,
  searching: Searching,
  choose: Choice,
): Promise<Comparison | Problem> {
  const { folder, inRange, ports, measured } = searching;
  const inputs = {
    ...inputsOf(bisection, settings, searching),
    "results-directory": ports.request.files.resolve(commit.slice(0, 10), folder),
  };
  return await attempted(
    commit,
    searching,
    async () => (await measured(inputs, inRange, choose)).results.comparison,
  );
}

function inputsOf({ comparisons }: Bisection, settings: RawInputs, { raw, total, range }: Searching) {
  const falseAlarms = share(errorShare(total, range.commits, comparisons));
  return { ...raw, ...bare, ...settings, "false-alarm-rate": falseAlarms };
}

/** Does something where a commit is checked out; returns the problem of a commit that cannot be measured. */
async function attempted<T>(
  commit: string,
  { range, ports }: Searching,
  act: () => Promise<T>,
): Promise<T | Problem> {
  await range.checkOut(commit);
  try {
    const result = await act();
    ports.signal.throwIfAborted(); // what is missing then says nothing of the commit
    return result;
  } catch (problem) {
    if (!(problem instanceof InputError || problem instanceof EnvironmentError)) throw problem;
    return problem;
  }
}

/**
 * The change of the instructions of one cell's requests from the base, or why it is not known. Throws an `InputError` or
 * an `EnvironmentError` when the app cannot be prepared.
 */
export async function countAll(
  raw: RawInputs,
  ports: RunPorts,
  choose: (apps: NonEmptyArray<AppOfReport>) => NonEmptyArray<AppOfReport>,
): Promise<InstructionChange | string> {
  const request = await readRequest("run", raw, ports.request);
  const [{ workload }] = choose(await fillInEndpoints(request, ports));
  const {
    cells: [cell],
    design,
  } = makePlan(workload);
  if (cell === undefined || design === undefined) return "there is nothing to compare";
  const counted = await countAlone(cell, workload, await ports.measurePorts(request.reporting, workload));
  return instructionChange(counted, design);
}
