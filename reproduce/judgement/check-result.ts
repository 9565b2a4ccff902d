import { count, type Interval, percent } from "../../src/engine.ts";
import type { Bound, ClaimCheck, ScalarCheck, SeriesCheck } from "../documents/checks.ts";
import type { MetricName } from "../documents/metrics.ts";
import { boundValue, type Scope } from "./bounds.ts";

/** The result of a check, with a reason in words; or only the reason why there is none. */
export type CheckResult =
  | {
      readonly isMet: boolean;
      readonly words: string;
      /** 95% interval of the checked value, when known. */
      readonly interval: Interval | undefined;
    }
  | { readonly missing: string };

/** Compares a check with the measured figures. The value decides; the words say when its interval crosses a bound. */
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
  return {
    isMet,
    interval,
    words: `${name} ${exact(value)} is ${isMet ? "" : "not "}${range.words}${doubtWords(isMet, interval, range)}`,
  };
}

/** Tells that the true value may lie on the other side of a bound. */
function doubtWords(isMet: boolean, interval: Interval | undefined, range: Interval): string {
  if (interval === undefined) return "";
  const { low, high } = interval;
  const isInside = isWithin(low, range) && isWithin(high, range);
  const overlaps = low <= range.high && high >= range.low;
  const isDoubtful = isMet ? !isInside : overlaps;
  return isDoubtful ? `, but its interval (${exact(low)} to ${exact(high)}) crosses a border` : "";
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
function seriesResult({ of, slack }: SeriesCheck, { ratioOf }: Scope): CheckResult {
  const ratios: number[] = [];
  for (const id of of) {
    const ratio = ratioOf(id);
    if (typeof ratio !== "number") return { missing: `${id}: ${ratio.missing}` };
    ratios.push(ratio);
  }
  const [first = 0] = ratios;
  const last = ratios.at(-1) ?? 0; // a series has two or more
  const isMet = last < first && ratios.every((ratio, index) => ratio <= (ratios[index - 1] ?? ratio) + slack);
  const words = `the ratios ${ratios.map(exact).join(", ")} ${isMet ? "fall" : "do not fall"} (slack ${slack})`;
  return { isMet, words, interval: undefined };
}

function spreadResult({ sides: { left, right, cases } }: Scope): CheckResult {
  if (typeof left !== "number") return left;
  if (typeof right !== "number") return right;
  const isMet = left < right;
  const words = `max minus mean ${exact(left)} ms is ${isMet ? "" : "not "}below ${exact(right)} ms`;
  return { isMet, words: `${words}${bulkWords(cases)}`, interval: undefined };
}

/** The behaviour of most requests: a maximum is one request's, so the next run may well turn its check around. */
function bulkWords({ left, right }: Scope["sides"]["cases"]): string {
  const [one, other] = [left, right].map((side) => {
    const { p95_ms: high, med_ms: middle } = side?.figures ?? {};
    return high === undefined || middle === undefined ? undefined : high - middle;
  });
  if (one === undefined || other === undefined) return "";
  return `, which one request of each side decides; p95 minus median is ${exact(one)} ms against ${exact(other)} ms`;
}
