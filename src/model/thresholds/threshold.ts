import * as z from "zod";
import { defined } from "../../lists/defined.ts";
import { failChoices } from "../choices.ts";
import { endpointLabel, isMix, mixLine, type Requested } from "../endpoint/endpoint.ts";
import { appNameSchema } from "../plan/cell.ts";

/** The judged metrics, k6's and one of our own, and the aggregations of each. */
export const aggregations = {
  http_req_duration: ["avg", "min", "med", "max", "p"],
  http_req_failed: ["rate"],
  http_reqs: ["count", "rate"],
  instructions_per_request: ["value"],
} as const;
export const metrics = [
  "http_req_duration",
  "http_req_failed",
  "http_reqs",
  "instructions_per_request",
] as const;
export type Metric = (typeof metrics)[number];

export const operators = ["<", "<=", ">", ">=", "==", "!="] as const;
export type Operator = (typeof operators)[number];

/** Figures that are counted, so that a bound on them needs no statistics. Their names say the unit. */
export const budgets = [
  "sql_per_request",
  "sql_rows_per_request",
  "response_bytes",
  "outside_calls",
  "ready_memory_mb",
  "peak_memory_mb",
  "start_cpu_seconds",
] as const;
export type Budget = (typeof budgets)[number];

const comparison = {
  operator: z.enum(operators),
  /** Milliseconds, a share, a count or requests per second, depending on the metric. */
  bound: z.number().min(-1e15).max(1e15),
};

export const conditionSchema = z.union([
  z.strictObject({
    metric: z.literal("http_req_duration"),
    aggregation: z.enum(["avg", "min", "med", "max"]),
    ...comparison,
  }),
  z.strictObject({
    metric: z.literal("http_req_duration"),
    aggregation: z.literal("p"),
    /** 0 to 100. */
    percentile: z.number().min(0).max(100),
    ...comparison,
  }),
  z.strictObject({ metric: z.literal("http_req_failed"), aggregation: z.literal("rate"), ...comparison }),
  z.strictObject({ metric: z.literal("http_reqs"), aggregation: z.enum(["count", "rate"]), ...comparison }),
  z.strictObject({
    metric: z.literal("instructions_per_request"),
    aggregation: z.literal("value"),
    ...comparison,
  }),
  z.strictObject({ budget: z.enum(budgets), ...comparison }),
  /** The head's figure must be no more than the base's. */
  z.strictObject({ budget: z.enum(budgets), noMoreThan: z.literal("base") }),
  /** `slower than base by 5%`: the statement that must not be true; as a share, 0.05. */
  z.strictObject({ slowerBy: z.number().gt(0).max(1) }),
]);
export type Condition = z.infer<typeof conditionSchema>;

/** A bound that a user set, in the form that travels in the plan. */
const thresholdSchema = z.strictObject({
  /** Name of one app among several; absent: each of them. */
  app: appNameSchema.optional(),
  /** Name of one endpoint; absent: each endpoint on its own. */
  endpoint: z.string().max(10_000).optional(),
  isOverall: z.literal(true).optional(),
  condition: conditionSchema,
});
export type Threshold = z.infer<typeof thresholdSchema>;

export const mostThresholds = 100;

/** In k6's words: `p(95)<300`, with its metric when that is not the usual one of the aggregation. */
export function conditionText(condition: Condition): string {
  if ("slowerBy" in condition) return `slower than base by ${shortest(condition.slowerBy * 100)}%`;
  if ("budget" in condition)
    return condition.budget + ("bound" in condition ? condition.operator + condition.bound : "<=base");
  const { metric, aggregation, operator, bound } = condition;
  const name = "percentile" in condition ? `p(${condition.percentile})` : aggregation;
  const isUsual = metric === usualMetric(aggregation);
  return `${isUsual ? "" : `${metric}: `}${name}${operator}${bound}`;
}

export function thresholdText({ endpoint, isOverall, condition }: Threshold): string {
  const scope = isOverall ? "overall: " : endpoint === undefined ? "" : `${endpoint}: `;
  return scope + conditionText(condition);
}

export function usualMetric(aggregation: string): Metric {
  if (aggregation === "value") return "instructions_per_request";
  if (aggregation === "rate") return "http_req_failed";
  return aggregation === "count" ? "http_reqs" : "http_req_duration";
}

/** Without the last digits that a share's conversion to percent leaves. */
function shortest(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** Endpoints that a threshold means: by name, else by name before the query, or every mix for `mix`. */
export function labelsMeant(name: string, all: readonly Requested[]): ReadonlySet<string> {
  const exact = all.filter((each) => endpointLabel(each) === name);
  const alike = all.filter((each) =>
    isMix(each) ? name === mixLine : "path" in each && endpointLabel(each).split("?")[0] === name,
  );
  return new Set((exact.length > 0 ? exact : alike).map(endpointLabel));
}

/** Conditions that fail the check; they travel in the plan, because the job that reports has no configuration file. */
export const checkSchema = z.strictObject({
  failOn: z.enum(failChoices),
  /** As a share: 0.05 is 5%. */
  maxSlowdown: z.number().positive().max(1),
  /** Bounds of the user's own; a broken one fails the check, unless the check never fails. Absent: none. */
  thresholds: z.array(thresholdSchema).min(1).max(mostThresholds).optional(),
});
export type Check = z.infer<typeof checkSchema>;

export const usualCheck: Check = { failOn: "regression", maxSlowdown: 0.05 };

/** The report's own settings of the check; the rest is the plan's. */
export type CheckRequest = { readonly [K in "failOn" | "maxSlowdown"]: Check[K] | undefined } & {
  readonly thresholds?: Check["thresholds"];
};

/** The plan's check, with the report's own settings on top. */
export function checkOf(
  planned: Check,
  { failOn, maxSlowdown, thresholds = planned.thresholds }: CheckRequest,
): Check {
  return {
    failOn: failOn ?? planned.failOn,
    maxSlowdown: maxSlowdown ?? planned.maxSlowdown,
    ...defined({ thresholds }),
  };
}
