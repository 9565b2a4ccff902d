import type { Comparison, Row } from "../compare/comparison.ts";
import type { InstructionChange } from "../compare/instruction-change.ts";
import type { BisectAnswer, Bisection, Witness } from "../model/bisection/bisection.ts";
import { endpointLabel } from "../model/plan/cell.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { perRequest, plural } from "../text/numbers.ts";
import { changeSize, percent, relativeChange, signedPercent } from "../text/percent.ts";
import { printable } from "../text/visible.ts";
import { millions } from "./facts/change-words.ts";

interface Ends {
  readonly good: string;
  readonly bad: string;
  readonly commits: number;
}

const short = (commit: string) => commit.slice(0, 10);

export function resumed(answers: number): string {
  return `Resuming after ${plural(answers, "commit")}`;
}

export function comparingEnds({ good, bad, commits }: Ends): string {
  return `Comparing the ends: ${short(good)} and ${short(bad)}, ${plural(commits, "commit")} later`;
}

export function equalEnds({ design }: Comparison, { good, bad }: Ends): string {
  const least = design === undefined ? "" : ` of ${percent(design.minChange)} or more`;
  return `The ends do not differ: there is no change${least} from ${short(good)} to ${short(bad)}.`;
}

export function openEnds(row: Row | undefined): string {
  if (row === undefined) return "It is not certain that the ends differ: nothing was measured.";
  const { cell, versus } = row;
  if (versus === undefined)
    return `${printable(endpointLabel(cell.endpoint))} could not be compared: ${reasonOf(row)}`;
  return `It is not certain that the ends differ: ${doubtOf(row)}. ${longer(versus.verdict.minutesToSettle)}`;
}

export function changedEnds({ cell }: Row, effect: Estimate, { good, bad, commits }: Ends): string {
  const { size, range } = changeSize(effect);
  const word = effect.value < 0 ? "slower" : "faster";
  const name = printable(endpointLabel(cell.endpoint));
  return `${name} is ${size} ${word} (${range}) in ${short(bad)} than in ${short(good)}.${stepsLeft({ commits })}`;
}

function stepsLeft({ commits }: Pick<Ends, "commits">): string {
  const steps = Math.ceil(Math.log2(commits));
  return steps === 0 ? "" : ` About ${plural(steps, "more commit")} to measure.`;
}

const names = { instructions: "CPU instructions", statements: "SQL statements" } as const;

/** `3.97 M → 4.41 M` */
function fromTo(by: Witness["by"], from: number, to: number): string {
  return `${amount(by, from)} → ${amount(by, to)}`;
}

function amount(by: Witness["by"], value: number): string {
  return by === "instructions" ? millions(value) : perRequest(value);
}

/** @param row of the ends */
export function witness(found: Witness | undefined, { versus }: Row): string {
  const instructions = versus?.instructions;
  if (found !== undefined)
    return `Each commit is judged by its ${names[found.by]} per request: ${fromTo(found.by, found.good, found.bad)}.`;
  if (instructions === undefined) return "Each commit is judged by its throughput.";
  const why =
    typeof instructions === "string"
      ? `CPU instructions were not counted (${printable(instructions)})`
      : `CPU instructions do not explain the change (${fromTo("instructions", instructions.arms.base, instructions.arms.head)} per request)`;
  return `Each commit is judged by its throughput: ${why}.`;
}

export function countedEnds({ cell }: Row, { arms, effect }: InstructionChange, ends: Ends): string {
  const name = printable(endpointLabel(cell.endpoint));
  const more = `${changeSize(effect).size} ${effect.value > 0 ? "more" : "fewer"}`;
  return `${name} runs ${more} CPU instructions per request in ${short(ends.bad)} than in ${short(ends.good)} (${fromTo("instructions", arms.base, arms.head)}), while throughput is too noisy to be certain. Each commit is judged by its CPU instructions.${stepsLeft(ends)}`;
}

/** @param witness of the ends */
export function counted(
  commit: string,
  answer: BisectAnswer["answer"],
  { perRequest: value, isAtNeitherEnd }: NonNullable<BisectAnswer["counted"]>,
  { by, good, bad }: Witness,
): string {
  const doubt = isAtNeitherEnd
    ? `. This matches neither end (${fromTo(by, good, bad)}), so there may be two changes`
    : "";
  return `${short(commit)} is ${answer}: ${amount(by, value)} ${names[by]} per request${doubt}`;
}

export function confirming(commit: string): string {
  return `Measuring the throughput of ${short(commit)}, because its count alone is no proof`;
}

export function contradicted(): string {
  return "Throughput contradicts the counts, so the remaining commits are judged by throughput.";
}

export function unconfirmed({ witness: found }: Bisection): string {
  const by = names[found?.by ?? "instructions"];
  return `The ${by} point to this commit, but throughput does not confirm it yet. Run it again with a larger \`--max-minutes\` to continue from here.`;
}

/** What decided that a commit began the change, with the figures on both sides of it. */
export function decided({ witness: found, good, bad, answers }: Bisection, commit: string): string {
  const last = answers.findLast(({ answer }) => answer === "good");
  const atEnd = (end: number | undefined, own: BisectAnswer | undefined, isEnd: boolean) =>
    isEnd ? end : own?.counted?.perRequest;
  const before = atEnd(found?.good, last, last === undefined || last.commit === good);
  const after = atEnd(
    found?.bad,
    answers.find((each) => each.commit === commit),
    commit === bad,
  );
  const isByCount = found !== undefined && before !== undefined && after !== undefined;
  const by = isByCount ? `${names[found.by]}: ${fromTo(found.by, before, after)}` : "throughput";
  const isMixed = answers.some((each) => each.counted?.isAtNeitherEnd);
  const ends = found && isMixed ? fromTo(found.by, found.good, found.bad) : "";
  return ends === "" ? `by ${by}` : `by ${by}; the ends have ${ends}, so there may be another change`;
}

export function testing(commit: string, left: number, steps: number): string {
  return `Measuring ${short(commit)}: ${plural(left, "commit")} left, about ${plural(steps, "step")}`;
}

export function tested(
  commit: string,
  row: Row | undefined,
  {
    answer,
    limit,
    why,
  }: { readonly answer: BisectAnswer["answer"] | undefined; readonly limit: number; readonly why: string },
): string {
  const name = short(commit);
  if (answer === "skip")
    return `${name} could not be measured and is skipped: ${why === "" ? reasonOf(row) : printable(why)}`;
  if (answer !== undefined) return `${name} is ${answer}: ${row === undefined ? "" : changeOf(row)}`;
  return `${name} could not be judged with certainty: ${row === undefined ? "" : doubtOf(row)}, and a commit counts as bad if it is at least ${percent(limit, "measured")} slower`;
}

function changeOf({ standing, effect }: Row): string {
  if (standing === "not reached") return "the endpoint runs none of the changed code";
  return `${relativeChange(effect)} compared with the faster end`;
}

function reasonOf(row: Row | undefined): string {
  return printable(row?.problem?.reason ?? row?.loneArm?.reason ?? "there is no result");
}

function doubtOf({ cell, effect, versus }: Row): string {
  if (effect?.interval === undefined) return printable(versus?.verdict.reason ?? "");
  const { low, high } = effect.interval;
  return `the change in ${printable(endpointLabel(cell.endpoint))} is between ${signedPercent(low)} and ${signedPercent(high)}`;
}

function longer(minutes: number | undefined): string {
  const more =
    minutes === undefined ? "a larger `--max-minutes`" : `\`--max-minutes ${Math.ceil(minutes) + 1}\``;
  return `Run it again with ${more}.`;
}

export function remaining({ good, bad, answers }: Bisection, left: number): string {
  const last = (wanted: BisectAnswer["answer"], end: string) =>
    answers.findLast(({ answer }) => answer === wanted)?.commit ?? end;
  return `The change began after ${short(last("good", good))} and no later than ${short(last("bad", bad))}: in one of ${plural(left, "commit")}. Run it again with a larger \`--max-minutes\` to continue from here.`;
}

export function among(commits: readonly string[]): string {
  return `The change began in one of these commits, of which only the last could be measured: ${commits.map(short).join(", ")}`;
}

/**
 * @param about author, day and subject: foreign text
 * @param by from `decided`
 */
export function found(
  commit: string,
  about: string,
  { total, comparisons }: { readonly total: number; readonly comparisons: number },
  by: string,
): string {
  return [
    `The change began with ${short(commit)}.`,
    `  ${printable(about)}`,
    `  ${by}`,
    `${plural(comparisons, "comparison")}; the chance of a wrong answer in any of them is at most ${percent(total)}.`,
  ].join("\n");
}
