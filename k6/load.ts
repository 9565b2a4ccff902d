// The load script. k6 runs this file as it is. It sends one endpoint's requests to one arm at a time, chosen by
// the clock, and writes what each virtual user saw in each slice as one line of the log.
//
// Why log lines: k6 compares every sample with every tagged sub-metric, which costs more CPU than the requests
// themselves when there is one sub-metric a slice. Counting in plain variables and printing a line now and then
// costs little, is exact, and can be added up over virtual users, processes and machines.

import { sleep } from "k6";
import exec from "k6/execution";
import http from "k6/http";
import type { Options, Scenario } from "k6/options";

/** Comes as JSON in the variable LOADTEST. Times are milliseconds unless the name says otherwise. */
interface LoadScript {
  readonly targets: readonly { readonly arm: string; readonly baseUrl: string }[];
  readonly endpoint: { readonly method: string; readonly path: string };
  readonly load:
    | { readonly kind: "constant"; readonly virtualUsers: number; readonly durationSeconds: number }
    | {
        readonly kind: "stages";
        readonly stages: readonly { readonly durationSeconds: number; readonly virtualUsers: number }[];
      }
    | { readonly kind: "requests"; readonly virtualUsers: number; readonly requests: number }
    | {
        readonly kind: "rate";
        readonly requestsPerSecond: number;
        readonly durationSeconds: number;
        readonly virtualUsers: number;
      };
  readonly sliceMs: number;
  /** Ratio of neighbouring histogram bucket edges. */
  readonly growth: number;
  /** Decides the order of the arms within each pair of slices. */
  readonly seed: number;
  readonly summaryPath: string;
}

const script: LoadScript = JSON.parse(__ENV.LOADTEST ?? "");
const { load, targets, sliceMs, endpoint } = script;

/** How long virtual users stay after the end, so that each notices it and prints its last slice. */
const tailMs = 100;

const loadMs =
  load.kind === "requests"
    ? Number.POSITIVE_INFINITY
    : load.kind === "stages"
      ? load.stages.reduce((total, stage) => total + stage.durationSeconds, 0) * 1_000
      : load.durationSeconds * 1_000;

/**
 * Models in which a virtual user may never be called again print after each request: those that end by count,
 * shrink, or take users from a pool. The others print when a slice is over.
 */
const printsEachRequest = load.kind === "rate" || load.kind === "stages";

export const options: Options = {
  scenarios: { load: scenario() },
  discardResponseBodies: true,
  // Tags that nobody reads cost CPU with every sample.
  systemTags: [],
  summaryTrendStats: ["avg", "min", "med", "max", "p(90)", "p(95)", "p(99)", "count"],
};

function scenario(): Scenario {
  switch (load.kind) {
    case "constant":
      return { executor: "constant-vus", vus: load.virtualUsers, duration: `${loadMs + tailMs}ms` };
    case "stages":
      return {
        executor: "ramping-vus",
        startVUs: 1,
        stages: load.stages.map((stage) => ({
          duration: `${stage.durationSeconds * 1_000}ms`,
          target: stage.virtualUsers,
        })),
      };
    case "requests":
      return {
        executor: "shared-iterations",
        vus: load.virtualUsers,
        iterations: load.requests,
        maxDuration: "24h",
      };
    case "rate":
      return {
        executor: "constant-arrival-rate",
        // k6 takes whole numbers only; a thousandth of a request a second is fine enough.
        rate: Math.round(load.requestsPerSecond * 1_000),
        timeUnit: "1000s",
        duration: `${loadMs}ms`,
        preAllocatedVUs: load.virtualUsers,
        maxVUs: load.virtualUsers,
      };
  }
}

const logGrowth = Math.log(script.growth);
const parameters = { redirects: 0, responseType: "none" as const };
const urls = targets.map((target) => target.baseUrl + endpoint.path);

// The slice that this virtual user is in. Module variables are private to each virtual user.
let slice = -1;
let requests = 0;
let failures = 0;
let totalMs = 0;
let maxMs = 0;
let bodyBytes = -1;
let statuses: Record<string, number> = {};
let buckets: number[] = [];
let startMs = -1;

/** One request, counted in the slice in which it was sent. */
export default function (): void {
  if (startMs < 0) startMs = exec.scenario.startTime;
  const elapsedMs = Date.now() - startMs;
  const now = Math.floor(elapsedMs / sliceMs);
  if (now !== slice) {
    print();
    slice = now;
  }
  if (elapsedMs >= loadMs && load.kind === "constant") {
    sleep(tailMs / 1_000);
    return;
  }
  send(urls[armOf(slice)] as string); // armOf returns an index of targets
  if (isLastForThisUser()) print();
}

function send(url: string): void {
  const reply = http.request(endpoint.method, url, null, parameters);
  const ms = reply.timings.duration;
  requests += 1;
  totalMs += ms;
  if (ms > maxMs) maxMs = ms;
  if (reply.status === 0 || reply.status >= 400) failures += 1;
  const status = reply.status === 0 ? `error ${reply.error_code}` : `${reply.status}`;
  statuses[status] = (statuses[status] ?? 0) + 1;
  // A refused connection takes no time at all; its latency is not one of the app's.
  if (ms > 0) buckets.push(Math.ceil(Math.log(ms) / logGrowth));
  // One sample a slice: reading headers costs more than counting.
  if (bodyBytes < 0) bodyBytes = Number(reply.headers["Content-Length"] ?? -1);
}

function isLastForThisUser(): boolean {
  if (printsEachRequest) return true;
  if (load.kind === "constant") return Date.now() - startMs >= loadMs;
  // Sound, not exact: once fewer requests are left than users, any user may find nothing more to do.
  return exec.instance.iterationsCompleted + load.virtualUsers >= (load.kind === "requests" ? load.requests : 0);
}

/** Index of the arm that has the load in a slice. Each pair of slices gives one to each arm, in random order. */
function armOf(index: number): number {
  if (targets.length === 1) return 0;
  return (index & 1) ^ (mix(script.seed + (index >> 1)) & 1);
}

/** A well-mixed 32-bit hash (the finaliser of MurmurHash3), so that neighbouring pairs are independent. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Prints the slice so far, if there is anything in it, and starts anew. */
function print(): void {
  if (requests === 0) return;
  const arm = targets[armOf(slice)]?.arm;
  console.log(JSON.stringify([slice, arm, requests, failures, totalMs, maxMs, bodyBytes, statuses, buckets]));
  requests = 0;
  failures = 0;
  totalMs = 0;
  maxMs = 0;
  bodyBytes = -1;
  statuses = {};
  buckets = [];
}

/** k6's own figures, as a cross-check of ours. */
export function handleSummary(data: unknown): Record<string, string> {
  return { [script.summaryPath]: JSON.stringify(data) };
}
