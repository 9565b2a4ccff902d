import { count, type Interval, percent } from "../../src/engine.ts";
import type { Bound, ClaimCheck, ScalarCheck, SeriesCheck } from "../documents/checks.ts";
import type { MetricName } from "../documents/metrics.ts";
import { boundValue, type Scope } from "./bounds.ts";

/** The result of a check, with a reason in words; or only the reason why there is none. */
export type CheckResult =
  | {
      readonly isMet: boolean;
      /** False when the interval allows the opposite. */
      readonly isSettled: boolean;
      readonly words: string;
      /** 95% interval of the checked value, when known. */
      readonly interval: Interval | undefined;
    }
  | { readonly missing: string };

/** Compares a check with the measured figures. A value whose interval crosses a bound does not settle it. */
export function checkResult(check: ClaimCheck, metric: MetricName, scope: Scope): CheckResult {
  switch (check.on) {
    case "series":
      return seriesResult(check, scope);
    case "max_minus_mean":
      return spreadResult(scope);
    default:
      return scalarResult(check, metric, scope);
  }
}

/** A number for a sentence: five digits that count, so that a value close to a bound is not shown as the bound. */
export function exact(value: number): string {
  if (!Number.isFinite(value)) return "∞";
  return Math.abs(value) >= 10_000 ? count(value) : String(Number(value.toPrecision(5)));
}

function scalarResult(check: ScalarCheck, metric: MetricName, scope: Scope): CheckResult {
  const { sides } = scope;
  const [name, value, interval] =
    check.on === "ratio"
      ? (["the ratio", sides.ratio, sides.ratioInterval] as const)
      : ([metric, sides.left, sides.leftInterval] as const);
  if (typeof value !== "number") return value;
  const range = rangeOf(check, scope);
  if ("missing" in range) return range;
  const isMet = isWithin(value, range);
  const isSettled = interval === undefined || !crosses(interval, range, isMet);
  const doubt = isSettled
    ? ""
    : `, but its 95% interval is ${exact(interval.low)} to ${exact(interval.high)}`;
  return {
    isMet,
    isSettled,
    interval,
    words: `${name} ${exact(value)} is ${isMet ? "" : "not "}${range.words}${doubt}`,
  };
}

/** Whether the true value may lie on the other side of a bound. */
function crosses({ low, high }: Interval, range: Interval, isMet: boolean): boolean {
  const isInside = isWithin(low, range) && isWithin(high, range);
  const overlaps = low <= range.high && high >= range.low;
  return isMet ? !isInside : overlaps;
}

interface Range extends Interval {
  readonly words: string;
}

function rangeOf(check: ScalarCheck, scope: Scope): Range | { readonly missing: string } {
  const isBetween = check.op === "between";
  const [lowBound, highBound] = isBetween ? [check.low, check.high] : [check.value, check.value];
  const low = boundValue(lowBound, scope);
  const high = boundValue(highBound, scope);
  if (typeof low !== "number") return low;
  if (typeof high !== "number") return high;
  const words = boundWords(lowBound, low);
  switch (check.op) {
    case "between":
      return { low, high, words: `between ${words} and ${boundWords(highBound, high)}` };
    case ">=":
      return { low, high: Number.POSITIVE_INFINITY, words: `at least ${words}` };
    case "<=":
      return { low: Number.NEGATIVE_INFINITY, high, words: `at most ${words}` };
    case "equals": {
      const width = Math.abs(low) * check.tolerance;
      return { low: low - width, high: low + width, words: `within ${percent(check.tolerance)} of ${words}` };
    }
  }
}

function boundWords(bound: Bound, value: number): string {
  return typeof bound === "number" ? exact(value) : `${exact(value)} (\`${bound}\`)`;
}

function isWithin(value: number, { low, high }: Interval): boolean {
  return value >= low && value <= high;
}

/** Each ratio may exceed the one before it by at most the slack, and the last is below the first. */
function seriesResult({ of, slack }: SeriesCheck, { ratioOf, ratioIntervalOf }: Scope): CheckResult {
  const ratios: number[] = [];
  for (const id of of) {
    const ratio = ratioOf(id);
    if (typeof ratio !== "number") return { missing: `${id}: ${ratio.missing}` };
    ratios.push(ratio);
  }
  const intervals = ratios.map((ratio, at) => ratioIntervalOf(of[at] ?? "") ?? { low: ratio, high: ratio });
  const lows = intervals.map(({ low }) => low);
  const highs = intervals.map(({ high }) => high);
  const isMet = falls(ratios, ratios, slack);
  const isSettled = falls(highs, lows, slack) || !falls(lows, highs, slack);
  const words = `the ratios ${ratios.map(exact).join(", ")} ${isMet ? "fall" : "do not fall"} (slack ${slack})`;
  const doubt = isSettled ? "" : ", but their 95% intervals overlap";
  return { isMet, isSettled, words: `${words}${doubt}`, interval: undefined };
}

/** Compares each of `ratios` with the one of `earlier` before it. */
function falls(ratios: readonly number[], earlier: readonly number[], slack: number): boolean {
  const [first = 0] = earlier;
  const last = ratios.at(-1) ?? 0; // a series has two or more
  return last < first && ratios.slice(1).every((ratio, index) => ratio <= (earlier[index] ?? ratio) + slack);
}

function spreadResult({ sides: { left, right, cases } }: Scope): CheckResult {
  if (typeof left !== "number") return left;
  if (typeof right !== "number") return right;
  const isMet = left < right;
  const words = `max minus mean ${exact(left)} ms is ${isMet ? "" : "not "}below ${exact(right)} ms`;
  return { isMet, isSettled: true, words: `${words}${bulkWords(cases)}`, interval: undefined };
}

/** The behaviour of most requests: a maximum is one request's, so the next run may well turn its check around. */
function bulkWords({ left, right }: Scope["sides"]["cases"]): string {
  const [one, other] = [left, right].map((side) => {
    const { p95_ms: high, med_ms: middle } = side?.figures ?? {};
    return high === undefined || middle === undefined ? undefined : high - middle;
  });
  if (one === undefined || other === undefined) return "";
  return `, decided by one request on each side; p95 minus median is ${exact(one)} ms against ${exact(other)} ms`;
}
