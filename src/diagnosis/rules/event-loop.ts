import { defined } from "../../lists/defined.ts";
import { confirm, type Finding, isMet } from "../../model/findings/finding.ts";
import { percent } from "../../text/percent.ts";
import { type Evidence, loopBusyMs, partOf, requestsOf, sumOf } from "../evidence.ts";
import {
  functionKey,
  heldMs,
  isBlocking,
  type LoopFunction,
  loopFunctions,
  loopSeenMs,
} from "../loop-functions.ts";
import { isWork, type Stall } from "../merging.ts";
import { cpuRate, loopRate, ratePrediction } from "../rates.ts";
import { at, figureOf, locationOf, milliseconds, phrase, predictionOf } from "../wording.ts";
import { withoutCollections } from "./garbage-collection.ts";

/** Least share of the loops' time for which a line must hold them, in loads of up to ten seconds. */
const leastHeldShare = 0.1;
/** The same in loads of any length. */
const leastShareEver = 0.03;
const mostLines = 3;
/** From this mean on, in milliseconds, no machine that lets others run makes all holds of a line. */
const longerThanPauses = 500;

/** Lines that keep the event loop from turning: by waiting for something else, or by work. */
function heldLoop(evidence: Evidence): readonly Finding[] {
  const busy = sumOf(evidence.workers, loopBusyMs);
  const time = sumOf(evidence.workers, (worker) => worker.busySeconds) * 1_000;
  const lostMs = sumOf(evidence.workers, ({ loopLostMs }) => loopLostMs);
  const leastMs = leastShareIn(evidence.load) * Math.max(busy, time);
  const all = byFunction(evidence.stalls);
  return withoutCollections(all, evidence)
    .filter((_, index) => isKnown(all[index]))
    .toSorted((a, b) => b.totalMs - a.totalMs)
    .slice(0, mostLines)
    .flatMap((stall) => {
      const isOwn = isWork(stall) || stall.totalMs >= longerThanPauses * stall.count;
      const lost = isOwn ? stall.lostMs : lostMs;
      if (stall.totalMs - lost < leastMs || isOusted(stall, evidence)) return [];
      return (
        confirm({
          ...describeHold(stall, evidence),
          prediction: holdPrediction(evidence, isWork(stall), loopBusyMs),
          weight: Math.min(1, (stall.totalMs - stall.lostMs) / Math.max(1e-9, busy - lostMs)),
        }) ?? []
      );
    });
}

/** The throughput of full loops; of loops that have time, for how long they block, sampled and timed. */
function holdPrediction(evidence: Evidence, isWork: boolean, busyMsOf: typeof loopBusyMs) {
  const byRate = ratePrediction(evidence.load, Math.min(loopRate(evidence, busyMsOf), cpuRate(evidence)));
  if (isWork || isMet(byRate)) return byRate;
  const blocking = loopFunctions(evidence).filter(isBlocking);
  const sampledMs = sumOf(blocking, (each) => each.totalMs - each.cpuMs - each.lostMs);
  const timedMs = partOf(evidence, "blocked");
  return predictionOf("loop blocked", sampledMs / evidence.requests, timedMs, "ms per request");
}

/** Share of a worker's time at work from which its steps may be long because they wait for the interpreter. */
const mostCpuShare = 0.8;
/** Share of a hold that threads must have worked for to have caused it. */
const leastOusting = 0.5;

/** True for a hold in which the loop may have waited for the interpreter, which the app's own threads had. */
function isOusted({ totalMs, cpuMs, lostMs }: Held, { workers }: Evidence): boolean {
  const timeMs = sumOf(workers, ({ busySeconds }) => busySeconds) * 1_000;
  const allMs = sumOf(workers, (each) => each.cpuMs);
  const threadsMs = sumOf(workers, ({ cpuMs: all, loopCpuMs }) => Math.max(0, all - (loopCpuMs ?? all)));
  const blockedMs = totalMs - cpuMs - lostMs;
  return (
    isBlocking({ totalMs, cpuMs, lostMs }) &&
    allMs > mostCpuShare * timeMs &&
    threadsMs >= leastOusting * blockedMs
  );
}

type Held = Pick<Stall, "totalMs" | "cpuMs" | "lostMs">;

/** In a longer load less is no chance any more: what comes back every ten seconds holds a loop twice in 25 s. */
function leastShareIn({ seconds }: Evidence["load"]): number {
  return Math.min(leastHeldShare, Math.max(leastShareEver, 1 / seconds));
}

/** Work that is neither a request's nor at any line gives nothing to change, and a stolen CPU looks like it. */
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

const outsideRequests = "work outside requests";

function describeHold(stall: Stall, { requests }: Evidence) {
  const { place, count, longestMs, endpoint, endpointRequests } = stall;
  const works = isWork(stall);
  const totalMs = works ? stall.totalMs - stall.lostMs : stall.totalMs;
  const share = endpointRequests > 0 ? Math.min(1, stall.requests / endpointRequests) : 0;
  const verb = works ? "keeps the event loop busy" : "blocks the event loop";
  const often = share < 0.005 ? "less than 1%" : percent(share, "whole");
  const where = share > 0.995 ? " in every request" : ` in ${often} of its requests`;
  return {
    cause: works ? ("CPU work on the event loop" as const) : ("blocking call on the event loop" as const),
    ...(endpoint === "" ? { subject: outsideRequests } : { endpoint }),
    ...defined({ place: place ?? undefined }),
    summary: phrase`${verb} for ${milliseconds(totalMs / count)}${at(place)}${endpointRequests > 0 ? where : ""}`,
    advice: works
      ? "Do less work there, or move it to a process pool: a thread would still hold the interpreter's lock."
      : "Replace it with an async version that does not block, or make the route a plain `def`, which runs in a thread.",
    figures: [
      figureOf("times the event loop was blocked", count),
      figureOf("mean", totalMs / count, "ms"),
      figureOf("longest", longestMs, "ms"),
      figureOf("share of requests", share, "share"),
      figureOf("loop blocked", totalMs / requests, "ms per request"),
      figureOf("of that, CPU time", stall.cpuMs / requests, "ms per request"),
    ],
  };
}

/** Requests per second that a worker can answer when its loop is the limit. */
export function loopCapacity(worker: Parameters<typeof loopBusyMs>[0]): number {
  const busy = loopBusyMs(worker);
  return busy > 0 ? (1_000 * requestsOf(worker)) / busy : Number.POSITIVE_INFINITY;
}

/** Least share of such a finding's weight that another function must have to be the likelier one. */
const leastWeight = 0.5;

/**
 * Python lets others look only between two steps, so work within a call into C is seen at the step after it: often at
 * the `await` that follows, whose own line does next to nothing. Another function of the same file that works for the
 * same endpoint comes before it.
 */
function awaitsLast(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((each) => {
    if (!isAwait(each)) return each;
    const working = findings.filter(
      (other) =>
        other.cause === each.cause &&
        other.endpoint === each.endpoint &&
        other.place?.file === each.place?.file &&
        !isAwait(other) &&
        other.weight >= leastWeight * each.weight,
    );
    const most = Math.max(...working.map(({ weight }) => weight));
    return working.length === 0 ? each : { ...each, weight: Math.min(each.weight, 0.99 * most) };
  });
}

function isAwait({ cause, place }: Finding): boolean {
  return cause === "CPU work on the event loop" && /\bawait\b/.test(place?.code ?? "");
}

/** Least share of a loop's time for which a function must block it. */
const leastBlockedShare = 0.1;
/** Work is what a loop is there for, so it must be the larger part of it, on a loop that has no time left, and no trifle. */
const leastWork = { share: 0.5, ofTime: 0.3, msPerRequest: 5 } as const;
/** Every request has some of the framework's. */
const leastForeignMs = 8;
const mostFunctions = 3;

/** How much more all holds of a function must cost than its long ones, which are known better, to replace them. */
const muchMore = 1.5;

/** Functions that hold the loop, long at a time or often, each once. */
export function loopHolds(evidence: Evidence): readonly Finding[] {
  const long = heldLoop(evidence);
  const isOf = (one: Finding) => (other: Finding) => functionKey(one.place) === functionKey(other.place);
  const short = shortHolds(evidence).filter(
    (each) => each.weight > muchMore * sumOf(long.filter(isOf(each)), ({ weight }) => weight),
  );
  return awaitsLast([...long.filter((each) => !short.some(isOf(each))), ...short]);
}

/** Functions that hold the loop for less than a stall at a time: what counts is what they cost together. */
function shortHolds(evidence: Evidence): readonly Finding[] {
  const { workers } = evidence;
  // Without a clock, waiting looks like work.
  if (workers.some(({ loopCpuMs }) => loopCpuMs === null)) return [];
  const seenMs = sumOf(workers, loopSeenMs);
  const timeMs = sumOf(workers, ({ busySeconds }) => busySeconds) * 1_000;
  const workMs = sumOf(workers, (worker) => worker.loopCpuMs ?? 0);
  const lostMs = sumOf(workers, ({ loopLostMs }) => loopLostMs);
  const counts = (each: LoopFunction) =>
    isBlocking(each)
      ? !each.isForeign &&
        !isOusted(each, evidence) &&
        each.totalMs - each.cpuMs - lostMs >= leastBlockedShare * Math.max(seenMs, timeMs)
      : each.cpuMs >= Math.max(leastWork.share * workMs, leastWork.ofTime * (timeMs - lostMs)) &&
        each.cpuMs / requestsThatRan(each, evidence) >=
          (each.isForeign ? leastForeignMs : leastWork.msPerRequest);
  const all = loopFunctions(evidence).map((each) => ({
    ...each,
    foreignCpuMs: each.isForeign ? each.cpuMs : 0,
  }));
  return withoutCollections(all, evidence)
    .filter(counts)
    .toSorted((a, b) => heldMs(b) - heldMs(a))
    .slice(0, mostFunctions)
    .flatMap((each) => {
      return (
        confirm({
          ...describeFunction(each, heldMs(each) / Math.max(1e-9, seenMs - lostMs), evidence),
          prediction: holdPrediction(evidence, !isBlocking(each), loopSeenMs),
        }) ?? []
      );
    });
}

function describeFunction(each: LoopFunction, share: number, evidence: Evidence) {
  const { place, cpuMs, endpoints, isForeign } = each;
  const isWork = !isBlocking(each);
  const ms = heldMs(each) / requestsThatRan(each, evidence);
  const [endpoint, ...others] = endpoints;
  // A greenlet does not say whose request it serves.
  const nobodys = evidence.workers.some(({ server }) => server.worker === "gevent")
    ? "the app"
    : outsideRequests;
  const several = others.length === 0 ? undefined : `each of ${endpoints.length} endpoints`;
  const verb = isWork ? "keeps the event loop busy" : "blocks the event loop";
  return {
    cause: isWork ? ("CPU work on the event loop" as const) : ("blocking call on the event loop" as const),
    ...defined({ subject: endpoint === undefined ? nobodys : several }),
    ...locationOf(others.length > 0 ? undefined : endpoint, place),
    summary: phrase`${verb} for ${milliseconds(ms)} per request${isForeign ? " in library code that handles the function's input or result" : ""}${at(place)}, ${percent(Math.min(1, share), "whole")} of the loop's time`,
    advice: isForeign
      ? "Return less data, or a ready-made `Response`: FastAPI checks and encodes the return value on the event loop."
      : isWork
        ? "Do less work there, cache the result, or move it to a process pool."
        : "Replace it with an async version that does not block, or run it in a thread (`asyncio.to_thread`, or a `QueueHandler` for logging).",
    figures: [
      figureOf("loop blocked", ms, "ms per request"),
      figureOf("of that, CPU time", cpuMs / requestsThatRan(each, evidence), "ms per request"),
      figureOf("share of the loop's time", Math.min(1, share), "share"),
    ],
    weight: Math.min(1, share),
  };
}

function requestsThatRan({ endpoints }: LoopFunction, { requests }: Evidence): number {
  return endpoints.length === 0 ? requests : sumOf(endpoints, (each) => each.requests);
}
