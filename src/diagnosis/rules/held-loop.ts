import { defined } from "../../lists/defined.ts";
import { confirm, type Finding } from "../../model/findings/finding.ts";
import { percent } from "../../text/percent.ts";
import { withoutCollections } from "../collections.ts";
import { type Evidence, loopBusyMs, requestsOf, sumOf } from "../evidence.ts";
import { isWork, type Stall } from "../merged-stalls.ts";
import { cpuRate, loopRate, ratePrediction } from "../rates.ts";
import { at, figureOf, milliseconds, phrase } from "../wording.ts";

/** Least share of the loops' time for which a line must hold them, in loads of up to ten seconds. */
const leastShare = 0.1;
/** The same in loads of any length. */
const leastShareEver = 0.03;
const mostLines = 3;

/** Lines that keep the event loop from turning: by waiting for something else, or by work. */
export function heldLoop(evidence: Evidence): readonly Finding[] {
  const busy = sumOf(evidence.workers, loopBusyMs);
  const time = sumOf(evidence.workers, (worker) => worker.busySeconds) * 1_000;
  const lostMs = sumOf(evidence.workers, ({ loopLostMs }) => loopLostMs);
  const leastMs = leastShareIn(evidence.load) * Math.max(busy, time);
  const predicted = Math.min(loopRate(evidence), cpuRate(evidence));
  const all = byFunction(evidence.stalls);
  return withoutCollections(all, evidence)
    .filter((_, index) => isKnown(all[index]))
    .toSorted((a, b) => b.totalMs - a.totalMs)
    .slice(0, mostLines)
    .flatMap((stall) => {
      const lost = isWork(stall) ? stall.lostMs : lostMs;
      if (stall.totalMs - lost < leastMs) return [];
      return (
        confirm({
          ...describe(stall, evidence),
          prediction: ratePrediction(evidence.load, predicted),
          weight: Math.min(1, (stall.totalMs - stall.lostMs) / Math.max(1e-9, busy - lostMs)),
        }) ?? []
      );
    });
}

/** In a longer load less is no chance any more: what comes back every ten seconds holds a loop twice in 25 s. */
function leastShareIn({ seconds }: Evidence["load"]): number {
  return Math.min(leastShare, Math.max(leastShareEver, 1 / seconds));
}

/** Of work that is neither a request's nor at any line nobody can say what to change, and a stolen CPU looks like it. */
function isKnown(stall: Stall | undefined): boolean {
  return stall !== undefined && (stall.endpoint !== "" || stall.place != null || !isWork(stall));
}

/** Work moves over the lines of a function. It is one thing to fix, at the line that was seen most. */
function byFunction(stalls: readonly Stall[]): readonly Stall[] {
  const merged = new Map<string, Stall>();
  for (const stall of stalls) {
    const key = [stall.endpoint, stall.place?.file, stall.place?.function].join("\n");
    const other = merged.get(key);
    merged.set(key, other === undefined ? stall : addLine(other, stall));
  }
  return [...merged.values()];
}

/** One hold is counted at each line at which it was seen. */
function addLine(a: Stall, b: Stall): Stall {
  return {
    ...a,
    count: Math.max(a.count, b.count),
    requests: Math.max(a.requests, b.requests),
    totalMs: a.totalMs + b.totalMs,
    cpuMs: a.cpuMs + b.cpuMs,
    lostMs: a.lostMs + b.lostMs,
    foreignCpuMs: a.foreignCpuMs + b.foreignCpuMs,
    longestMs: Math.max(a.longestMs, b.longestMs),
  };
}

function describe(stall: Stall, { requests }: Evidence) {
  const { place, count, longestMs, endpoint, endpointRequests } = stall;
  const works = isWork(stall);
  const totalMs = works ? stall.totalMs - stall.lostMs : stall.totalMs;
  const share = endpointRequests > 0 ? Math.min(1, stall.requests / endpointRequests) : 0;
  const who = endpoint === "" ? "Something outside of requests" : endpoint;
  const verb = works ? "keeps the event loop busy" : "blocks the event loop";
  const often = share >= 0.005 ? percent(share, "whole") : "less than 1 %";
  return {
    cause: works ? ("CPU work on the event loop" as const) : ("blocking call on the event loop" as const),
    ...defined({ endpoint: endpoint === "" ? undefined : endpoint, place: place ?? undefined }),
    summary: phrase`${who} ${verb} for ${milliseconds(totalMs / count)}${at(place)}${endpointRequests > 0 ? ` in ${often} of its requests` : ""}.`,
    advice: works
      ? "Do less there, or move the work to a process pool; in a thread it would still hold the interpreter's lock."
      : "Await an asynchronous version of it, or make the route a plain `def` so that it runs in a thread.",
    figures: [
      figureOf("holds of the loop", count),
      figureOf("mean hold", totalMs / count, "ms"),
      figureOf("longest hold", longestMs, "ms"),
      figureOf("share of requests", share, "share"),
      figureOf("held", totalMs / requests, "ms per request"),
      figureOf("CPU time of it", stall.cpuMs / requests, "ms per request"),
    ],
  };
}

/** Requests per second that a worker can answer when its loop is the limit. */
export function loopCapacity(worker: Parameters<typeof loopBusyMs>[0]): number {
  const busy = loopBusyMs(worker);
  return busy > 0 ? (1_000 * requestsOf(worker)) / busy : Number.POSITIVE_INFINITY;
}
