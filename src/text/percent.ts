import type { Estimate } from "../statistics/estimate.ts";
import { count, unknown } from "./numbers.ts";

/** In percent: beyond it an interval only says that nothing is known. */
const largest = 1_000;
/** In percent: an interval from the one to the other, half to twice as much, holds nearly every change. */
const almostAll = { low: -50, high: 100 };

const forms = {
  /** A setting or a confidence, to a hundredth: `3`, `99.5`. */
  plain: (percents: number) => String(Math.round(percents * 100) / 100),
  /** A share of which decimals say nothing: `87`, `1,200` */
  whole: (percents: number) => count(percents),
  /** Two significant digits, and whole from 10 on: `0.12`, `8.2`, `41`. Not quite all is `99.7`. */
  measured: (percents: number) => {
    if (percents > 99 && percents < 100) return (Math.floor(percents * 10) / 10).toFixed(1);
    return isWholeSize(percents) ? count(percents) : String(Number(percents.toPrecision(2)));
  },
  /** A chance, never more than is known: 99.9% is not 100%. */
  chance: (percents: number) => {
    if (percents > 99) return "over 99";
    return percents < 1 ? "under 1" : count(percents);
  },
} as const;

/** A share: `3%`, `99.5%`. The one place that rounds shares without an interval. */
export function percent(share: number, form: keyof typeof forms = "plain"): string {
  return Number.isFinite(share) ? `${forms[form](share * 100)}%` : unknown;
}

/** A change with its sign, for places without its interval: `−8.2%`, `over +1,000%`. */
export function signedPercent(share: number | undefined): string {
  if (share === undefined || !Number.isFinite(share)) return unknown;
  const size = Math.abs(share * 100);
  const sign = share < 0 ? "−" : "+";
  if (size >= largest) return `over ${sign}${count(largest)}%`;
  return size === 0 ? "0%" : `${sign}${number(size, decimalsOf(size))}%`;
}

/** A change with its interval: `−9.8% ± 0.6`, or `+50% (−2 to +120)`. */
export function relativeChange(change: Estimate | undefined): string {
  return changeParts(change)?.join("") ?? unknown;
}

/** The same after a figure that it belongs to: ` (−9.8% ± 0.6)`, ` (+50%, −2 to +120)`; nothing where it is not known. */
export function bracketedChange(change: Estimate | undefined): string {
  const parts = changeParts(change);
  return parts === undefined ? "" : ` (${parts.join("").replace(/ \((.*)\)$/, ", $1")})`;
}

/** The same as its size and its interval; `undefined` where one of them is not known. */
export function changeParts(
  change: Estimate | undefined,
): readonly [size: string, interval: string] | undefined {
  const { value, low, high } = percentsOf(change);
  const half = (high - low) / 2;
  if (Number.isNaN(half) || !Number.isFinite(value) || !Number.isFinite(low)) return undefined;
  if (low <= almostAll.low && high >= almostAll.high) return undefined; // says nothing
  if (value <= largest && high > largest)
    return [`${signed(value, 0)}%`, ` (${signed(low, 0)} to over ${signed(largest, 0)})`];
  if (!Number.isFinite(half)) return undefined;
  const decimals = decimalsOf(value, half);
  const unit = 10 ** -decimals;
  const shown = (percents: number) => Math.round(percents / unit) * unit;
  const ends = [shown(value) - shown(half), shown(value) + shown(half)] as const;
  return Math.max(Math.abs(ends[0] - low), Math.abs(ends[1] - high)) >= unit // ± would be off by a last digit
    ? [`${signed(value, decimals)}%`, ` (${signed(low, decimals)} to ${signed(high, decimals)})`]
    : [`${signed(value, decimals)}%`, ` ± ${number(half, decimals)}`];
}

/** A change without its sign: `63%`, `33 to 80%`; beyond half or twice as much, the factor `2.3`. */
export function changeSize(change: Estimate | undefined) {
  const { value, low, high } = percentsOf(change);
  const ratio = value < 0 ? 100 / (100 + value) : 1 + value / 100;
  const factor = ratio > 2 && ratio < largest ? number(ratio, ratio < 10 ? 1 : 0) : undefined;
  const decimals = decimalsOf(value, (high - low) / 2);
  const [near, far] = [Math.min(Math.abs(low), Math.abs(high)), Math.max(Math.abs(low), Math.abs(high))];
  const top = far > largest ? `over ${number(largest, 0)}%` : `${number(far, decimals)}%`;
  // Never an end of 0 that is not one.
  const range = near > largest ? top : `${number(near, near < 0.5 ? 1 : decimals)} to ${top}`;
  return { size: `${number(Math.abs(value), decimals)}%`, range, factor };
}

/** Half of an interval of shares: `±0.8%`. */
export function plusMinusPercent(half: number): string {
  if (half * 100 > largest) return `over ±${number(largest, 0)}%`;
  return `±${number(half * 100, decimalsOf(half * 100))}%`;
}

function percentsOf(change: Estimate | undefined): { value: number; low: number; high: number } {
  const { value = Number.NaN, interval } = change ?? {};
  return {
    value: value * 100,
    low: (interval?.low ?? Number.NaN) * 100,
    high: (interval?.high ?? Number.NaN) * 100,
  };
}

/** As people say percentages: two digits, and whole from 10 on unless the interval is narrow enough for more. */
function decimalsOf(value: number, half = Math.abs(value)): number {
  const isWhole = isWholeSize(value) ? half >= narrow || Math.abs(value) >= 100 : half >= 10;
  if (isWhole) return 0;
  return half >= 0.1 ? 1 : 2;
}

/** Half of an interval, in percent, below which a decimal of a whole percentage says something. */
const narrow = 0.5;

/** True from the size on that would be written `10.0`. */
function isWholeSize(percents: number): boolean {
  return Math.abs(percents) >= 9.95;
}

function signed(value: number, decimals: number): string {
  const size = number(Math.abs(value), decimals);
  if (Number(size) === 0) return size;
  return `${value < 0 ? "−" : "+"}${size}`;
}

function number(value: number, decimals: number): string {
  return decimals === 0 ? count(value) : value.toFixed(decimals);
}
