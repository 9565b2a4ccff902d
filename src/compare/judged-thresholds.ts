import { groupBy } from "../lists/group.ts";
import { histogramCount, mergeHistograms, quantileMs } from "../model/load/histogram.ts";
import { endpointLabel } from "../model/plan/cell.ts";
import { type Condition, labelsMeant, type Threshold } from "../model/thresholds/threshold.ts";
import { sum } from "../statistics/estimate.ts";
import { reachOf } from "./answer.ts";
import type { ArmSummary } from "./arm-summary.ts";
import { type BudgetCondition, holds, judgeBudget } from "./budgets.ts";
import type { Comparison, JudgedThreshold, Row } from "./comparison.ts";

type Judged = Pick<JudgedThreshold, "state" | "value" | "reason">;

export function judgeThresholds(
  rows: readonly Row[],
  { check, design }: Pick<Comparison, "check" | "design">,
): JudgedThreshold[] {
  return (check.thresholds ?? []).flatMap((threshold) =>
    [...groupBy(rows, ({ cell }) => cell.app)]
      .filter(([app]) => threshold.app === undefined || threshold.app === app)
      .flatMap(([app, ofApp]) => judgeWithin(app, ofApp, threshold, design?.kind === "control")),
  );
}

function judgeWithin(
  app: string | undefined,
  rows: readonly Row[],
  threshold: Threshold,
  isControl: boolean,
): JudgedThreshold[] {
  const { condition, endpoint, isOverall } = threshold;
  if (isOverall) {
    return workerCounts(rows).map((workers) => ({
      threshold,
      app,
      endpoint: undefined,
      workers,
      ...judgeOverall(
        condition,
        rows.filter((row) => row.cell.workers === workers),
      ),
    }));
  }
  const all = rows.map(({ cell }) => cell.endpoint);
  const meant = endpoint === undefined ? undefined : labelsMeant(endpoint, all);
  return rows
    .map((row) => ({ row, label: endpointLabel(row.cell.endpoint) }))
    .filter(({ label }) => meant === undefined || meant.has(label))
    .map(({ row, label }) => ({
      threshold,
      app,
      endpoint: label,
      workers: row.cell.workers,
      ...("slowerBy" in condition
        ? judgeChange(condition.slowerBy, row, isControl)
        : judgeArms(condition, row)),
      ...("budget" in condition && condition.budget === "sql_per_request" && mostSent(row)),
    }));
}

function mostSent({ diagnosis }: Row): Pick<JudgedThreshold, "statement"> {
  const { requests = 0, statements = [] } = diagnosis?.head?.seen ?? {};
  const [most] = statements.toSorted((a, b) => b.count - a.count);
  return most === undefined || requests === 0
    ? {}
    : { statement: { ...most, perRequest: most.count / requests } };
}

function workerCounts(rows: readonly Row[]): number[] {
  return [...new Set(rows.map((row) => row.cell.workers))];
}

type Absolute = Exclude<Condition, BudgetCondition | { readonly slowerBy: number }>;

function judgeArms(condition: Absolute | BudgetCondition, row: Row): Judged {
  const head = row.problem === undefined ? row.arms.head : undefined;
  if (head === undefined)
    return unknown(row.loneArm?.kind === "removed" ? "removed in the head" : "not measured");
  return "budget" in condition ? judgeBudget(condition, [row]) : judgeValue(condition, [head]);
}

/** Judges all endpoints together. A sum that lacks one of them would be the sum of something else. */
function judgeOverall(condition: Condition, rows: readonly Row[]): Judged {
  const counted = rows.filter((row) => row.loneArm?.kind !== "removed");
  const heads = counted.flatMap((row) => (row.problem === undefined ? (row.arms.head ?? []) : []));
  if ("slowerBy" in condition || heads.length === 0) return unknown("not measured");
  if (heads.length < counted.length) return unknown("not every endpoint was measured");
  if ("budget" in condition) return judgeBudget(condition, counted);
  return judgeValue(condition, heads);
}

function judgeValue(condition: Absolute, arms: readonly ArmSummary[]): Judged {
  const value = measured(condition, arms);
  if (value === undefined)
    return unknown(condition.metric === "instructions_per_request" ? "not counted" : "not measured");
  return { state: holds(value, condition.operator, condition.bound) ? "kept" : "broken", value, reason: "" };
}

function measured(condition: Absolute, arms: readonly ArmSummary[]): number | undefined {
  const requests = sum(arms.map((arm) => arm.requests));
  if (condition.metric === "http_req_failed") return sum(arms.map((arm) => arm.failures)) / requests;
  if (condition.metric === "http_reqs")
    return condition.aggregation === "count" ? requests : sum(arms.map((arm) => arm.throughput.value));
  // Those of several endpoints add up to nothing that means something.
  if (condition.metric === "instructions_per_request")
    return arms.length === 1 ? arms[0]?.instructionsPerRequest : undefined;
  const max = Math.max(...arms.map((arm) => arm.latencyMs.max));
  const latency = mergeHistograms(arms.map((arm) => arm.latency));
  const at = (share: number) => quantileMs(latency, share, max);
  switch (condition.aggregation) {
    case "avg":
      return meanMs(arms);
    case "min":
      return at(0);
    case "med":
      return at(0.5);
    case "max":
      return max;
    default:
      return at(condition.percentile / 100);
  }
}

/** Mean over the replies: each arm's exact mean, weighted by the number of its replies. */
function meanMs(arms: readonly ArmSummary[]): number | undefined {
  const counts = arms.map((arm) => histogramCount(arm.latency));
  const total = sum(counts);
  if (total === 0) return undefined;
  return sum(arms.map((arm, index) => (arm.latencyMs.mean * (counts[index] ?? 0)) / total));
}

/** Broken: certainly slower by the bound. Kept: certainly not. A control breaks nothing. */
function judgeChange(slowerBy: number, row: Row, isControl: boolean): Judged {
  const { versus, effect } = row;
  if (versus === undefined)
    return unknown(row.problem === undefined ? "not compared with a base" : "not measured");
  const { kind } = versus.verdict;
  if (effect === undefined) return unknown("the comparison is invalid");
  const { value } = effect;
  const reach = reachOf(effect, slowerBy);
  if (kind === "faster" || reach === "certainly not") return { state: "kept", value, reason: "" };
  if (kind !== "slower") return { state: "unknown", value, reason: "inconclusive" };
  if (reach === "perhaps") return { state: "unknown", value, reason: "the bound is within the interval" };
  return isControl
    ? { ...unknown("both arms are the same code"), value }
    : { state: "broken", value, reason: "" };
}

function unknown(reason: string): Judged {
  return { state: "unknown", value: undefined, reason };
}
