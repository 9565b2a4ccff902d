import { groupBy } from "../../lists/group.ts";
import { confirm, type Finding } from "../../model/findings/finding.ts";
import type { Place } from "../../model/findings/probe-document.ts";
import { percent } from "../../text/percent.ts";
import { type Evidence, sumOf } from "../evidence.ts";
import { functionKey } from "../loop-functions.ts";
import { mergeAmounts, placeKey } from "../merging.ts";
import { cpuRate, loopRate, ratePrediction } from "../rates.ts";
import { at, figureOf, locationOf, milliseconds, phrase } from "../wording.ts";

/** Least share of the CPU time: healthy code that makes many objects next to a large heap has a quarter. */
const leastShare = 0.3;

/** Python's collector goes through a heap that grows, or is large, again and again. */
export function garbageCollection(evidence: Evidence): Finding | undefined {
  const { workers, endpoints, requests, cpuMs, load } = evidence;
  const all = workers.flatMap(({ collections }) => collections);
  const takenMs = sumOf(all, (each) => each.cpuMs);
  const share = takenMs / cpuMs;
  if (!(share >= leastShare)) return undefined;
  const byFunction = collectingMs(evidence);
  const msOf = (each: Place | null) => byFunction.get(functionKey(each)) ?? 0;
  const merged = mergeAmounts(all, ({ place }) => placeKey(place));
  const [place] = merged.map((each) => each.place).toSorted((a, b) => msOf(b) - msOf(a));
  const [endpoint, ...others] = endpoints;
  const grown = sumOf(workers, ({ memory }) => (memory.nowBytes ?? 0) - (memory.startBytes ?? 0));
  return confirm({
    cause: "garbage collection",
    ...locationOf(others.length > 0 ? undefined : endpoint, place),
    subject: "Python's garbage collector",
    summary: phrase`takes ${milliseconds(takenMs / requests)} of CPU per request (${percent(share, "whole")} of the total): it scans everything that the app keeps whenever new objects pile up${at(place)}`,
    advice:
      "Keep fewer objects between requests. If they must stay, call `gc.freeze()` once they are loaded.",
    figures: [
      figureOf("CPU time of the collector", takenMs / requests, "ms per request"),
      figureOf(
        "collections",
        sumOf(all, ({ count }) => count),
      ),
      figureOf("longest collection", Math.max(...all.map(({ longestMs }) => longestMs)), "ms"),
      figureOf("growth of memory", grown / requests, "bytes per request"),
    ],
    prediction: ratePrediction(load, Math.min(loopRate(evidence), cpuRate(evidence))),
    weight: Math.min(1, share),
  });
}

/** Something that held the loop; times are in milliseconds. */
interface Held {
  readonly place: Place | null;
  readonly totalMs: number;
  readonly cpuMs: number;
  readonly lostMs: number;
  /** CPU time that was at none of the user's lines. */
  readonly foreignCpuMs: number;
}

/** CPU time of the garbage collector by `functionKey`, in milliseconds; that outside of the user's code is under "". */
function collectingMs({ workers }: Pick<Evidence, "workers">): ReadonlyMap<string, number> {
  const all = workers.flatMap(({ collections }) => collections);
  const byFunction = groupBy(all, ({ place }) => functionKey(place));
  return new Map([...byFunction].map(([key, same]) => [key, sumOf(same, ({ cpuMs }) => cpuMs)]));
}

/**
 * The same without the collector's time, which is no work of theirs. What it took in a function is known once for all
 * endpoints, so each that has the function gives up its share: first of what was seen at the function's lines.
 *
 * @param all everything that held the loop
 */
export function withoutCollections<T extends Held>(
  all: readonly T[],
  evidence: Pick<Evidence, "workers">,
): readonly T[] {
  const collecting = collectingMs(evidence);
  const left = all.map((each) => ({ ownMs: ownCpuMs(each), foreignMs: each.foreignCpuMs }));
  for (const [key, ms] of collecting) {
    if (key === "") continue;
    const same = left.filter((_, index) => functionKey(all[index]?.place) === key);
    takeFrom(same, "foreignMs", takeFrom(same, "ownMs", ms));
  }
  takeFrom(left, "foreignMs", collecting.get("") ?? 0);
  return all.map((each, index) => {
    const { ownMs = 0, foreignMs = 0 } = left[index] ?? {};
    const cpuMs = ownMs + foreignMs;
    const lostMs = each.cpuMs > 0 ? (each.lostMs * cpuMs) / each.cpuMs : each.lostMs;
    const taken = each.cpuMs - cpuMs + each.lostMs - lostMs;
    return { ...each, totalMs: Math.max(0, each.totalMs - taken), cpuMs, lostMs, foreignCpuMs: foreignMs };
  });
}

function ownCpuMs({ cpuMs, foreignCpuMs }: Held): number {
  return Math.max(0, cpuMs - foreignCpuMs);
}

type Left = Record<"ownMs" | "foreignMs", number>;

/** Takes so many milliseconds from all in proportion to what they have; returns what they did not have. */
function takeFrom(all: readonly Left[], part: keyof Left, ms: number): number {
  const has = sumOf(all, (each) => each[part]);
  const taken = Math.min(has, ms);
  if (has > 0) for (const each of all) each[part] *= 1 - taken / has;
  return ms - taken;
}
