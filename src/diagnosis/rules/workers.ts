import { confirm, type Finding } from "../../model/findings/finding.ts";
import type { ProbeDocument } from "../../model/findings/probe-document.ts";
import { plural } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { type Evidence, partOf, requestsOf, shareOf, sumOf } from "../evidence.ts";
import {
  cpuRate,
  cpuShare,
  outsideMs,
  ratePrediction,
  roundsRate,
  usersOf,
  wholeShare,
  workerUsersRate,
} from "../rates.ts";
import { at, figureOf, locationOf, milliseconds, phrase } from "../wording.ts";
import { loopCapacity } from "./event-loop.ts";

/** A figure of "more workers than CPUs", which the report reads again. */
export const cpusFigure = "CPUs that they may use";

export function workersBeyondCores(evidence: Evidence): Finding | undefined {
  const { workers, appCpus } = evidence.load;
  if (workers <= appCpus) return undefined;
  const enough = Math.max(1, Math.floor(appCpus));
  return confirm({
    cause: "more workers than CPUs",
    subject: plural(workers, "worker"),
    summary: `share ${plural(appCpus, "CPU")}, which ${appCpus === 1 ? "is" : "are"} ${percent(cpuShare(evidence), "whole")} busy`,
    advice: `${enough === 1 ? "One worker is" : `${enough} workers are`} enough: each additional one only costs memory and connections.`,
    figures: [
      figureOf("workers", workers),
      figureOf(cpusFigure, appCpus),
      figureOf("CPU time", evidence.cpuMs / evidence.requests, "ms per request"),
      figureOf(
        "memory of all workers",
        sumOf(evidence.workers, (each) => each.memory.nowBytes ?? 0),
        "bytes",
      ),
    ],
    prediction: ratePrediction(evidence.load, cpuRate(evidence)),
    weight: 1 - appCpus / workers,
  });
}

/** The busiest worker is saturated while others could do more: keep-alive binds each connection to one of them. */
export function unevenWorkers(evidence: Evidence): Finding | undefined {
  const { workers, virtualUsers } = evidence.load;
  const shares = workerShares(evidence);
  const most = shares[0] ?? 0;
  if (workers < 2 || virtualUsers < 2 * workers || evidence.requests < 100 || most * workers < 1.5)
    return undefined;
  const all = [...shares, ...Array.from({ length: workers - shares.length }, () => 0)];
  const capacity = Math.max(...evidence.workers.map((worker) => loopCapacity(worker)));
  return confirm({
    cause: "one worker gets most requests",
    subject: `one of ${workers} workers`,
    summary: `gets ${percent(most, "whole")} of the requests (${sharesText(all)}) and is saturated`,
    advice:
      "Put a proxy in front, or listen with SO_REUSEPORT: keep-alive ties each connection to one worker.",
    figures: all.map((share, index) => figureOf(`share of worker ${index + 1}`, share, "share")),
    prediction: ratePrediction(evidence.load, capacity / most),
    weight: Math.min(1, most - 1 / workers),
  });
}

/** All threads that answer requests are taken, but not by work: tokens / service time is the throughput. */
export function takenThreads(evidence: Evidence): Finding | undefined {
  const slots = sumOf(evidence.workers, slotsOf);
  const inThreads = partOf(evidence, "inThreads");
  // A small pool, or the processors, would be the cause, and the threads only a symptom.
  const hasOtherCause = shareOf(evidence, "poolWait") > 0.4 || cpuShare(evidence) > 0.8;
  const isFull = slots > 0 && slots < evidence.load.virtualUsers;
  if (!isFull || inThreads === 0 || hasOtherCause || !isWaitedFor(evidence)) return undefined;
  const endpoint = evidence.endpoints.find((each) => each.partsMs.inThreads > 0);
  const place = endpoint?.spent[0]?.place ?? endpoint?.handler;
  return confirm({
    cause: "thread pool exhausted",
    ...locationOf(endpoint, place),
    subject: `all ${slots} threads${ofWorkers(evidence)}`,
    summary: phrase`are in use: each request occupies one for ${milliseconds(inThreads)}${at(place)}`,
    advice: adviceFor(evidence.workers[0]),
    figures: [
      figureOf("threads", slots),
      figureOf("in a thread", inThreads, "ms per request"),
      figureOf("waiting for a thread", waitMs(evidence), "ms per request"),
      figureOf("most requests waiting for a thread", mostWaiting(evidence)),
    ],
    prediction: ratePrediction(
      evidence.load,
      sumOf(evidence.workers, (worker) => workerRate(evidence, worker)),
    ),
    weight: Math.min(1, waitShare(evidence)),
  });
}

function adviceFor(worker: ProbeDocument | undefined): string {
  if (isGunicorn(worker))
    return "Reduce the time that the request spends waiting, start more threads or workers, or serve it asynchronously.";
  return worker?.threads.kind === "executor"
    ? "Replace the blocking call with an async one, which needs no thread, or give the event loop a larger executor (`loop.set_default_executor`)."
    : "Replace the blocking call with an async one, which needs no thread, or raise AnyIO's thread limit.";
}

/** Keep-alive binds users to workers, so that one may have all its threads taken, and the other none too few. */
function workerRate(evidence: Evidence, worker: ProbeDocument): number {
  const slots = slotsOf(worker);
  if (slots === 0) return workerUsersRate(evidence, worker);
  const inThreads = sumOf(worker.endpoints, ({ partsMs }) => partsMs.inThreads) / requestsOf(worker);
  const servedMs = inThreads + serverMs(evidence);
  const { load } = evidence;
  return (
    roundsRate(usersOf(evidence, worker), servedMs / slots, load.pauseSeconds) * wholeShare(load, servedMs)
  );
}

/** ` of 1 of 2 workers`, where not all of them are full. */
function ofWorkers({ workers }: Evidence): string {
  const full = workers.filter((worker) => slotsOf(worker) > 0).length;
  return full === workers.length ? "" : ` of ${full} of ${workers.length} workers`;
}

function slotsOf(worker: ProbeDocument): number {
  const { threads, server } = worker;
  if (server.slots !== null) return server.slots;
  return threads.tokens !== null && threads.mostInUse >= threads.tokens ? threads.tokens : 0;
}

/** gunicorn's sync worker reads and writes by itself, one request at a time, as CPU work that the app does not see. */
function serverMs(evidence: Evidence): number {
  const { workers, cpuMs, requests } = evidence;
  if (!workers.every(({ server }) => server.worker === "sync")) return 0;
  return Math.max(0, cpuMs / requests - partOf(evidence, "cpu"));
}

/** gunicorn's queue is in front of the app, where only the client sees it. */
function waitMs(evidence: Evidence): number {
  return isGunicorn(evidence.workers[0]) ? outsideMs(evidence) : partOf(evidence, "threadWait");
}

function isWaitedFor(evidence: Evidence): boolean {
  return waitShare(evidence) >= 0.1;
}

/**
 * Share of a request's time that it waits for a thread. When requests take so long that only the first ones were
 * answered, the queue of the others shows it.
 */
function waitShare(evidence: Evidence): number {
  const { latencyMeanMs, seconds, virtualUsers } = evidence.load;
  const answered = waitMs(evidence) / latencyMeanMs;
  if (latencyMeanMs * 2 <= seconds * 1_000) return answered;
  return Math.max(answered, sumOf(evidence.workers, ({ threads }) => threads.mostWaiting) / virtualUsers);
}

function mostWaiting({ workers, load }: Evidence): number {
  const seen = sumOf(workers, (worker) => worker.threads.mostWaiting);
  return seen > 0 ? seen : Math.max(0, load.virtualUsers - sumOf(workers, slotsOf));
}

function isGunicorn(worker: ProbeDocument | undefined): boolean {
  return worker?.server.slots !== null && worker?.server.slots !== undefined;
}

/** Share of all requests that each worker got, 0 to 1; the busiest first. */
function workerShares({ workers, requests }: Evidence): readonly number[] {
  return workers.map((worker) => requestsOf(worker) / requests).toSorted((a, b) => b - a);
}

/** `93%, 7%` */
function sharesText(shares: readonly number[]): string {
  return shares.map((share) => percent(share, "whole")).join(", ");
}
