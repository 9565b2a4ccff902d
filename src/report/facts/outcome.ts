import type { Comparison, JudgedThreshold, Row } from "../../compare/comparison.ts";
import { plain } from "../../diagnosis/wording.ts";
import { cellLabel, endpointLabel } from "../../model/plan/cell.ts";
import type { Acceptance } from "../../model/pull-request.ts";
import { type Budget, type Condition, conditionText } from "../../model/thresholds/threshold.ts";
import { shortenEnd } from "../../text/length.ts";
import { count, figure, perRequest, plural } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import type { ReportOutcome } from "../document/report.ts";

/** The first of these that holds. `complete`: nothing was compared; new or removed endpoints are no comparisons. */
export function outcomeOf({ design, rows }: Comparison): ReportOutcome {
  if (!rows.every(isMeasured)) return "incomplete";
  if (!rows.some(({ versus }) => versus))
    return rows.length > 0 && rows.every((row) => row.standing === "not reached")
      ? "not reached"
      : "complete";
  if (
    rows.some((row) => isClearly("slower", row) || row.withAge === "slower" || row.longerLatencies.length > 0)
  )
    return "slower";
  const doubtful = new Set<string | undefined>(["inconclusive", "invalid", "no base"]);
  if (design !== undefined) doubtful.add("not compared");
  if (rows.some((row) => doubtful.has(row.standing) || row.withAge === "perhaps slower"))
    return "inconclusive";
  return rows.some((row) => isClearly("faster", row)) ? "faster" : "unchanged";
}

/**
 * Exit status of `report` and `run`. 3: a cell has no figures. 1: a cell is as slow as the check forbids (or seems
 * so where nothing is judged) and nobody accepts it, or a threshold is broken. A control, the same code twice, never gives 1.
 */
export function exitStatusOf(comparison: Comparison): 0 | 1 | 3 {
  const { design, rows, check } = comparison;
  if (!rows.every(isMeasured)) return 3;
  if (design?.kind === "control" || check.failOn === "never") return 0;
  const isFailed = rows.some(({ isForbidden, acceptance }) => isForbidden && acceptance === undefined);
  return isFailed || isThresholdBroken(comparison) ? 1 : 0;
}

function isMeasured(row: Row): boolean {
  return row.problem === undefined;
}

function isClearly(kind: "slower" | "faster", row: Row): boolean {
  const verdict = row.versus?.verdict;
  return verdict?.kind === kind && !verdict.isSmall;
}

/** A row that would fail the check, and who accepts it. */
interface AcceptedRow {
  readonly row: Row;
  readonly acceptance: Acceptance;
}

/** Rows that fail nothing because somebody accepts them, in the order of the report. */
export function acceptedRows({ rows }: Comparison): readonly AcceptedRow[] {
  return rows.flatMap((row) =>
    row.acceptance !== undefined && row.isForbidden ? [{ row, acceptance: row.acceptance }] : [],
  );
}

export interface ThresholdLine {
  readonly state: JudgedThreshold["state"];
  /** Foreign text, after the app's name when it has one. Empty: all endpoints together. */
  readonly endpoint: string;
  readonly workers: number;
  /** In k6's words, without its endpoint. */
  readonly condition: string;
  /** Includes the unit; or the reason why there is no value. */
  readonly value: string;
}

/** Every threshold with its value: broken ones first, then those that could not be judged. */
export function thresholdLines(comparison: Comparison): readonly ThresholdLine[] {
  const lines = [...comparison.thresholds.map(lineOf), ...scriptThresholdLines(comparison)];
  return (["broken", "unknown", "kept"] as const).flatMap((state) =>
    lines.filter((each) => each.state === state),
  );
}

function scriptThresholdLines({ rows }: Comparison): readonly ThresholdLine[] {
  return rows.flatMap(({ cell, script }) =>
    (script?.thresholds ?? []).map(({ metric, condition, isKept, value }) => ({
      state: isKept ? ("kept" as const) : ("broken" as const),
      endpoint: cellLabel(cell),
      workers: cell.workers,
      condition: `${metric}: ${condition}`,
      value: value === undefined ? "" : figure(value),
    })),
  );
}

/** True when a threshold is broken, including those of a script, by something that nobody accepts. */
function isThresholdBroken(comparison: Comparison): boolean {
  const lines = [
    ...comparison.thresholds.filter((judged) => !isAccepted(judged, comparison)),
    ...scriptThresholdLines(comparison),
  ];
  return lines.some(({ state }) => state === "broken");
}

/** A slowdown is accepted, and nothing else is: a bound on the figure itself holds all the same. */
function isAccepted({ threshold, app, endpoint, workers }: JudgedThreshold, comparison: Comparison): boolean {
  if (!("slowerBy" in threshold.condition)) return false;
  return comparison.rows
    .filter(
      ({ cell }) => cell.app === app && cell.workers === workers && endpointLabel(cell.endpoint) === endpoint,
    )
    .some((row) => row.acceptance !== undefined);
}

/** `2 not met, 1 not judged, 5 met`, for at least one threshold. */
export function thresholdCounts(lines: readonly Pick<ThresholdLine, "state">[]): string {
  const times = (state: ThresholdLine["state"]) => lines.filter((line) => line.state === state).length;
  const all = [
    [times("broken"), "not met"],
    [times("unknown"), "not judged"],
    [times("kept"), "met"],
  ] as const;
  return all
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${count(number)} ${words}`)
    .join(", ");
}

/** Broken thresholds for the headline, which has room for bad news only; empty when none is broken. */
export function brokenWords(comparison: Comparison): string {
  const broken = thresholdLines(comparison).filter(({ state }) => state === "broken").length;
  return broken === 0 ? "" : `${plural(broken, "threshold")} not met`;
}

function lineOf(judged: JudgedThreshold): ThresholdLine {
  const { threshold, app, endpoint, workers, state, value, reason } = judged;
  const { condition } = threshold;
  const most = state === "broken" ? statementWords(judged) : "";
  const measured = value === undefined ? "" : `${valueText(condition, value)}${most}`;
  return {
    state,
    endpoint: app === undefined ? (endpoint ?? "") : `${app}: ${endpoint ?? "all endpoints"}`,
    workers,
    condition: conditionText(condition),
    value: [measured, reason].filter((text) => text !== "").join(", "),
  };
}

/** `, most often at `app/orders.py:37` (`SELECT …`), 19 times`: foreign text between backticks. */
function statementWords({ statement }: JudgedThreshold): string {
  if (statement === undefined) return "";
  const { place, text, perRequest: times } = statement;
  const where = place === undefined ? "" : ` at \`${plain(`${place.file}:${place.line}`)}\``;
  return `, most often \`${plain(shortenEnd(text, longestStatement))}\`${where} (${times === 1 ? "once" : `${perRequest(times)} times`})`;
}

const longestStatement = 80;

const budgetUnits: Readonly<Record<Budget, string>> = {
  sql_per_request: "",
  sql_rows_per_request: "",
  response_bytes: " B",
  outside_calls: "",
  ready_memory_mb: " MB",
  peak_memory_mb: " MB",
  start_cpu_seconds: " s",
};

function valueText(condition: Condition, value: number): string {
  if ("slowerBy" in condition) return value < 0 ? `${percent(-value)} slower` : `${percent(value)} faster`;
  if ("budget" in condition) return `${perRequest(value)}${budgetUnits[condition.budget]}`;
  if (condition.metric === "http_req_duration") return `${figure(value)} ms`;
  if (condition.metric === "http_req_failed") return percent(value);
  return condition.aggregation === "count" ? count(value) : `${figure(value)} req/s`;
}
