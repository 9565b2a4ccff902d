import { type Interval, percent } from "../../src/engine.ts";
import type { Case, MeasuredCase } from "../cases/cases.ts";
import type { ClaimCheck } from "../documents/checks.ts";
import type { ScaledClaim } from "../documents/claim-overrides.ts";
import { type Claim, caseIdOf, type Side } from "../documents/claims.ts";
import type { MetricName } from "../documents/metrics.ts";

/** A value, or the reason why there is none. */
export type Known = number | { readonly missing: string };

/** The measured figures of both sides of a claim, in the unit of its metric. The ratio is dimensionless. */
export interface Sides {
  readonly left: Known;
  readonly right: Known;
  /** Left divided by right; infinite when only the right side is 0. */
  readonly ratio: Known;
  /** 95% interval of the left side, when it has one. */
  readonly leftInterval: Interval | undefined;
  /** 95% interval of the ratio, when both sides have one. Its upper end may be infinite. */
  readonly ratioInterval: Interval | undefined;
  /** Number of cases among which the left side is the largest; `undefined` when it is a certain one. */
  readonly among: number | undefined;
  /** Names of those cases that were not measured. */
  readonly unmeasured: readonly string[];
  readonly cases: { readonly left: MeasuredCase | undefined; readonly right: MeasuredCase | undefined };
}

/** Finds both sides of a claim among the cases. */
export function sidesOf(claim: ScaledClaim, check: ClaimCheck, cases: ReadonlyMap<string, Case>): Sides {
  const others = casesAmong(claim, cases);
  const leftCase = others[0] ?? find(claim.left, cases);
  const rightCase = find(claim.right, cases);
  const left = sideValue(leftCase, claim, check);
  const right = sideValue(rightCase, claim, check);
  const hasIntervals = check.on !== "max_minus_mean";
  const leftInterval = hasIntervals ? intervalOf(leftCase, claim.metric) : undefined;
  const rightInterval = hasIntervals ? intervalOf(rightCase, claim.metric) : undefined;
  return {
    left,
    right,
    ratio: divide(left, right),
    leftInterval,
    ratioInterval: ratioInterval(left, leftInterval, right, rightInterval),
    among: others.length === 0 ? undefined : others.length,
    unmeasured: unmeasuredAmong(claim, cases),
    cases: { left: measured(leftCase), right: measured(rightCase) },
  };
}

/** Names the sides that failed requests: their rates and times are not those of served requests alone. */
export function failureWords(metric: MetricName, { cases: { left, right } }: Sides): readonly string[] {
  if (metric === "failed_rate") return []; // the metric itself says so
  const sides = new Set([left, right].filter((each) => each !== undefined));
  return [...sides].flatMap(({ id, figures: { failed_rate = 0 } }) =>
    failed_rate > 0 ? [`${id} failed ${percent(failed_rate)} of its requests`] : [],
  );
}

/** A side's case, or the reason why it has no figures. */
type FoundCase = MeasuredCase | string;

function find(side: Side | null, cases: ReadonlyMap<string, Case>): FoundCase {
  if (side === null) return "the claim has one side only";
  const id = caseIdOf(side);
  const found = cases.get(id);
  if (found === undefined) return `${id} was not run`;
  return found.kind === "measured" ? found : `${id} was not measured: ${found.reason}`;
}

function unmeasuredAmong({ among }: ScaledClaim, cases: ReadonlyMap<string, Case>): string[] {
  if (among === undefined) return [];
  const failed = [...cases.values()].filter(({ id, kind }) => id.startsWith(among) && kind !== "measured");
  return failed.map(({ id }) => id);
}

/** The measured cases among which a claim means the largest figure, in falling order. */
function casesAmong(
  { among, metric }: ScaledClaim,
  cases: ReadonlyMap<string, Case>,
): readonly MeasuredCase[] {
  if (among === undefined) return [];
  const found = [...cases.values()].flatMap((each) => {
    const value = each.kind === "measured" && each.id.startsWith(among) ? each.figures[metric] : undefined;
    return each.kind === "measured" && value !== undefined ? [{ each, value }] : [];
  });
  return found.toSorted((one, other) => other.value - one.value).map(({ each }) => each);
}

function measured(found: FoundCase): MeasuredCase | undefined {
  return typeof found === "string" ? undefined : found;
}

function sideValue(found: FoundCase, { metric }: Claim, { on }: ClaimCheck): Known {
  if (typeof found === "string") return { missing: found };
  if (on !== "max_minus_mean") return figureOf(found, metric);
  const max = figureOf(found, "max_ms");
  const mean = figureOf(found, "avg_ms");
  if (typeof max !== "number") return max;
  return typeof mean === "number" ? max - mean : mean;
}

function figureOf({ id, figures }: MeasuredCase, metric: MetricName): Known {
  return figures[metric] ?? { missing: `${id} has no ${metric}` };
}

function intervalOf(found: FoundCase, metric: MetricName): Interval | undefined {
  return typeof found === "string" ? undefined : found.intervals[metric];
}

function divide(left: Known, right: Known): Known {
  if (typeof left !== "number") return left;
  if (typeof right !== "number") return right;
  return left === 0 && right === 0 ? { missing: "both sides are 0" } : left / right;
}

/**
 * Interval of a ratio. Its upper end is infinite when the right side may be 0. It comes from the intervals of both
 * sides, on the logarithmic scale, for independent estimates (Zou and Donner, Statistics in Medicine 2008: the
 * distances from the estimates to their limits are added as squares).
 */
function ratioInterval(
  left: Known,
  leftInterval: Interval | undefined,
  right: Known,
  rightInterval: Interval | undefined,
): Interval | undefined {
  if (leftInterval === undefined || rightInterval === undefined) return undefined;
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  const down = Math.hypot(Math.log(left / leftInterval.low), Math.log(rightInterval.high / right));
  const up = Math.hypot(Math.log(leftInterval.high / left), Math.log(right / rightInterval.low));
  const interval = { low: (left / right) * Math.exp(-down), high: (left / right) * Math.exp(up) };
  return Number.isNaN(interval.low) || Number.isNaN(interval.high) ? undefined : interval; // `NaN`: a side is 0
}
