import type { ProbeDocument } from "../model/findings/probe-document.ts";
import { type Evidence, loopBusyMs, partOf, requestsOf, sumOf } from "./evidence.ts";
import { type LoadFacts, measuredRate } from "./load-facts.ts";

/** The throughput that a cause implies, beside what was measured. */
export function ratePrediction(load: LoadFacts, predicted: number) {
  return { what: "requests per second", predicted, observed: measuredRate(load) };
}

/**
 * Throughput when users are served one after the other. Who queues behind the same request goes on together: all are
 * served, then all of them pause, so a round takes the time of all and one pause.
 */
export function roundsRate(users: number, servedMs: number, pauseSeconds: number): number {
  const roundSeconds = (users * servedMs) / 1_000 + pauseSeconds;
  return roundSeconds > 0 ? users / roundSeconds : Number.POSITIVE_INFINITY;
}

/** From so many on, the one that is cut off at the end is lost in the error. */
const fewServed = 10;
/** The end of the load is not so sharp. */
const nearlyServed = 0.1;

/**
 * Share of their capacity that those who serve one after the other can show, each for `servedMs`: whom they serve when
 * the load ends is not counted. In 5 s somebody who needs 3 s for each serves one, not 1.7.
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
export function loopRate(evidence: Evidence): number {
  return sumOf(evidence.workers, (worker) => {
    const heldMs = loopBusyMs(worker) / requestsOf(worker);
    const served = roundsRate(usersOf(evidence, worker), heldMs, evidence.load.pauseSeconds);
    return Math.min(served * wholeShare(evidence.load, heldMs), workerUsersRate(evidence, worker));
  });
}

/** Throughput that the users' own waiting implies, as they saw it (Little's law). */
export function usersRate({ virtualUsers, latencyMeanMs, pauseSeconds }: LoadFacts): number {
  return virtualUsers / (latencyMeanMs / 1_000 + pauseSeconds);
}

/** Throughput when nothing is full: each user waits for its reply alone (Little's law). */
export function unhinderedRate(evidence: Evidence): number {
  return sumOf(evidence.workers, (worker) => workerUsersRate(evidence, worker));
}

/** Throughput when the processors are all that is full. */
export function cpuRate(evidence: Evidence): number {
  const { load, cpuMs, requests } = evidence;
  return cpuMs > 0 ? (load.appCpus * 1_000 * requests) / cpuMs : Number.POSITIVE_INFINITY;
}

/** Share of the CPUs that the app used, 0 to 1. */
export function cpuShare(evidence: Evidence): number {
  return Math.min(1, measuredRate(evidence.load) / cpuRate(evidence));
}

/** What a worker answers to its own users when each of them waits for its reply alone. */
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

/** What a request takes longer outside of the app than within: queues before it, the network, the generator. */
export function outsideMs(evidence: Evidence): number {
  return Math.max(0, evidence.load.latencyMeanMs - partOf(evidence, "total"));
}
