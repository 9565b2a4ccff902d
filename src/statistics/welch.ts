import jstat from "jstat";
import { type Estimate, mean, variance } from "./estimate.ts";

/**
 * Difference of the means of two samples, with its interval. The two need not be equally spread (Welch, Biometrika 34,
 * 1947). The interval is absent when either has fewer than two values.
 */
export function differenceOfMeans(
  values: readonly number[],
  others: readonly number[],
  confidence: number,
): Estimate {
  const value = mean(values) - mean(others);
  if (values.length < 2 || others.length < 2) return { value, interval: undefined };
  const [a, b] = [variance(values) / values.length, variance(others) / others.length];
  const freedom = (a + b) ** 2 / (a ** 2 / (values.length - 1) + b ** 2 / (others.length - 1));
  // Without any spread the degrees of freedom are 0 / 0, and the interval is a point.
  const half = a + b === 0 ? 0 : -jstat.studentt.inv((1 - confidence) / 2, freedom) * Math.sqrt(a + b);
  return { value, interval: { low: value - half, high: value + half } };
}
