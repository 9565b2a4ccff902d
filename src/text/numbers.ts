import type { Estimate } from "../statistics/estimate.ts";

/** Stands for an unknown figure: an empty cell would look like a zero or a mistake. */
export const unknown = "–";

/** Above this, digits no longer help a reader, so powers of ten are shown. Dimensionless. */
const largest = 1e12;

/** Three significant digits, or all of the integer part: `0.123`, `12.3`, `−1,234`. Never `NaN`. */
export function figure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return unknown;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= largest) return withMinus(value.toExponential(2));
  if (size < 0.001) return value > 0 ? "<0.001" : ">−0.001";
  return grouped(withMinus(value.toFixed(decimalsOf(size))));
}

/** A whole number: `1,234`. A mean of counts is rounded. */
export function count(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return unknown;
  return Math.abs(value) >= largest ? value.toExponential(2) : grouped(value.toFixed(0));
}

/** A count per request, with decimals only when it is not whole: `2`, `2.5`. */
export function perRequest(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value) || Math.abs(value) >= 100) return figure(value);
  return String(Math.round(value * 100) / 100);
}

/** An estimate with half its interval, to the same decimals: `1,234 ± 12`. */
export function plusMinus({ value, interval }: Estimate): string {
  if (interval === undefined) return figure(value);
  const half = (interval.high - interval.low) / 2;
  if (!Number.isFinite(half) || !Number.isFinite(value)) return figure(value);
  const rounded = half.toFixed(decimalsOf(Math.abs(value)));
  const isTooCoarse = Number(rounded) === 0 || half >= largest;
  return `${figure(value)} ± ${isTooCoarse ? figure(half) : grouped(rounded)}`;
}

/** An estimate with both ends of its interval: `1.70 (1.68 to 1.72)`. */
export function withInterval(estimate: Estimate | undefined, words: (value: number) => string): string {
  if (estimate === undefined) return unknown;
  const { value, interval } = estimate;
  return interval === undefined
    ? words(value)
    : `${words(value)} (${words(interval.low)} to ${words(interval.high)})`;
}

/** A ratio with two decimals, for comparing: `1.80`. */
export function times(ratio: number): string {
  return ratio < 100 ? ratio.toFixed(2) : figure(ratio);
}

/** A stretch of time in a person's words: `45 s`, `2 min 5 s`, `1 h 10 min`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min${whole % 60 === 0 ? "" : ` ${whole % 60} s`}`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
}

/** A number with its noun: `1 cell`, `1,024 cells`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

function decimalsOf(size: number): number {
  if (size >= 100) return 0;
  if (size >= 10) return 1;
  return size >= 1 ? 2 : 3;
}

/** With the sign that is as wide as a plus. */
function withMinus(digits: string): string {
  return digits.replace(/^-/, "−");
}

function grouped(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const withCommas = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`;
}

/** Four digits that count: a chart shows no more. Keeps the page small. */
export function short(value: number): number {
  return Number(value.toPrecision(4));
}

/** An estimate as `[value]`, or `[value, low, high]` with its interval. */
export function shortEstimate({ value, interval }: Estimate): number[] {
  return interval === undefined ? [short(value)] : [short(value), short(interval.low), short(interval.high)];
}
