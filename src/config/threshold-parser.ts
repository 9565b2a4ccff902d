import { methods, mixLine } from "../model/endpoint/endpoint.ts";
import {
  aggregations,
  budgets,
  type Condition,
  conditionSchema,
  metrics,
  operators,
  type Threshold,
  usualMetric,
} from "../model/thresholds/threshold.ts";

type ParsedThreshold = { readonly threshold: Threshold } | { readonly problem: string };

const supported = [
  ...metrics.map((metric) => {
    const names = aggregations[metric].map((each) => (each === "p" ? "p(N)" : each));
    return `${metric} (${names.join(", ")})`;
  }),
  '"slower than base by 5%"',
  `and the budgets ${budgets.join(", ")}, e.g. sql_per_request<=5 or sql_per_request<=base`,
].join(", ");

const conditionPattern =
  /^(avg|min|med|max|count|rate|value|p\((\d{1,3}(?:\.\d{1,6})?)\)) ?(<=|>=|===|==|!=|<|>) ?(-?\d{1,15}(?:\.\d{1,15})?)$/;
const budgetPattern = new RegExp(
  `^(${budgets.join("|")}) *:? *(?:(<=|>=|===|==|!=|<|>) ?(-?\\d{1,15}(?:\\.\\d{1,15})?)|(?:<= ?|no more than )base)$`,
);
const relativePattern = /^slower than base by (\d{1,3}(?:\.\d{1,6})?) ?%$/;
const methodPattern = new RegExp(`^(${methods.join("|")}) +(/\\S*)$`, "i");

/**
 * Reads one line: `p(95)<300`, `http_req_failed: rate<0.01`, `slower than base by 5%`. An endpoint's name or `overall`,
 * with a colon, may come first; otherwise it holds for each endpoint. Takes any text and never throws.
 */
export function parseThreshold(line: string): ParsedThreshold {
  const { scope, rest } = scopeOf(line.trim());
  const { metric, text } = metricOf(rest);
  const condition = budgetOf(rest) ?? conditionOf(metric, text);
  if (typeof condition === "string") return { problem: `${JSON.stringify(line)} ${condition}` };
  if (scope.isOverall && "slowerBy" in condition)
    return {
      problem: `${JSON.stringify(line)} cannot be used with overall: each endpoint is compared on its own`,
    };
  return { threshold: { ...scope, condition } };
}

/** The first colon with a space after it ends a path, which has no space in it. */
function scopeOf(line: string): { scope: Omit<Threshold, "condition">; rest: string } {
  const at = line.indexOf(": ");
  const [name, rest] = at < 0 ? ["", line] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  if (name === "overall") return { scope: { isOverall: true }, rest };
  const [, method = "", path = ""] = methodPattern.exec(name) ?? [];
  if (path !== "") {
    const endpoint = method.toUpperCase() === "GET" ? path : `${method.toUpperCase()} ${path}`;
    return { scope: { endpoint }, rest };
  }
  return name.startsWith("/") || name === mixLine
    ? { scope: { endpoint: name }, rest }
    : { scope: {}, rest: line };
}

function metricOf(text: string): { metric: string | undefined; text: string } {
  const [, metric, rest = ""] = /^([A-Za-z_]\w*(?:\{[^}]*\})?) *: *(.*)$/s.exec(text) ?? [];
  return metric === undefined ? { metric, text } : { metric, text: rest };
}

/** A bound on a counted figure; `undefined` when it is none. */
function budgetOf(text: string): Condition | undefined {
  const [, name, operator, bound] = budgetPattern.exec(text) ?? [];
  const budget = budgets.find((each) => each === name);
  if (budget === undefined) return undefined;
  return bound === undefined
    ? { budget, noMoreThan: "base" }
    : { budget, operator: operators.find((each) => each === operator) ?? "==", bound: Number(bound) };
}

function conditionOf(metric: string | undefined, text: string): Condition | string {
  const known = metric === undefined || metrics.some((each) => each === metric);
  if (!known) return `uses the metric ${metric}, which is not supported; choose from ${supported}`;
  const [, percent] = relativePattern.exec(text) ?? [];
  if (percent !== undefined && metric === undefined) {
    const condition = conditionSchema.safeParse({ slowerBy: Number(percent) / 100 });
    return condition.data ?? "must be above 0% and up to 100%";
  }
  const [, name, percentile, operator, bound] = conditionPattern.exec(text) ?? [];
  if (name === undefined)
    return `must be a condition such as p(95)<300, rate<0.01 or slower than base by 5%; the metrics are ${supported}`;
  const aggregation = percentile === undefined ? name : "p";
  const of = metric ?? usualMetric(aggregation);
  const condition = conditionSchema.safeParse({
    metric: of,
    aggregation,
    ...(percentile !== undefined && { percentile: Number(percentile) }),
    operator: operators.find((each) => each === operator) ?? "==", // k6 takes === too
    bound: Number(bound),
  });
  if (condition.success) return condition.data;
  return percentile !== undefined && Number(percentile) > 100
    ? "has a percentile above 100"
    : `uses ${name}, which ${of} does not have; choose from ${supported}`;
}
