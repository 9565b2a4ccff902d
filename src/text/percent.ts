import type { Estimate } from "../statistics/estimate.ts";
import { count, unknown } from "./numbers.ts";

/** In percent: beyond it an interval only says that nothing is known. */
const largest = 1_000;

/** A share as a person would write it: `3 %`, `99.5 %`. */
export function percent(share: number): string {
  return Number.isFinite(share) ? `${Math.round(share * 10_000) / 100} %` : unknown;
}

/**
 * A relative change with its interval: `−9.8 % ± 0.6`, or both ends where they are not equally far from the value:
 * `+50 % (−2 to +120)`. Never a change alone: without an interval nobody knows what it is worth.
 */
export function relativeChange(change: Estimate | undefined): string {
  const { value, low, high } = percentsOf(change);
  const half = (high - low) / 2;
  if (Number.isNaN(half) || !Number.isFinite(value) || !Number.isFinite(low)) return unknown;
  if (value <= largest && high > largest)
    return `${signed(value, 0)} % (${signed(low, 0)} to over ${signed(largest, 0)})`;
  if (!Number.isFinite(half)) return unknown;
  const decimals = decimalsFor(half);
  const skew = Math.abs((low + high) / 2 - value);
  return skew > Math.max(half / 10, 0.01)
    ? `${signed(value, decimals)} % (${signed(low, decimals)} to ${signed(high, decimals)})`
    : `${signed(value, decimals)} % ± ${number(half, decimals)}`;
}

/** Half of an interval of shares: `± 0.8 %`. */
export function plusMinusPercent(half: number): string {
  if (half * 100 > largest) return `over ± ${number(largest, 0)} %`;
  return `± ${number(half * 100, decimalsFor(half * 100))} %`;
}

function percentsOf(change: Estimate | undefined): { value: number; low: number; high: number } {
  const { value = Number.NaN, interval } = change ?? {};
  return {
    value: value * 100,
    low: (interval?.low ?? Number.NaN) * 100,
    high: (interval?.high ?? Number.NaN) * 100,
  };
}

/** The interval says how many decimals help. */
function decimalsFor(halfPercent: number): number {
  if (halfPercent >= 10) return 0;
  return halfPercent >= 0.1 ? 1 : 2;
}

function signed(value: number, decimals: number): string {
  const size = number(Math.abs(value), decimals);
  if (Number(size) === 0) return size;
  return `${value < 0 ? "−" : "+"}${size}`;
}

function number(value: number, decimals: number): string {
  return decimals === 0 ? count(value) : value.toFixed(decimals);
}
