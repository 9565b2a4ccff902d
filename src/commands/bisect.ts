import { type ComparedEnds, compareEnds, countedEnds, slowdownOf, witnessOf } from "../compare/bisection.ts";
import type { Comparison } from "../compare/comparison.ts";
import type { RawInputs } from "../config/inputs.ts";
import { exitStatus, InputError } from "../errors/errors.ts";
import { defined } from "../lists/defined.ts";
import {
  type BisectAnswer,
  type Bisection,
  bisectionSchema,
  usualComparisons,
} from "../model/bisection/bisection.ts";
import type { BisectPorts, CommitRange } from "../ports/run.ts";
import * as words from "../report/bisection-words.ts";
import { jsonOf } from "../text/json.ts";
import type { Bisecting } from "./arguments.ts";
import { compared, countAll, type Searching, test } from "./bisected-commit.ts";
import { endpointOf, environmentOf, portsWithin } from "./bisected-range.ts";
import { readRequest, refuseTokens } from "./request.ts";
import { measureAll } from "./run.ts";
import { usualInputs } from "./usual-inputs.ts";

/** Finds the commit at which an endpoint changed. Returns 0 when it is found, or the ends do not differ. */
export async function bisect(
  wanted: Bisecting,
  ports: BisectPorts,
  { measured, counted }: Pick<Searching, "measured" | "counted"> = {
    measured: measureAll,
    counted: countAll,
  },
): Promise<number> {
  refuseTokens(ports.environment);
  const given = Object.fromEntries(Object.entries(wanted.raw).filter(([, text]) => text));
  const raw = { ...usualInputs.bisect, ...given };
  const request = await readRequest("run", raw, ports.request);
  const folder = request.reporting.resultsDirectory;
  const [first] = request.apps;
  if (first === undefined || first.workload.targets !== undefined)
    throw new InputError(["base-url: bisect needs the app's code, because it starts each commit"]);
  await using range = await ports.openRange(wanted.good, wanted.bad);
  const searching: Searching = {
    ...{ wanted, ports, range, folder, measured, counted },
    isCounting: first.workload.comparing.countsInstructions,
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

function begin({ good, bad }: CommitRange, { endpoint }: Bisecting, given: RawInputs): Bisection {
  const { "max-minutes": _, "results-directory": __, ...others } = given;
  const inputs = Object.fromEntries(
    Object.entries({ ...others, endpoint }).flatMap(([name, text]) => (text ? [[name, text]] : [])),
  );
  return { schemaVersion: 2, good, bad, inputs, comparisons: 0, answers: [] };
}

/** The search that was begun earlier; `undefined` when there is none of the same question. */
function readBisection(text: string | undefined, { good, bad, inputs }: Bisection): Bisection | undefined {
  if (text === undefined) return undefined;
  const { data } = bisectionSchema.safeParse(jsonOf(text));
  const isSame =
    data?.good === good && data.bad === bad && JSON.stringify(data.inputs) === JSON.stringify(inputs);
  return isSame ? data : undefined;
}

/** Compares the two ends. Returns an exit status when there is nothing to search, or when that is not known. */
async function ends(begun: Bisection, searching: Searching): Promise<Bisection | number> {
  const { range, ports, wanted, isCounting } = searching;
  ports.print(`${words.comparingEnds(range)}\n`);
  const spent = { ...begun, comparisons: begun.comparisons + 1 };
  const settings = { "base-ref": range.good, "count-instructions": isCounting ? "auto" : "never" };
  const comparison = await compared(range.bad, begun, settings, searching, (apps) =>
    endpointOf(apps, wanted.endpoint),
  );
  if (comparison instanceof Error) throw comparison;
  const found = compareEnds(comparison.rows);
  const change = found.kind === "changed" ? changedEnds(found, range) : countedOnly(found, comparison, range);
  const bisection = { ...spent, ...change?.known };
  await keep(bisection, searching);
  if (change !== undefined) {
    ports.print(`${change.text}\n`);
    return bisection;
  }
  const isEqual = found.kind === "equal";
  ports.print(`${isEqual ? words.equalEnds(comparison, range) : words.openEnds(found.row)}\n`);
  return isEqual ? exitStatus.fine : exitStatus.environmentFailed;
}

interface ChangeOfEnds {
  readonly known: Pick<Bisection, "cell" | "change" | "slowerEnd" | "witness">;
  readonly text: string;
}

function changedEnds(
  { row, effect }: Extract<ComparedEnds, { kind: "changed" }>,
  range: CommitRange,
): ChangeOfEnds {
  const change = slowdownOf(effect);
  const slowerEnd = effect.value < 0 ? "bad" : "good";
  const witness = witnessOf(row, { change, slowerEnd });
  return {
    known: { cell: row.cell.id, change, slowerEnd, ...defined({ witness }) },
    text: `${words.changedEnds(row, effect, range)}\n${words.witness(witness, row)}`,
  };
}

/** Where throughput leaves open whether the ends differ, a count may not. */
function countedOnly(
  { kind }: ComparedEnds,
  { rows }: Comparison,
  range: CommitRange,
): ChangeOfEnds | undefined {
  const found = kind === "not certain" ? countedEnds(rows) : undefined;
  if (found === undefined) return undefined;
  const { row, change, slowerEnd, witness } = found;
  return {
    known: { cell: row.cell.id, slowerEnd, witness },
    text: words.countedEnds(row, change, range),
  };
}

/** Goes on with the commits that git names until one is found. */
async function search(begun: Bisection, searching: Searching): Promise<number> {
  const { range, ports } = searching;
  let bisection = begun;
  for (;;) {
    const next = await range.next(bisection.answers);
    if (next.kind === "among") {
      ports.print(`${words.among(next.commits)}\n`);
      return exitStatus.environmentFailed;
    }
    const doubted = next.kind === "found" ? unconfirmed(bisection, next.commit) : undefined;
    if (next.kind === "found" && doubted === undefined) {
      const chance = { total: searching.total, comparisons: bisection.comparisons };
      const about = await range.describe(next.commit);
      ports.print(`${words.found(next.commit, about, chance, words.decided(bisection, next.commit))}\n`);
      return exitStatus.fine;
    }
    const commit = doubted?.commit ?? next.commit;
    const left = next.kind === "test" ? next.left : 1;
    ports.print(
      `${doubted === undefined ? words.testing(commit, left, usualComparisons(left) - 1) : words.confirming(commit)}\n`,
    );
    const tested = await test(commit, bisection, searching, { isByTime: doubted !== undefined });
    const { answer } = tested;
    bisection = { ...bisection, comparisons: bisection.comparisons + 1 };
    if (answer !== undefined)
      bisection = doubted === undefined ? answered(bisection, answer) : confirmed(bisection, doubted, answer);
    await keep(bisection, searching);
    ports.print(`${tested.line}\n`);
    if (doubted !== undefined && bisection.witness === undefined) ports.print(`${words.contradicted()}\n`);
    if (answer === undefined) {
      ports.print(
        `${doubted === undefined ? words.remaining(bisection, left) : words.unconfirmed(bisection)}\n`,
      );
      return exitStatus.environmentFailed;
    }
  }
}

function answered(bisection: Bisection, answer: BisectAnswer): Bisection {
  return { ...bisection, answers: [...bisection.answers, answer] };
}

/** A commit next to the change that only a count has placed, which throughput may not follow. */
function unconfirmed({ witness, answers }: Bisection, found: string): BisectAnswer | undefined {
  if (witness === undefined || witness.isProof) return undefined;
  const around = [
    answers.find(({ commit }) => commit === found),
    answers.findLast(({ answer }) => answer === "good"),
  ];
  return around.find((each) => each?.counted !== undefined && each.counted.isConfirmed === undefined);
}

/** Where throughput says something else, the counts say nothing of it, and it decides from here on. */
function confirmed(bisection: Bisection, doubted: BisectAnswer, byTime: BisectAnswer): Bisection {
  const { witness: _, answers, ...others } = bisection;
  if (byTime.answer !== doubted.answer)
    return { ...others, answers: [...answers.filter(({ counted }) => counted === undefined), byTime] };
  const { counted } = doubted;
  const sure = { ...doubted, ...(counted && { counted: { ...counted, isConfirmed: true as const } }) };
  return { ...bisection, answers: answers.map((each) => (each === doubted ? sure : each)) };
}

async function keep(bisection: Bisection, { ports, folder }: Searching): Promise<void> {
  await ports.saveState(folder, `${JSON.stringify(bisection)}\n`);
}
