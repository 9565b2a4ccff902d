import type { EndpointReport, PartName, ProbeDocument } from "../model/findings/probe-document.ts";
import { lostMs, mergeEndpoints, mergeStalls, type Stall } from "./merging.ts";

/** Everything that is known of a diagnosis phase, from inside and outside; times are in milliseconds. */
export interface Evidence {
  readonly load: LoadFacts;
  readonly workers: readonly ProbeDocument[];
  /** Over all workers; the one that took most of the time is first. */
  readonly endpoints: readonly EndpointReport[];
  /** Over all endpoints and workers; the one that took most of the time is first. */
  readonly stalls: readonly Stall[];
  readonly requests: number;
  readonly partsMs: Readonly<Record<PartName, number>>;
  readonly cpuMs: number;
}

/** Merges the observations of the workers; `undefined` when none of them saw a request. */
export function gatherEvidence(documents: readonly ProbeDocument[], load: LoadFacts): Evidence | undefined {
  const workers = documents.filter((each) => requestsOf(each) > 0);
  if (workers.length === 0) return undefined;
  const endpoints = mergeEndpoints(workers.flatMap((each) => each.endpoints));
  return {
    load,
    workers,
    endpoints,
    stalls: mergeStalls(workers),
    requests: sumOf(workers, requestsOf),
    partsMs: addParts(endpoints),
    cpuMs: sumOf(workers, (each) => each.cpuMs),
  };
}

/** Requests that a worker answered. */
export function requestsOf(worker: ProbeDocument): number {
  return sumOf(worker.endpoints, (each) => each.requests);
}

export function sumOf<T>(items: readonly T[], number: (item: T) => number): number {
  return items.reduce((total, item) => total + number(item), 0);
}

/** Time that a mean request spends in one part, in milliseconds. */
export function partOf(evidence: Evidence, part: PartName): number {
  return evidence.partsMs[part] / evidence.requests;
}

/** Share of the requests' own time that one part takes, 0 to 1. */
export function shareOf(evidence: Evidence, part: PartName): number {
  return evidence.partsMs.total > 0 ? Math.min(1, evidence.partsMs[part] / evidence.partsMs.total) : 0;
}

/** Time in which requests are served: all but what they wait for a connection, a thread, or their turn. */
export function servedMs({
  total,
  poolWait,
  threadWait,
  loopWait,
}: Readonly<Record<PartName, number>>): number {
  return Math.max(total - poolWait - threadWait - loopWait, 1e-9);
}

/** Time for which a worker's event loop was kept from turning, in milliseconds: also by others on the machine. */
export function loopBusyMs(worker: ProbeDocument): number {
  const stalls = [...worker.outside.stalls, ...worker.endpoints.flatMap((each) => each.stalls)];
  const cpuBesides = (worker.loopCpuMs ?? 0) - sumOf(stalls, (each) => each.cpuMs);
  const lostBesides = worker.loopLostMs - sumOf(stalls, (each) => lostMs(each, worker));
  return sumOf(stalls, (each) => each.totalMs) + Math.max(0, cpuBesides) + Math.max(0, lostBesides);
}

function addParts(endpoints: readonly EndpointReport[]): Record<PartName, number> {
  const sum = (part: PartName) => sumOf(endpoints, (each) => each.partsMs[part]);
  return {
    total: sum("total"),
    cpu: sum("cpu"),
    blocked: sum("blocked"),
    loopWait: sum("loopWait"),
    threadWait: sum("threadWait"),
    poolWait: sum("poolWait"),
    connect: sum("connect"),
    database: sum("database"),
    elsewhere: sum("elsewhere"),
    inThreads: sum("inThreads"),
  };
}

export interface LoadFacts {
  readonly virtualUsers: number;
  /** Mean pause of a user between two requests. */
  readonly pauseSeconds: number;
  readonly workers: number;
  readonly seconds: number;
  readonly requests: number;
  readonly latencyMeanMs: number;
  readonly latencyMedianMs: number;
  /** CPUs that the server may use, and k6. */
  readonly appCpus: number;
  readonly generatorCpus: number;
  /** Absent when it is unknown. */
  readonly generatorCpuSeconds?: number | undefined;
  /** Connections that k6 opened during the phase; absent when each request had to open one. */
  readonly connectionsOpened?: number | undefined;
  readonly database?: DatabaseFacts | undefined;
}

export interface DatabaseFacts {
  /** Connections that it grants to the app: `max_connections` without those kept for superusers and for us. */
  readonly connectionsAllowed?: number | undefined;
  readonly connectionsPeak?: number | undefined;
  /** Time for which its sessions wanted a CPU and had none; absent when the machine does not say. */
  readonly cpuWaitMs?: number | undefined;
  /** Without those that begin or end a transaction, which drivers send unseen. */
  readonly statements?: number | undefined;
  readonly statementsMs?: number | undefined;
  readonly tables: readonly TableFacts[];
}

/** A table's figures in `pg_stat_user_tables`. */
export interface TableFacts {
  readonly name: string;
  readonly rows: number;
  /** Scans of the whole table during the phase, and the rows that they read. */
  readonly sequentialScans: number;
  readonly sequentialRows: number;
}

export function measuredRate(load: LoadFacts): number {
  return load.seconds > 0 ? load.requests / load.seconds : 0;
}
