import type { LoadFacts } from "../../src/diagnosis/evidence.ts";
import type { FoundCause } from "../../src/model/findings/diagnosis.ts";
import { type Finding, sentenceOf, textOf } from "../../src/model/findings/finding.ts";
import type { EndpointReport, Place, ProbeDocument } from "../../src/model/findings/probe-document.ts";

export const line: Place = { file: "app/orders.py", line: 37, function: "orders", code: "time.sleep(0.1)" };
export const handler: Place = {
  file: "app/orders.py",
  line: 30,
  function: "orders",
  code: "async def orders():",
};

const noParts = {
  total: 0,
  cpu: 0,
  blocked: 0,
  loopWait: 0,
  threadWait: 0,
  poolWait: 0,
  connect: 0,
  database: 0,
  elsewhere: 0,
  inThreads: 0,
};

export const noQueue = {
  inUse: 0,
  mostInUse: 0,
  waiting: 0,
  mostWaiting: 0,
  taken: 0,
  errors: 0,
  waitMs: 0,
  longestWaitMs: 0,
  returned: 0,
  useMs: 0,
};

/** The amount of something that each request did `each` times. */
export function amount(requests: number, totalMs: number, each = 1) {
  return {
    place: line,
    count: requests * each,
    requests,
    mostInOne: each,
    totalMs,
    longestMs: totalMs / (requests * each),
  };
}

type EndpointChanges = Partial<Omit<EndpointReport, "partsMs">> & {
  readonly partsMs?: Partial<EndpointReport["partsMs"]>;
};

/** 100 requests of an async endpoint. */
export function endpoint({ partsMs, ...changes }: EndpointChanges = {}): EndpointReport {
  return {
    method: "GET",
    route: "/orders",
    kind: "async",
    handler,
    requests: 100,
    failures: 0,
    longestMs: 150,
    partsMs: { ...noParts, ...partsMs },
    stalls: [],
    onLoop: [],
    spent: [],
    waited: [],
    statements: [],
    made: [],
    ...changes,
  };
}

/** One uvicorn worker that served for 10 s. */
export function worker(changes: Partial<ProbeDocument> = {}): ProbeDocument {
  return {
    schemaVersion: 1,
    process: 7,
    window: "load",
    seconds: 10.5,
    busySeconds: 10,
    python: "3.11.7",
    server: { worker: "asgi", slots: null, requestsPerConnection: null },
    connections: 8,
    cpuMs: 500,
    memory: { startBytes: 50_000_000, nowBytes: 60_000_000, peakBytes: 61_000_000 },
    loops: [{ kind: "uvloop.Loop", beats: 900, lagMeanMs: 1, lagLongestMs: 9, lagCounts: [800, 100] }],
    loopCpuMs: 400,
    loopLostMs: 0,
    endpoints: [endpoint()],
    outside: { stalls: [], onLoop: [] },
    collections: [],
    threads: { kind: "anyio", tokens: null, ...noQueue },
    pools: [],
    connects: { count: 0, inRequests: 0, totalMs: 0, failed: 0, refused: 0 },
    sockets: { seen: 8, delayed: 0 },
    unseen: [],
    ...changes,
  };
}

/** Eight users for 10 s, who got 100 replies; a case states only its own figures. */
export function load(changes: Partial<LoadFacts> = {}): LoadFacts {
  return {
    virtualUsers: 8,
    pauseSeconds: 0,
    workers: 1,
    seconds: 10,
    requests: 100,
    latencyMeanMs: 800,
    latencyMedianMs: 800,
    appCpus: 2,
    generatorCpus: 2,
    ...changes,
  };
}

/** Diagnosis's finding at the line, in the form of a cell's document. */
export function foundCause(changes: Partial<FoundCause> = {}): FoundCause {
  return {
    cause: "blocking call on the event loop",
    severity: "problem",
    confidence: "high",
    endpoint: "/orders",
    place: line,
    summary: ["blocks the event loop for 480 ms at ", { line: "app/orders.py:37" }, " (`time.sleep(0.48)`)"],
    advice: "Await it.",
    figures: [{ what: "mean", unit: "ms", value: 480 }],
    prediction: { what: "requests per second", predicted: 2.08, observed: 2.1 },
    weight: 0.9,
    ...changes,
  };
}

/** A finding's sentence; empty without one. */
export function saying(finding: Finding | FoundCause | undefined): string {
  return finding === undefined ? "" : `${textOf(sentenceOf(finding))}.`;
}
