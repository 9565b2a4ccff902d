import type { Budget, Condition, Operator } from "../model/thresholds/threshold.ts";
import { sum } from "../statistics/estimate.ts";
import type { ArmSummary } from "./arm-summary.ts";
import type { JudgedThreshold, Row } from "./comparison.ts";
import type { FootprintPart } from "./footprint-change.ts";

export type BudgetCondition = Extract<Condition, { readonly budget: Budget }>;
type Judged = Pick<JudgedThreshold, "state" | "value" | "reason">;
type ArmName = keyof Row["arms"];

interface Figure {
  readonly of: (row: Row, arm: ArmName) => number | undefined;
  /** Digits behind the point that count: a new connection sends statements, too. */
  readonly decimals: number;
  /** Difference from the base, and the same as a share, from which it is more. */
  readonly least: number;
  readonly leastShare: number;
  /** The judged change of it, where it is one that varies from start to start. */
  readonly part?: FootprintPart;
}

const counted = { decimals: 1, least: 0.5, leastShare: 0.01 } as const;
const ofArm =
  (figure: (arm: ArmSummary) => number | undefined, unit = 1) =>
  (row: Row, name: ArmName) => {
    const arm = row.arms[name];
    const value = arm && figure(arm);
    return value === undefined ? undefined : value / unit;
  };
const footprint = (
  part: FootprintPart,
  unit: number,
  key: "readyMemoryBytes" | "peakMemoryBytes" | "startCpuSeconds",
) => ({ of: ofArm((arm) => arm[key], unit), decimals: 2, least: 0, leastShare: 0, part }) as const;

const figures: Readonly<Record<Budget, Figure>> = {
  sql_per_request: {
    ...counted,
    of: (row, name) => row.arms[name]?.statementsPerRequest ?? statementsSeen(row, name),
  },
  sql_rows_per_request: { ...counted, of: ofArm((arm) => arm.rowsPerRequest) },
  // A mean of samples.
  response_bytes: { of: ofArm((arm) => arm.responseBytes), decimals: 0, least: 1, leastShare: 0.1 },
  outside_calls: {
    ...counted,
    of: (row, name) => (name === "head" ? row.environment?.outsideHosts?.length : undefined),
  },
  ready_memory_mb: footprint("readyMemory", 1e6, "readyMemoryBytes"),
  peak_memory_mb: footprint("peakMemory", 1e6, "peakMemoryBytes"),
  start_cpu_seconds: footprint("startCpu", 1, "startCpuSeconds"),
};

/** More than these diagnosis does not list. */
const mostSeen = 10;

/** Statements per request as diagnosis saw them, where the database does not count: MySQL's and SQLite's. */
function statementsSeen({ diagnosis }: Row, name: ArmName): number | undefined {
  const { requests = 0, statements = [] } = diagnosis?.[name]?.seen ?? {};
  const isWhole = statements.length > 0 && statements.length < mostSeen;
  return isWhole && requests > 0 ? sum(statements.map(({ count }) => count)) / requests : undefined;
}

/** Judges a budget of one row, or of several together: counts as a mean over their requests, others by their largest. */
export function judgeBudget(condition: BudgetCondition, rows: readonly Row[]): Judged {
  const figure = figures[condition.budget];
  const head = together(figure, rows, "head");
  if (head === undefined) return { state: "unknown", value: undefined, reason: "not counted" };
  if ("bound" in condition)
    return {
      state: holds(Number(head.toFixed(figure.decimals)), condition.operator, condition.bound)
        ? "kept"
        : "broken",
      value: head,
      reason: "",
    };
  const isMore = isMoreThanBase(figure, head, rows);
  if (isMore === undefined) return { state: "unknown", value: head, reason: "not counted in the base" };
  return { state: isMore ? "broken" : "kept", value: head, reason: "" };
}

function together({ of, part }: Figure, rows: readonly Row[], arm: ArmName): number | undefined {
  const values = rows.flatMap((row) => of(row, arm) ?? []);
  if (values.length < rows.length) return undefined;
  if (part !== undefined) return Math.max(...values);
  const weights = rows.map(({ arms }) => arms[arm]?.requests ?? 0);
  return sum(values.map((value, index) => value * (weights[index] ?? 0))) / sum(weights);
}

function isMoreThanBase(figure: Figure, head: number, rows: readonly Row[]): boolean | undefined {
  const { part, least, leastShare } = figure;
  if (part !== undefined) {
    const changes = rows.map(({ versus }) => versus?.footprint.find((each) => each.part === part));
    return changes.includes(undefined) ? undefined : changes.some((change) => change?.kind === "more");
  }
  const base = together(figure, rows, "base");
  return base === undefined ? undefined : head - base >= Math.max(least, leastShare * base);
}

const comparisons: Readonly<Record<Operator, (value: number, bound: number) => boolean>> = {
  "<": (value, bound) => value < bound,
  "<=": (value, bound) => value <= bound,
  ">": (value, bound) => value > bound,
  ">=": (value, bound) => value >= bound,
  "==": (value, bound) => value === bound,
  "!=": (value, bound) => value !== bound,
};

export function holds(value: number, operator: Operator, bound: number): boolean {
  return comparisons[operator](value, bound);
}
