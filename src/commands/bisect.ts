import { answerOf, compareEnds, likenessOf, slowdownOf } from "../compare/bisection.ts";
import type { Comparison } from "../compare/comparison.ts";
import type { RawInputs } from "../config/inputs.ts";
import { EnvironmentError, exitStatus, InputError } from "../errors/errors.ts";
import type { NonEmptyArray } from "../lists/non-empty.ts";
import {
  type Bisection,
  bisectionSchema,
  errorShare,
  usualComparisons,
} from "../model/bisection/bisection.ts";
import type { AppOfReport } from "../model/workload/workload.ts";
import type { BisectPorts, CommitRange, RunPorts } from "../ports/run.ts";
import * as words from "../report/bisection-words.ts";
import { cellAlone } from "./again.ts";
import type { Bisecting } from "./arguments.ts";
import { endpointOf, environmentOf, portsWithin } from "./bisected-range.ts";
import { readRequest, refuseTokens } from "./request.ts";
import { measureAll } from "./run.ts";

/** A comparison goes on until it is certain, and hardly ever needs this long. */
const usual = { "max-minutes": "4", "results-directory": "loadtest-bisect" };

/** Nothing but throughput distinguishes two ends. */
const bare = {
  ...{ soak: "0s", diagnose: "never", "count-instructions": "never", comment: "false" },
  "fail-on": "regression",
};

/** Finds the commit at which an endpoint changed. Returns 0 when it is found, or the ends do not differ. */
export async function bisect(
  wanted: Bisecting,
  ports: BisectPorts,
  measured: typeof measureAll = measureAll,
): Promise<number> {
  refuseTokens(ports.environment);
  const given = Object.fromEntries(Object.entries(wanted.raw).filter(([, text]) => text));
  const raw = { ...usual, ...given };
  const request = await readRequest("run", raw, ports.request);
  const folder = request.reporting.resultsDirectory;
  const [first] = request.apps;
  if (first === undefined || first.workload.targets !== undefined)
    throw new InputError(["base-url: bisect needs the app's code, because it starts each commit"]);
  await using range = await ports.openRange(wanted.good, wanted.bad);
  const searching: Searching = {
    ...{ wanted, ports, range, folder, measured },
    raw: { ...raw, ...environmentOf(request.apps) },
    total: first.workload.comparing.falseAlarmRate,
    inRange: await portsWithin(range, request.apps, ports),
  };
  const begun = begin(range, wanted, given);
  const kept = readBisection(await ports.readState(folder), begun);
  if (kept !== undefined && kept.answers.length > 0) ports.print(`${words.resumed(kept.answers.length)}\n`);
  await keep(kept ?? begun, searching); // the folder is git's to ignore before anything else is in it
  const compared = kept?.cell === undefined ? await ends(kept ?? begun, searching) : kept;
  return typeof compared === "number" ? compared : await search(compared, searching);
}

interface Searching {
  readonly measured: typeof measureAll;
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

function begin({ good, bad }: CommitRange, { endpoint }: Bisecting, given: RawInputs): Bisection {
  const { "max-minutes": _, "results-directory": __, ...others } = given;
  const inputs = Object.fromEntries(
    Object.entries({ ...others, endpoint }).flatMap(([name, text]) => (text ? [[name, text]] : [])),
  );
  return { schemaVersion: 1, good, bad, inputs, comparisons: 0, answers: [] };
}

/** The search that was begun earlier; `undefined` when there is none of the same question. */
function readBisection(text: string | undefined, { good, bad, inputs }: Bisection): Bisection | undefined {
  if (text === undefined) return undefined;
  const { data } = bisectionSchema.safeParse(parsed(text));
  const isSame =
    data?.good === good && data.bad === bad && JSON.stringify(data.inputs) === JSON.stringify(inputs);
  return isSame ? data : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Compares the two ends. Returns an exit status when there is nothing to search, or when that is not known. */
async function ends(begun: Bisection, searching: Searching): Promise<Bisection | number> {
  const { range, ports, wanted } = searching;
  ports.print(`${words.comparingEnds(range)}\n`);
  const spent = { ...begun, comparisons: begun.comparisons + 1 };
  const settings = { "base-ref": range.good };
  const comparison = await compared(range.bad, begun, settings, searching, (apps) =>
    endpointOf(apps, wanted.endpoint),
  );
  if ("problem" in comparison) throw comparison.problem;
  const found = compareEnds(comparison.rows);
  if (found.kind !== "changed") {
    await keep(spent, searching);
    ports.print(
      `${found.kind === "equal" ? words.equalEnds(comparison, range) : words.openEnds(found.row)}\n`,
    );
    return found.kind === "equal" ? exitStatus.fine : exitStatus.environmentFailed;
  }
  const { row, effect } = found;
  ports.print(`${words.changedEnds(row, effect, range)}\n`);
  const bisection: Bisection = {
    ...spent,
    cell: row.cell.id,
    change: slowdownOf(effect),
    slowerEnd: effect.value < 0 ? "bad" : "good",
  };
  await keep(bisection, searching);
  return bisection;
}

/** Goes on with the commits that git names until one is found. */
async function search(begun: Bisection, searching: Searching): Promise<number> {
  const { range, ports } = searching;
  let bisection = begun;
  for (;;) {
    const next = await range.next(bisection.answers);
    if (next.kind === "found") {
      const chance = { total: searching.total, comparisons: bisection.comparisons };
      ports.print(`${words.found(next.commit, await range.describe(next.commit), chance)}\n`);
      return exitStatus.fine;
    }
    if (next.kind === "among") {
      ports.print(`${words.among(next.commits)}\n`);
      return exitStatus.environmentFailed;
    }
    const { commit, left } = next;
    ports.print(`${words.testing(commit, left, usualComparisons(left) - 1)}\n`);
    const tested = await test(commit, bisection, searching);
    bisection = tested.bisection;
    await keep(bisection, searching);
    ports.print(`${tested.line}\n`);
    if (!tested.isAnswered) {
      ports.print(`${words.remaining(bisection, left)}\n`);
      return exitStatus.environmentFailed;
    }
  }
}

async function test(commit: string, bisection: Bisection, searching: Searching) {
  const { cell = "", change = 0, slowerEnd = "bad" } = bisection;
  const limit = -change / 2;
  const settings = {
    "base-ref": slowerEnd === "bad" ? bisection.good : bisection.bad,
    "min-change": share(limit),
    "max-slowdown": share(limit),
  };
  const comparison = await compared(commit, bisection, settings, searching, (apps) => cellAlone(apps, cell));
  const row = "problem" in comparison ? undefined : comparison.rows[0];
  const answer = answerOf(likenessOf(row, limit), slowerEnd);
  const why = "problem" in comparison ? reasonOf(comparison.problem) : "";
  return {
    isAnswered: answer !== undefined,
    line: words.tested(commit, row, { answer, limit, why }),
    bisection: {
      ...bisection,
      comparisons: bisection.comparisons + 1,
      answers: answer === undefined ? bisection.answers : [...bisection.answers, { commit, answer }],
    },
  };
}

function reasonOf(problem: InputError | EnvironmentError): string {
  return problem instanceof InputError ? problem.problems.join("; ") : problem.message;
}

function share(value: number): string {
  return `${(value * 100).toFixed(6)}%`;
}

type Choice = (apps: NonEmptyArray<AppOfReport>) => NonEmptyArray<AppOfReport>;

/** The comparison of a commit; the problem of one that cannot be measured. */
async function compared(
  commit: string,
  { comparisons }: Bisection,
  settings: RawInputs,
  { range, raw, total, folder, inRange, ports, measured }: Searching,
  choose: Choice,
): Promise<Comparison | { readonly problem: InputError | EnvironmentError }> {
  await range.checkOut(commit);
  const inputs = {
    ...{ ...raw, ...bare, ...settings },
    "false-alarm-rate": share(errorShare(total, range.commits, comparisons)),
    "results-directory": ports.request.files.resolve(commit.slice(0, 10), folder),
  };
  try {
    const { results } = await measured(inputs, inRange, choose);
    ports.signal.throwIfAborted(); // what is missing then says nothing of the commit
    return results.comparison;
  } catch (problem) {
    if (!(problem instanceof InputError || problem instanceof EnvironmentError)) throw problem;
    return { problem };
  }
}

async function keep(bisection: Bisection, { ports, folder }: Searching): Promise<void> {
  await ports.saveState(folder, `${JSON.stringify(bisection)}\n`);
}
