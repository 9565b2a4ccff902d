import type { Comparison, Row } from "../../compare/comparison.ts";
import { cellLabel } from "../../model/plan/cell.ts";
import { plural } from "../../text/numbers.ts";
import { percent, plusMinusPercent, signedPercent } from "../../text/percent.ts";
import { data, joined, type Line, line, name } from "../document/inline.ts";
import { isMemory } from "./change-words.ts";
import { acceptedRows, brokenWords } from "./outcome.ts";
import { lackingMinutes } from "./reasons.ts";

/** The order in which problems are counted. */
const states = ["failed", "cancelled", "missing", "invalid"] as const;

/** The report in one line: ``2 of 3 endpoints got slower (worst: `/orders`, −68%)``. */
export function headline(comparison: Comparison): Line {
  const main = comparison.hasVerdicts
    ? comparedHeadline(comparison)
    : line(measuredHeadline(comparison.rows));
  const broken = brokenWords(comparison);
  return joined([main, ...(broken === "" ? [] : [line(broken)]), ...acceptedWords(comparison)], "; ");
}

/** `accepted by ana`, with a number where others are not accepted. */
function acceptedWords(comparison: Comparison): Line[] {
  const accepted = acceptedRows(comparison);
  if (accepted.length === 0) return [];
  const isAll = comparison.rows.every((row) => !row.isForbidden || row.acceptance !== undefined);
  const number = isAll ? "" : `${endpointsOf(accepted.map(({ row }) => row))} `;
  const [by = "", ...others] = new Set(accepted.map(({ acceptance }) => acceptance.by));
  return [others.length > 0 ? line(`${number}accepted`) : line(`${number}accepted by `, data(by))];
}

/** The headline as a title of its own. A sentence about the pull request needs no name before it. */
export function titleOf(comparison: Comparison): Line {
  const isSentence = comparison.hasVerdicts && comparison.design?.kind !== "control";
  return line(isSentence ? "" : "Load test – ", headline(comparison));
}

interface Fate {
  readonly holds: (row: Row) => boolean;
  readonly one: string;
  readonly several: string;
}

const did = (words: string) => ({ one: words, several: words });

const faster: Fate = { holds: (row) => isVerdict(row, "faster", false), ...did("got faster") };
const slower: Fate = { holds: (row) => isVerdict(row, "slower", false), ...did("got slower") };
const overTime: Fate = {
  holds: ({ withAge }) => withAge === "slower",
  one: "slows down over time",
  several: "slow down over time",
};
const open: Fate = { holds: (row) => row.standing === "inconclusive", ...did("inconclusive") };

/** The gravest first: it leads the headline. */
const fates: readonly Fate[] = [
  slower,
  overTime,
  {
    holds: (row) => row.unexpectedLatencies.length > 0,
    one: "has higher latency",
    several: "have higher latency",
  },
  { holds: (row) => row.moreFootprint.some(isMemory), one: "needs more memory", several: "need more memory" },
  {
    holds: (row) => !row.moreFootprint.every(isMemory),
    one: "starts more slowly",
    several: "start more slowly",
  },
  { holds: isLost, ...did("could not be compared") },
  open,
  { holds: ({ withAge }) => withAge === "perhaps slower", ...did("may slow down over time") },
  { holds: (row) => isVerdict(row, "slower", true), ...did("got slightly slower") },
  {
    holds: (row) => row.moreInstructions !== undefined,
    one: "runs more CPU instructions",
    several: "run more CPU instructions",
  },
  faster,
  { holds: (row) => isVerdict(row, "faster", true), ...did("got slightly faster") },
];

/** Shown after everything else, and never instead of it. */
const asides: readonly Fate[] = [
  { holds: (row) => row.standing === "not reached", ...did("not affected by this change") },
  { holds: (row) => row.standing === "new", one: "is new", several: "are new" },
  { holds: (row) => row.standing === "removed", one: "was removed", several: "were removed" },
  {
    holds: (row) => row.hasFailedRequests && !isLost(row),
    one: "has failed requests",
    several: "have failed requests",
  },
];

function isVerdict(row: Row, kind: "slower" | "faster", isSmall: boolean): boolean {
  const verdict = row.versus?.verdict;
  return verdict?.kind === kind && verdict.isSmall === isSmall;
}

function isLost(row: Row): boolean {
  return row.problem !== undefined || ["invalid", "no base", "not compared"].includes(row.standing ?? "");
}

function comparedHeadline(comparison: Comparison): Line {
  const { rows, design } = comparison;
  if (rows.length > 0 && rows.every((row) => row.standing === "not reached"))
    return line("Nothing measured – no trial request ran the changed code");
  const found = fates.filter(({ holds }) => rows.some(holds));
  const isMixed = found[0] === overTime && found.includes(faster);
  const [lead, ...others] = isMixed ? found.filter((fate) => fate !== faster) : found;
  const counted = namesOf(rows.filter((row) => lead?.holds(row) || (isMixed && faster.holds(row))));
  const isEmpty = lead === undefined && rows.every((row) => row.versus === undefined);
  const rest = [...others, ...asides].flatMap((fate) => {
    const own = namesOf(rows.filter(fate.holds));
    // An endpoint counts once, for the gravest; an aside says something else about it.
    const number = asides.includes(fate) ? own.size : [...own].filter((each) => !counted.has(each)).length;
    for (const each of own) counted.add(each);
    const isMore = !asides.includes(fate) && number < own.size;
    const endpoints = isEmpty ? plural(number, "endpoint") : `${number}${isMore ? " more" : ""}`;
    return number === 0 ? [] : [line(`${endpoints} ${number === 1 ? fate.one : fate.several}`)];
  });
  const first =
    lead === undefined
      ? line(nothingChanged(comparison))
      : leadWords(lead, comparison, rest.length === 0 && brokenWords(comparison) === "");
  const main = joined([isMixed ? line(mixedWords(comparison)) : first, ...rest], "; ");
  return design?.kind === "control"
    ? line("A/A control (the same code twice): ", main, noiseFloor(rows))
    : main;
}

/** ``2 of 3 endpoints got slower (worst: `/orders`, −68%)``; what to do only where nothing follows. */
function leadWords(lead: Fate, comparison: Comparison, isAlone: boolean): Line {
  const own = comparison.rows.filter(lead.holds);
  const { who, number } = subjectOf(lead, comparison);
  if (lead === open) {
    const lacking = isAlone ? lackingMinutes(comparison) : undefined;
    const cure =
      lacking === undefined
        ? ""
        : ` – about ${plural(lacking.minutes, "more minute")} should settle ${number === 1 ? "it" : "them"}: set max-minutes to ${lacking.setting}`;
    return line(`${who} ${number === 1 ? "is" : "are"} inconclusive${cure}`);
  }
  const words = `${who} ${number === 1 ? lead.one : lead.several}`;
  if (lead !== slower) return line(words);
  const worst = own.toSorted((a, b) => (a.effect?.value ?? 0) - (b.effect?.value ?? 0)).slice(0, 1);
  return line(
    words,
    ...worst.map(({ cell, effect }) =>
      line(number === 1 ? " (" : " (worst: ", name(cellLabel(cell)), `, ${signedPercent(effect?.value)})`),
    ),
  );
}

/** Endpoints of which some got faster, and some slow down over time: one sentence for both. */
function mixedWords(comparison: Comparison): string {
  const { who } = subjectOf(faster, comparison);
  const slowing = comparison.rows.filter(overTime.holds);
  const number = endpointsOf(slowing);
  const words = number === 1 ? overTime.one : overTime.several;
  const isSame = slowing.every(faster.holds) && number === endpointsOf(comparison.rows.filter(faster.holds));
  return `${who} got faster, but ${isSame ? words : `${number} ${words}`}`;
}

function subjectOf({ holds }: Fate, { rows }: Comparison) {
  const [number, all] = [endpointsOf(rows.filter(holds)), endpointsOf(rows)];
  // Next to endpoints that could not be compared, "of all" would say something about those.
  const isOfAll = all > number && (holds === isLost || !rows.some(isLost));
  return { number, who: isOfAll ? `${number} of ${all} endpoints` : plural(number, "endpoint") };
}

function nothingChanged({ rows, design }: Comparison): string {
  const compared = endpointsOf(rows.filter((row) => row.versus !== undefined));
  if (compared > 0) {
    const bound = design === undefined ? "" : `, no change above ${percent(design.minChange)}`;
    return `No endpoint got slower – ${compared} compared${bound}`;
  }
  return "Nothing to compare";
}

function endpointsOf(rows: readonly Row[]): number {
  return namesOf(rows).size;
}

function namesOf(rows: readonly Row[]): Set<string> {
  return new Set(rows.map(({ cell }) => cellLabel(cell)));
}

/** The smallest change that stands out from the noise of the noisiest cell. */
function noiseFloor(rows: readonly Row[]): string {
  const finest = rows.flatMap((row) => (row.effect === undefined ? [] : (row.versus?.finestChange ?? [])));
  return finest.length === 0
    ? ""
    : `; with all replicates, the smallest detectable change would be ${plusMinusPercent(Math.max(...finest))}`;
}

function measuredHeadline(rows: readonly Row[]): string {
  const problems = rows.map(({ problem }) => problem).filter((problem) => problem !== undefined);
  const measured = rows.length - problems.length;
  if (problems.length > 0) {
    const counts = states
      .map((state) => [problems.filter((problem) => problem.state === state).length, state] as const)
      .filter(([times]) => times > 0)
      .map(([times, state]) => `${times} ${state}`);
    return `${measured} of ${plural(rows.length, "cell")} measured: ${counts.join(", ")}`;
  }
  const withFailures = rows.filter((row) => row.hasFailedRequests);
  const caveat = withFailures.length > 0 ? `, ${withFailures.length} with failed requests` : "";
  return `${plural(rows.length, "cell")} measured${caveat}`;
}
