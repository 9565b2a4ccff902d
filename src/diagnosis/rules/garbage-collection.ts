import { confirm, type Finding } from "../../model/findings/finding.ts";
import type { Place } from "../../model/findings/probe-document.ts";
import { percent } from "../../text/percent.ts";
import { collectingMs } from "../collections.ts";
import { type Evidence, sumOf } from "../evidence.ts";
import { functionKey } from "../loop-functions.ts";
import { mergeAmounts, placeKey } from "../merged-amounts.ts";
import { endpointName } from "../merged-stalls.ts";
import { cpuRate, loopRate, ratePrediction } from "../rates.ts";
import { at, milliseconds, placeOf } from "../wording.ts";

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
    ...(endpoint === undefined || others.length > 0 ? {} : { endpoint: endpointName(endpoint) }),
    ...placeOf(place),
    summary: `Python's garbage collector takes ${milliseconds(takenMs / requests)} of CPU per request (${percent(share, "whole")} of all): it goes through what the app keeps, again and again, as new objects are made${at(place)}.`,
    advice:
      "Keep fewer objects from one request to the next; if they must stay, call `gc.freeze()` once they are there.",
    figures: [
      { what: "CPU time of the collector, ms per request", value: takenMs / requests },
      { what: "collections", value: sumOf(all, ({ count }) => count) },
      { what: "longest collection, ms", value: Math.max(...all.map(({ longestMs }) => longestMs)) },
      { what: "growth of memory, bytes per request", value: grown / requests },
    ],
    prediction: ratePrediction(load, Math.min(loopRate(evidence), cpuRate(evidence))),
    weight: Math.min(1, share),
  });
}
