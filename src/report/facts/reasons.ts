import type { Comparison, Gate, Row } from "../../compare/comparison.ts";
import { groupBy } from "../../lists/group.ts";
import { isScript } from "../../model/endpoint/endpoint.ts";
import type { NotReached } from "../../model/measurement/not-reached.ts";
import { sum } from "../../statistics/estimate.ts";
import { shortenEnd } from "../../text/length.ts";
import { count, plural } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import {
  agingSentences,
  footprintSentences,
  instructionSentences,
  latencySentences,
  verdictWords,
} from "./change-words.ts";
import { countedChanges } from "./counted-changes.ts";
import { machinesSentence } from "./environment.ts";

interface Reason {
  readonly row: Row;
  /** Our own words: `invalid`. */
  readonly standing: string;
  /** Sentences that may quote foreign text: what a reader must know, or can act on. */
  readonly text: string;
  /** The same: what only explains. */
  readonly detail: string;
}

const mostReasons = 20;

const longestText = 300;

/** Answers that need a reason, the gravest first. Other rows have one only by the soak test, a latency or a counted change. */
const order = [
  "invalid",
  "inconclusive",
  "slower",
  "faster",
  "unchanged",
  "no base",
  "new",
  "removed",
  "not reached",
];

/** Facts about rows, and the number of the rest. `explained`: ids of cells with a paragraph. */
export function reasonsOf(
  comparison: Comparison,
  explained: ReadonlySet<string> = new Set(),
): { readonly shown: readonly Reason[]; readonly more: number } {
  if (!comparison.hasVerdicts) return { shown: [], more: 0 };
  const unreached = notReachedReasons(comparison.rows);
  const all = comparison.rows
    .map((row) => ({
      row,
      standing: verdictWords(row),
      ...wordsOf(row, comparison, explained.has(row.cell.id), unreached.get(row) ?? ""),
    }))
    .filter(({ text, detail }) => text !== "" || detail !== "")
    .toSorted((a, b) => rank(a.row) - rank(b.row));
  return { shown: all.slice(0, mostReasons), more: Math.max(0, all.length - mostReasons) };
}

/** One gate in a sentence: `generator: k6 used 40% of its CPUs.` */
export function gateText({ name, evidence }: Gate): string {
  return `${name}: ${asSentence(evidence)}`;
}

function wordsOf(
  row: Row,
  comparison: Comparison,
  isExplained: boolean,
  unreached: string,
): Pick<Reason, "text" | "detail"> {
  const { standing, versus, reach, failsInDoubt } = row;
  const isAnswer = !["invalid", "inconclusive", "no base"].includes(standing ?? "") && !failsInDoubt;
  const reason = asSentence(versus?.verdict.reason ?? row.loneArm?.reason ?? "");
  const latency = latencySentences(row, comparison);
  const isLatencyNews = row.unexpectedLatencies.length > 0 || reach.latency !== "certainly not";
  const footprint = footprintSentences(row, comparison);
  const instructions = instructionSentences(row, comparison);
  const counted = isExplained || versus === undefined ? [] : countedChanges(row, comparison);
  const hasParagraph = standing === "slower" || standing === "faster";
  const text = [
    isAnswer ? "" : reason,
    doubtSentence(row),
    standing === "inconclusive"
      ? settleSentence(versus?.verdict.minutesToSettle, ofApp(row, comparison))
      : "",
    harmlessSentence(row, comparison),
    perhapsSentence(row, comparison),
    ...agingSentences(row, comparison),
    ...(isLatencyNews ? latency : []),
    ...(row.moreFootprint.length > 0 ? footprint : []),
    ...(hasParagraph ? [] : [...counted, ...instructions]),
  ];
  const detail = [
    unreached,
    isAnswer ? reason : "",
    ...(isLatencyNews ? [] : latency),
    ...(row.moreFootprint.length > 0 ? [] : footprint),
    ...(hasParagraph ? [...counted, ...instructions] : []),
    versus === undefined ? "" : openCaveat(row),
  ];
  return { text: sentences(text), detail: sentences(detail) };
}

function sentences(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(" ");
}

/** A slowdown that may or may not be large enough to fail the check. It passes, but not in silence. */
function perhapsSentence(row: Row, comparison: Comparison): string {
  const { design, failsFrom: limit } = comparison;
  if (!row.isPerhapsForbidden) return "";
  const perhaps = `It may be at least ${percent(limit)} slower, which would fail the check.`;
  // Cells were measured for the design's own limit; with another one they may have ended before it was known.
  const isMeasuredFor = limit === (design?.maxSlowdown ?? design?.minChange);
  const minutes = isMeasuredFor ? row.versus?.verdict.minutesToPlace : undefined;
  return `${perhaps} ${settleSentence(minutes, ofApp(row, comparison)) || "More minutes are unlikely to help."}`;
}

/** Next to a cell that fails the check, a reader wonders about one that has no answer. */
function harmlessSentence({ standing, isForbidden }: Row, { rows }: Comparison): string {
  const isHarmless = standing === "inconclusive" && !isForbidden && rows.some((row) => row.isForbidden);
  return isHarmless ? "This cell does not fail the check." : "";
}

function doubtSentence(row: Row): string {
  if (!row.failsInDoubt) return "";
  const change = row.seenChange;
  if (!(change < 0)) return "The check fails because `fail-on` is `invalid`.";
  return `It appeared ${percent(-change, "measured")} slower, so the check fails until a valid run shows otherwise.`;
}

/** Share of the requests at one rate that may be missing. With more, p99 would not describe that rate. */
const mostDropped = 0.01;

/** Latencies at equal load mean nothing when an arm could not keep up. */
function openCaveat(row: Row): string {
  const { base, head } = row.versus?.open ?? {};
  const [ofBase, ofHead] = [base?.requests ?? 0, head?.requests ?? 0];
  const { droppedIterations } = row;
  if (isScript(row.cell.endpoint))
    return droppedIterations === 0
      ? ""
      : `k6 could not start ${plural(droppedIterations, "iteration")} of the script in time.`;
  if (droppedIterations <= mostDropped * (droppedIterations + ofBase + ofHead)) return "";
  const expected = (droppedIterations + ofBase + ofHead) / 2;
  const isLate = (answered: number) => answered < (1 - mostDropped) * expected;
  const arm = isLate(ofHead) ? "head" : "base";
  const [keeps, whose] =
    isLate(ofBase) === isLate(ofHead)
      ? ["neither version kept up", "the"]
      : [`the ${arm} did not keep up`, `the ${arm}'s`];
  return (
    `At equal load ${keeps}: k6 could not send ${plural(droppedIterations, "request")} in time, ` +
    `so ${whose} latencies at that load are understated.`
  );
}

/** The comparison for one app, since each app has its own minutes. */
function ofApp({ cell: { app } }: Row, comparison: Comparison): Comparison {
  return { ...comparison, rows: comparison.rows.filter(({ cell }) => cell.app === app) };
}

/** Time that one cell lacks, and the setting that gives it. The cells of a machine share the minutes. */
function settleSentence(minutes: number | undefined, { design, rows }: Comparison): string {
  if (minutes === undefined || !Number.isFinite(minutes)) return "";
  const lacking = `About ${plural(wholeMinutes(minutes), "more minute")} should settle it`;
  if (design === undefined) return `${lacking}.`;
  const ofOthers = machinesSentence(rows) === undefined ? minutesLacking(rows) - minutes : 0;
  const withOthers =
    wholeMinutes(minutes + ofOthers) > wholeMinutes(minutes)
      ? ` (${wholeMinutes(minutes + ofOthers)} for all inconclusive cells)`
      : "";
  const wanted = Math.ceil(design.maxMinutes) + wholeMinutes(minutes + ofOthers);
  return `${lacking}${withOthers}: set \`max-minutes\` to ${wanted}.`;
}

function rank(row: Row): number {
  return order.indexOf(row.standing ?? "");
}

/** Cuts a text that is too long, and ends it with a full stop. */
export function asSentence(text: string): string {
  const short = shortenEnd(text.trim(), longestText);
  return short === "" || /[.!?…]$/.test(short) ? short : `${short}.`;
}

const mostNames = 3;

/** One sentence for all cells with the same evidence, with the first of them. It quotes foreign names. */
function notReachedReasons(rows: readonly Row[]): ReadonlyMap<Row, string> {
  const unreached = rows.flatMap((row) =>
    row.notReached === undefined ? [] : [{ row, seen: row.notReached }],
  );
  const alike = groupBy(unreached, ({ seen: { functions, files } }) => JSON.stringify([functions, files]));
  return new Map(
    [...alike.values()].flatMap((group) => {
      const others = group.length - 1;
      const more = others === 0 ? "" : ` The same applies to ${plural(others, "other cell")}.`;
      return group.slice(0, 1).map(({ row, seen }) => [row, `${evidence(seen)}${more}`] as const);
    }),
  );
}

function evidence({ functions, functionCount, files, fileCount, requests }: NotReached): string {
  const words = [
    functionCount === 0 ? "" : `${listed(functions, functionCount)} did not run`,
    fileCount === 0 ? "" : `nothing in ${listed(files, fileCount)} was loaded`,
  ].filter((text) => text !== "");
  const what = words.length === 0 ? "none of the changed code ran" : words.join(" and ");
  return `Not measured: during start-up and ${plural(requests, "trial request")}, ${what}.`;
}

function listed(names: readonly string[], total: number): string {
  const shown = names.slice(0, mostNames).map((name) => `\`${name.replaceAll("`", "'")}\``);
  const more = total - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${count(more)} more` : "");
}

/** Minutes that the cells of one app lack, and the setting that gives them. */
interface LackingMinutes {
  readonly minutes: number;
  readonly setting: number;
}

/** `undefined` where more minutes would not settle every cell, and for several apps, each of which has minutes of its own. */
export function lackingMinutes({ rows, design }: Comparison): LackingMinutes | undefined {
  const isOneApp = new Set(rows.map(({ cell }) => cell.app)).size === 1;
  if (design === undefined || !isOneApp || machinesSentence(rows) !== undefined) return undefined;
  const open = rows.filter((row) => row.versus?.verdict.kind === "inconclusive");
  if (open.length === 0 || !open.every((row) => Number.isFinite(row.versus?.verdict.minutesToSettle)))
    return undefined;
  const minutes = wholeMinutes(minutesLacking(rows));
  return { minutes, setting: Math.ceil(design.maxMinutes) + minutes };
}

function minutesLacking(rows: readonly Row[]): number {
  const minutes = rows.map((row) => {
    const { minutesToSettle, minutesToPlace } = row.versus?.verdict ?? {};
    return minutesToSettle ?? minutesToPlace ?? 0;
  });
  return sum(minutes.filter((each) => Number.isFinite(each)));
}

function wholeMinutes(minutes: number): number {
  return Math.max(1, Math.ceil(minutes));
}
