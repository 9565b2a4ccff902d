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

/** The throughput that a cause implies, with the measured one. */
export function ratePrediction(load: LoadFacts, predicted: number) {
  return { what: "requests per second", predicted, observed: measuredRate(load) };
}

/**
 * Throughput when users are served one after the other. Users who wait for the same request go on together: all are
 * served, then all pause, so a round takes the time of all and one pause.
 */
export function roundsRate(users: number, servedMs: number, pauseSeconds: number): number {
  const roundSeconds = (users * servedMs) / 1_000 + pauseSeconds;
  return roundSeconds > 0 ? users / roundSeconds : Number.POSITIVE_INFINITY;
}

/** From this number on, the request that is cut off at the end makes no difference. */
const fewServed = 10;
/** Part of a request that may be missing at the end, because the load does not end sharply. */
const nearlyServed = 0.1;

/**
 * Share of its capacity that a server of one request at a time can show, each taking `servedMs`: the request under way
 * when the load ends is not counted. In 5 s a server that needs 3 s for each answers one, not 1.7.
 */
export function wholeShare({ seconds, pauseSeconds }: LoadFacts, servedMs: number): number {
  const served = (seconds * 1_000) / servedMs;
  const isFew = served < fewServed && pauseSeconds * 1_000 <= servedMs;
  return isFew ? Math.floor(served + nearlyServed) / served : 1;
}

/**
 * Throughput when each worker's loop does one thing at a time, for as long as a request holds it; no more than the users
 * can ask for. Keep-alive binds users to workers, so each worker is predicted with its own.
 */
export function loopRate(
  evidence: Evidence,
  busyMsOf: (worker: ProbeDocument) => number = loopBusyMs,
): number {
  return sumOf(evidence.workers, (worker) => {
    const heldMs = busyMsOf(worker) / requestsOf(worker);
    const served = roundsRate(usersOf(evidence, worker), heldMs, evidence.load.pauseSeconds);
    return Math.min(served * wholeShare(evidence.load, heldMs), workerUsersRate(evidence, worker));
  });
}

/** Throughput that the users' own waiting implies, as they saw it (Little's law). */
export function usersRate({ virtualUsers, latencyMeanMs, pauseSeconds }: LoadFacts): number {
  return virtualUsers / (latencyMeanMs / 1_000 + pauseSeconds);
}

/** Throughput when nothing is saturated: each user waits for its reply alone (Little's law). */
export function unhinderedRate(evidence: Evidence): number {
  return sumOf(evidence.workers, (worker) => workerUsersRate(evidence, worker));
}

/** Throughput when only the processors are saturated. */
export function cpuRate(evidence: Evidence): number {
  const { load, cpuMs, requests } = evidence;
  return cpuMs > 0 ? (load.appCpus * 1_000 * requests) / cpuMs : Number.POSITIVE_INFINITY;
}

/** Share of the CPUs that the app used, 0 to 1. */
export function cpuShare(evidence: Evidence): number {
  return Math.min(1, measuredRate(evidence.load) / cpuRate(evidence));
}

/** Throughput of a worker for its own users, when each of them waits for its reply alone. */
export function workerUsersRate(evidence: Evidence, worker: ProbeDocument): number {
  const totalMs = sumOf(worker.endpoints, (each) => each.partsMs.total) / requestsOf(worker);
  return usersOf(evidence, worker) / (totalMs / 1_000 + evidence.load.pauseSeconds);
}

/** Users whose connections the worker has. */
export function usersOf({ load, workers }: Evidence, worker: ProbeDocument): number {
  const connections = sumOf(workers, (each) => each.connections);
  const share = connections > 0 ? worker.connections / connections : 1 / workers.length;
  return load.virtualUsers * share;
}

/** Time that a request spends outside of the app: in queues before it, the network, the generator. */
export function outsideMs(evidence: Evidence): number {
  return Math.max(0, evidence.load.latencyMeanMs - partOf(evidence, "total"));
}
