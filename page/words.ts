import { withInterval } from "../src/text/numbers.ts";

/** `[value, low, high]`, the form in the page's data, as `value (low to high)`. */
export function estimateText(
  estimate: readonly number[] | undefined,
  words: (value: number) => string,
): string {
  const [value, low, high] = estimate ?? [];
  const interval = low === undefined || high === undefined ? undefined : { low, high };
  return withInterval(value === undefined ? undefined : { value, interval }, words);
}
