import type { ProbeDocument } from "../model/findings/probe-document.ts";
import {
  type Evidence,
  type LoadFacts,
  loopBusyMs,
  measuredRate,
  partOf,
  requestsOf,
  sumOf,
} from "./evidence.ts";
import { predictionOf } from "./wording.ts";

export function ratePrediction(load: LoadFacts, predicted: number) {
  return { what: "requests per second", predicted, observed: measuredRate(load) };
}

/** Throughput of users who are served one after the other and then pause together. */
export function roundsRate(users: number, servedMs: number, pauseSeconds: number): number {
  const roundSeconds = (users * servedMs) / 1_000 + pauseSeconds;
  return roundSeconds > 0 ? users / roundSeconds : Number.POSITIVE_INFINITY;
}

/** From this number on, the request that is cut off at the end makes no difference. */
const fewServed = 10;
/** Part of a request that may be missing at the end, because the load does not end sharply. */
const nearlyServed = 0.1;

/** Share of a server's capacity that counts: the request under way when the load ends does not. */
export function wholeShare({ seconds, pauseSeconds }: LoadFacts, servedMs: number): number {
  const served = (seconds * 1_000) / servedMs;
  const isFew = served < fewServed && pauseSeconds * 1_000 <= servedMs;
  return isFew ? Math.floor(served + nearlyServed) / served : 1;
}

/** How much more than its users ask for a loop could serve at most, to be what they wait for. */
const mostSpare = 1.2;

/**
 * Throughput when each worker's loop does one thing at a time, for as long as a request holds it. Keep-alive binds users
 * to workers, so each worker is predicted with its own. One that has time serves what its users ask for. That is so
 * whatever they wait for, so it predicts nothing unless most requests are at full loops.
 */
export function loopRate(
  evidence: Evidence,
  busyMsOf: (worker: ProbeDocument) => number = loopBusyMs,
): number {
  const { pauseSeconds } = evidence.load;
  const rates = evidence.workers.map((worker) => {
    const [requests, users] = [requestsOf(worker), usersOf(evidence, worker)];
    const heldMs = busyMsOf(worker) / requests;
    // Users who pause for longer than the loop is held wait for themselves.
    const isPaused = users * heldMs < pauseSeconds * 1_000;
    const served = roundsRate(users, heldMs, pauseSeconds) * wholeShare(evidence.load, heldMs);
    return {
      requests,
      served: isPaused ? Number.POSITIVE_INFINITY : served,
      demanded: workerUsersRate(evidence, worker),
    };
  });
  const full = rates.filter(({ served, demanded }) => served <= mostSpare * demanded);
  const isLimit = 2 * sumOf(full, ({ requests }) => requests) >= evidence.requests;
  return sumOf(rates, ({ served, demanded }) => (isLimit ? Math.min(served, demanded) : served));
}

/** Share of their time for which the loops were kept from turning, 0 to 1. */
export function loopShare({ workers }: Evidence): number {
  const timeMs = sumOf(workers, ({ busySeconds }) => busySeconds) * 1_000;
  return Math.min(1, sumOf(workers, loopBusyMs) / Math.max(1e-9, timeMs));
}

/** The idle share of the CPUs as the requests' own CPU time implies it, with that of the processes. */
export function idlePrediction(evidence: Evidence) {
  const own = (partOf(evidence, "cpu") * measuredRate(evidence.load)) / (1_000 * usableCpus(evidence));
  return predictionOf("idle share of the CPUs", 1 - own, 1 - cpuShare(evidence), "share");
}

export function cpuRate(evidence: Evidence): number {
  const { load, cpuMs, requests } = evidence;
  return cpuMs > 0 ? (load.appCpus * 1_000 * requests) / cpuMs : Number.POSITIVE_INFINITY;
}

/** Share of the CPUs that the app can use, 0 to 1. */
export function cpuShare(evidence: Evidence): number {
  const perSecond = (evidence.cpuMs / evidence.requests) * measuredRate(evidence.load);
  return Math.min(1, perSecond / (1_000 * usableCpus(evidence)));
}

/** Python code of a process runs on one CPU at a time. */
function usableCpus({ load, workers }: Evidence): number {
  return Math.min(load.appCpus, workers.length);
}

/** Throughput of a worker for its own users, when each of them waits for its reply alone. */
export function workerUsersRate(evidence: Evidence, worker: ProbeDocument): number {
  const totalMs = sumOf(worker.endpoints, (each) => each.partsMs.total) / requestsOf(worker);
  return usersOf(evidence, worker) / (totalMs / 1_000 + evidence.load.pauseSeconds);
}

export function usersOf({ load, workers }: Evidence, worker: ProbeDocument): number {
  const connections = sumOf(workers, (each) => each.connections);
  const share = connections > 0 ? worker.connections / connections : 1 / workers.length;
  return load.virtualUsers * share;
}

/** Time that a request spends outside of the app: in queues before it, the network, the generator. */
export function outsideMs(evidence: Evidence): number {
  return Math.max(0, evidence.load.latencyMeanMs - partOf(evidence, "total"));
}
