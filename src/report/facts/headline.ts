import type { Comparison, Row } from "../../compare/comparison.ts";
import { cellLabel } from "../../model/plan/cell.ts";
import { plural } from "../../text/numbers.ts";
import { percent, plusMinusPercent } from "../../text/percent.ts";
import { isMemory } from "./change-words.ts";
import { acceptedRows } from "./outcome.ts";
import { lackingMinutes } from "./reasons.ts";
import { brokenWords } from "./thresholds.ts";

/** The order in which problems are counted. */
const states = ["failed", "cancelled", "missing", "invalid"] as const;

/**
 * The report in one line about the pull request: `2 of 3 endpoints got slower`, or `7 of 8 cells measured: 1 failed`
 * when nothing was compared. Never sounds like success when a cell is missing.
 */
export function headline(comparison: Comparison): string {
  const line = comparison.hasVerdicts ? comparedHeadline(comparison) : measuredHeadline(comparison.rows);
  const accepted = endpointsOf(acceptedRows(comparison).map(({ row }) => row));
  return [line, brokenWords(comparison), accepted > 0 ? `${accepted} accepted` : ""]
    .filter((words) => words !== "")
    .join("; ");
}

/** The headline as a title of its own. A sentence about the pull request needs no name before it. */
export function titleOf(comparison: Comparison): string {
  const isSentence = comparison.hasVerdicts && comparison.design?.kind !== "control";
  return isSentence ? headline(comparison) : `Load test – ${headline(comparison)}`;
}

/** A result, and what one or several endpoints did. */
interface Fate {
  readonly holds: (row: Row) => boolean;
  readonly one: string;
  readonly several: string;
}

const did = (words: string) => ({ one: words, several: words });

/** The gravest first: it leads the headline. */
const fates: readonly Fate[] = [
  { holds: (row) => isVerdict(row, "slower", false), ...did("got slower") },
  {
    holds: ({ withAge }) => withAge === "slower",
    one: "gets slower with age",
    several: "get slower with age",
  },
  {
    holds: (row) => row.unexpectedLatencies.length > 0,
    one: "has longer latencies",
    several: "have longer latencies",
  },
  { holds: (row) => row.moreFootprint.some(isMemory), one: "needs more memory", several: "need more memory" },
  {
    holds: (row) => !row.moreFootprint.every(isMemory),
    one: "has a slower start",
    several: "have a slower start",
  },
  { holds: isLost, ...did("could not be compared") },
  { holds: (row) => row.standing === "inconclusive", ...did("without an answer yet") },
  { holds: ({ withAge }) => withAge === "perhaps slower", ...did("perhaps slower with age") },
  { holds: (row) => isVerdict(row, "slower", true), ...did("got slightly slower") },
  { holds: (row) => isVerdict(row, "faster", false), ...did("got faster") },
  { holds: (row) => isVerdict(row, "faster", true), ...did("got slightly faster") },
];

/** Shown after everything else, and never in its place. */
const asides: readonly Fate[] = [
  { holds: (row) => row.standing === "not reached", ...did("not reached by the change") },
  { holds: (row) => row.standing === "new", ...did("new") },
  { holds: (row) => row.standing === "removed", ...did("removed") },
  { holds: (row) => row.problem === undefined && row.hasFailedRequests, ...did("with failed requests") },
];

function isVerdict(row: Row, kind: "slower" | "faster", isSmall: boolean): boolean {
  const verdict = row.versus?.verdict;
  return verdict?.kind === kind && verdict.isSmall === isSmall;
}

function isLost(row: Row): boolean {
  return row.problem !== undefined || ["invalid", "no base", "not compared"].includes(row.standing ?? "");
}

function comparedHeadline(comparison: Comparison): string {
  const { rows, design } = comparison;
  const all = endpointsOf(rows);
  if (all > 0 && rows.every((row) => row.standing === "not reached"))
    return `No endpoint got slower – the change ${all === 1 ? "does not reach the only one" : `reaches none of the ${all}`}`;
  const [lead, ...others] = fates.filter(({ holds }) => rows.some(holds));
  const rest = [...others, ...asides].flatMap(({ holds, one, several }) => {
    const number = endpointsOf(rows.filter(holds));
    return number === 0 ? [] : [`${number} ${number === 1 ? one : several}`];
  });
  const line = [lead === undefined ? nothingChanged(comparison) : leadWords(lead, comparison), ...rest].join(
    "; ",
  );
  return design?.kind === "control"
    ? `A/A control: both arms are the same code. ${line}${noiseFloor(rows)}`
    : line;
}

function leadWords(lead: Fate, comparison: Comparison): string {
  const { rows } = comparison;
  const [number, all] = [endpointsOf(rows.filter(lead.holds)), endpointsOf(rows)];
  // Beside endpoints that could not be compared, "of all" would say something about those.
  const isOfAll = all > number && (lead.holds === isLost || !rows.some(isLost));
  const who = isOfAll ? `${number} of ${all} endpoints` : plural(number, "endpoint");
  if (!rows.some((row) => lead.holds(row) && row.standing === "inconclusive"))
    return `${who} ${(isOfAll ? all : number) === 1 ? lead.one : lead.several}`;
  const lacking = lackingMinutes(comparison);
  return `No answer yet for ${who}${lacking === undefined ? "" : ` – about ${plural(lacking.minutes, "more minute")} would give one: set max-minutes to ${lacking.setting}`}`;
}

function nothingChanged({ rows, design }: Comparison): string {
  const compared = endpointsOf(rows.filter((row) => row.versus !== undefined));
  if (compared > 0) {
    const bound = design === undefined ? "" : `, no change above ${percent(design.minChange)}`;
    return `No endpoint got slower – ${compared} compared${bound}`;
  }
  return "Nothing to compare";
}

/** Different endpoints, whatever their worker counts. */
function endpointsOf(rows: readonly Row[]): number {
  return new Set(rows.map(({ cell }) => cellLabel(cell))).size;
}

/** The noise of the noisiest cell between two fresh servers, and the smallest change that stands out from it. */
function noiseFloor(rows: readonly Row[]): string {
  const noises = rows.flatMap((row) => (row.effect === undefined ? [] : (row.versus?.noise ?? [])));
  if (noises.length === 0) return "";
  const [spread, finest] = [
    Math.max(...noises.map((noise) => noise.spread)),
    Math.max(...noises.map((noise) => noise.finest)),
  ].map(plusMinusPercent);
  return `; noise: two fresh servers differ by ${spread} (standard deviation), so changes within ${finest} cannot be told from none`;
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
