import type { Row } from "../../compare/comparison.ts";
import { versusIn } from "../../compare/standing.ts";
import { figure } from "../../text/numbers.ts";

/** Where to look when no cause of a slow-down was found: sentences of our own words. */
export function unexplainedSentences(row: Row, isLookedInto: boolean): string {
  const start = isLookedInto ? "No known cause was found" : "Its cause was not looked for";
  return `${start}. ${hint(row)}`;
}

function hint(row: Row): string {
  const { base, head } = row.arms;
  const [before, after] = [base?.cpuPerRequestMs, head?.cpuPerRequestMs];
  const { low, high } = versusIn(row)?.effects.cpuPerRequest?.interval ?? {
    low: Number.NaN,
    high: Number.NaN,
  };
  if (before === undefined || after === undefined || Number.isNaN(low))
    return "Compare the figures of both versions below.";
  if (low > 0)
    return `Each request takes ${figure(after - before)} ms more CPU (${figure(before)} → ${figure(after)} ms): look at the code that this change adds to its path.`;
  if (high < 0) return "Each request takes less CPU than before, so it waits longer: look at what it calls.";
  return "Each request takes as much CPU as before, so it waits longer: look at its database statements and at what else it calls.";
}
