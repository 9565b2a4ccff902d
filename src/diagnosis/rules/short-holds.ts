import { confirm, type Finding } from "../../model/findings/finding.ts";
import { percent } from "../../text/percent.ts";
import { withoutCollections } from "../collections.ts";
import { type Evidence, sumOf } from "../evidence.ts";
import {
  functionKey,
  heldMs,
  isBlocking,
  type LoopFunction,
  loopFunctions,
  loopSeenMs,
} from "../loop-functions.ts";
import { cpuRate, loopRate, ratePrediction } from "../rates.ts";
import { at, endpointName, figureOf, locationOf, milliseconds, phrase } from "../wording.ts";
import { heldLoop } from "./held-loop.ts";
import { awaitsLast } from "./seen-late.ts";

/** Least share of a loop's time for which a function must block it. */
const leastShare = 0.1;
/** Work is what a loop is there for, so it must be the larger part of it, on a loop that has no time left, and no trifle. */
const leastWork = { share: 0.5, ofTime: 0.3, msPerRequest: 5 } as const;
/** Every request has some of the framework's. */
const leastForeignMs = 8;
/** Share of a worker's time at work from which its steps may be long because they wait for the processor. */
const mostCpuShare = 0.8;
const mostFunctions = 3;

/** How much more all holds of a function must cost than its long ones, which are known better, to be told in their place. */
const muchMore = 1.5;

/** Functions that hold the loop, long at a time or often: each is told once. */
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
  const { workers, load } = evidence;
  // Without a clock waiting cannot be told from work.
  if (workers.some(({ loopCpuMs }) => loopCpuMs === null)) return [];
  const seenMs = sumOf(workers, loopSeenMs);
  const timeMs = sumOf(workers, ({ busySeconds }) => busySeconds) * 1_000;
  const workMs = sumOf(workers, (worker) => worker.loopCpuMs ?? 0);
  const isFull = sumOf(workers, ({ cpuMs }) => cpuMs) > mostCpuShare * timeMs;
  const lostMs = sumOf(workers, ({ loopLostMs }) => loopLostMs);
  const counts = (each: LoopFunction) =>
    isBlocking(each)
      ? !each.isForeign &&
        !isFull &&
        each.totalMs - each.cpuMs - lostMs >= leastShare * Math.max(seenMs, timeMs)
      : each.cpuMs >= Math.max(leastWork.share * workMs, leastWork.ofTime * (timeMs - lostMs)) &&
        each.cpuMs / requestsOf(each, evidence) >= (each.isForeign ? leastForeignMs : leastWork.msPerRequest);
  const predicted = Math.min(loopRate(evidence, loopSeenMs), cpuRate(evidence));
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
          ...describe(each, heldMs(each) / Math.max(1e-9, seenMs - lostMs), evidence),
          prediction: ratePrediction(load, predicted),
        }) ?? []
      );
    });
}

function describe(each: LoopFunction, share: number, evidence: Evidence) {
  const { place, cpuMs, endpoints, isForeign } = each;
  const isWork = !isBlocking(each);
  const ms = heldMs(each) / requestsOf(each, evidence);
  const [endpoint, ...others] = endpoints;
  // A greenlet does not say whose request it serves.
  const nobodys = evidence.workers.some(({ server }) => server.worker === "gevent")
    ? "The app"
    : "Something outside of requests";
  const name = endpoint === undefined ? nobodys : endpointName(endpoint);
  const who = others.length === 0 ? name : `Each of ${endpoints.length} endpoints`;
  const verb = isWork ? "keeps the event loop busy" : "blocks the event loop";
  return {
    cause: isWork ? ("CPU work on the event loop" as const) : ("blocking call on the event loop" as const),
    ...locationOf(others.length > 0 ? undefined : endpoint, place),
    summary: phrase`${who} ${verb} for ${milliseconds(ms)} per request${isForeign ? " in libraries, for the function" : ""}${at(place)}, ${percent(Math.min(1, share), "whole")} of the loop's time.`,
    advice: isForeign
      ? "Return less, or a ready `Response`: what a function returns is checked and written on the event loop."
      : isWork
        ? "Do less there, do it once and keep the result, or move the work to a process pool."
        : "Await an asynchronous version of it, or do it in a thread (`asyncio.to_thread`; for a log a `QueueHandler`).",
    figures: [
      figureOf("held", ms, "ms per request"),
      figureOf("CPU time of it", cpuMs / requestsOf(each, evidence), "ms per request"),
      figureOf("share of the loop's time", Math.min(1, share), "share"),
    ],
    weight: Math.min(1, share),
  };
}

/** Requests that ran it. */
function requestsOf({ endpoints }: LoopFunction, { requests }: Evidence): number {
  return endpoints.length === 0 ? requests : sumOf(endpoints, (each) => each.requests);
}
