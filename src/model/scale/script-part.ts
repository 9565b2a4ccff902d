import * as z from "zod";
import { groupBy } from "../../lists/group.ts";
import { sum } from "../../statistics/estimate.ts";
import { histogramSchema, mergeHistograms } from "../load/histogram.ts";
import { type CountedPart, countOf, mostParts, timesOf } from "../load/script-samples.ts";
import { count, milliseconds } from "../measurement/amounts.ts";
import { type ScriptResults, scriptResultsSchema } from "../measurement/script-results.ts";

const countedSchema = z
  .array(
    z.strictObject({
      name: z.string().max(200),
      totalMs: milliseconds,
      latency: histogramSchema,
      zeros: count,
    }),
  )
  .max(mostParts);

/** What one of several processes saw of a script's results, in a form that can be added up. */
export const scriptPartSchema = scriptResultsSchema
  .omit({ groups: true, requests: true })
  .extend({ groups: countedSchema, requests: countedSchema });
export type ScriptPart = z.infer<typeof scriptPartSchema>;

/** Most that a document of a measurement holds. */
const mostShown = 200;
const mostThresholds = 100;
type Values = ScriptPart["metrics"][number]["values"];

const nameOf = ({ name }: { readonly name: string }) => name;

/**
 * Adds up what the processes of one run saw, exactly. What cannot be added is left out: percentiles of a metric of the
 * script's own, and the figures of thresholds, of which each process judges its own part.
 */
export function mergeParts(parts: readonly ScriptPart[]): ScriptResults {
  const groups = named(
    parts.map((part) => part.groups),
    mostParts,
    nameOf,
  ).map(mergedTimes);
  const requests = named(
    parts.map((part) => part.requests),
    mostParts,
    nameOf,
  )
    .map(mergedTimes)
    .toSorted((one, other) => countOf(other) - countOf(one));
  const times = timesOf({ groups: groups.slice(0, mostShown), requests });
  const checks = parts.map((part) => part.checks);
  const thresholds = parts.map((part) => part.thresholds);
  return {
    ...times,
    checks: named(checks, mostShown, ({ group, name }) => `${group}::${name}`)
      .slice(0, mostShown)
      .map((all) => ({
        ...all[0],
        passes: sum(all.map(({ passes }) => passes)),
        fails: sum(all.map(({ fails }) => fails)),
      })),
    metrics: named(
      parts.map((part) => part.metrics),
      mostShown,
      nameOf,
    )
      .slice(0, mostShown)
      .map((all) => ({ name: all[0].name, values: mergedValues(all.map(({ values }) => values)) })),
    thresholds: named(thresholds, mostThresholds, ({ metric, condition }) => `${metric}: ${condition}`)
      .slice(0, mostThresholds)
      .map((all) => ({
        metric: all[0].metric,
        condition: all[0].condition,
        isKept: all.every(({ isKept }) => isKept),
      })),
  };
}

/**
 * Entries of the same name, of whichever processes have one. A full list may lack an entry that its process saw, so such
 * an entry cannot be added up, and is left out.
 */
function named<T>(
  lists: readonly (readonly T[])[],
  most: number,
  keyOf: (each: T) => string,
): (readonly [T, ...T[]])[] {
  const full = lists.filter(({ length }) => length >= most).map((list) => new Set(list.map(keyOf)));
  return [...groupBy(lists.flat(), keyOf)].flatMap(([name, [first, ...others]]) =>
    first === undefined || !full.every((names) => names.has(name)) ? [] : [[first, ...others] as const],
  );
}

function mergedTimes(all: readonly [CountedPart, ...CountedPart[]]): CountedPart {
  return {
    name: all[0].name,
    totalMs: sum(all.map(({ totalMs }) => totalMs)),
    latency: mergeHistograms(all.map(({ latency }) => latency)),
    zeros: sum(all.map(({ zeros }) => zeros)),
  };
}

/** Which kind of metric it is shows in the figures that k6 gives of it. */
function mergedValues(given: readonly Values[]): Values {
  // A process without a sample of a trend says 0 for each of its figures.
  const all = given.filter(({ count: samples }) => samples !== 0);
  const [only, ...others] = all;
  if (only === undefined) return { count: 0 };
  if (others.length === 0) return only;
  const figures = (key: string) => all.flatMap((values) => values[key] ?? []);
  const isIn = (key: string) => figures(key).length > 0;
  const samples = sum(figures("count"));
  if (isIn("passes")) {
    const [passes, fails] = [sum(figures("passes")), sum(figures("fails"))];
    return { passes, fails, ...(passes + fails > 0 && { value: passes / (passes + fails) }) };
  }
  return {
    ...(isIn("avg") && { avg: sum(all.map(({ avg = 0, count: ofPart = 0 }) => avg * ofPart)) / samples }),
    ...(isIn("min") && { min: Math.min(...figures("min")) }),
    ...(isIn("max") && { max: Math.max(...figures("max")) }),
    ...(isIn("count") && { count: samples }),
  };
}
