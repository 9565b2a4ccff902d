import { confirm, type Finding } from "../../model/findings/finding.ts";
import type { Place } from "../../model/findings/probe-document.ts";
import { percent } from "../../text/percent.ts";
import { collectingMs } from "../collections.ts";
import { type Evidence, sumOf } from "../evidence.ts";
import { functionKey } from "../loop-functions.ts";
import { mergeAmounts, placeKey } from "../merged-amounts.ts";
import { cpuRate, loopRate, ratePrediction } from "../rates.ts";
import { at, figureOf, locationOf, milliseconds, phrase } from "../wording.ts";

/** Least share of the CPU time: healthy code that makes many objects beside a large heap has a quarter. */
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
    summary: phrase`Python's garbage collector takes ${milliseconds(takenMs / requests)} of CPU per request (${percent(share, "whole")} of all): it goes through what the app keeps, again and again, as new objects are made${at(place)}.`,
    advice:
      "Keep fewer objects from one request to the next; if they must stay, call `gc.freeze()` once they are there.",
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
