// The load script. k6 runs this file as it is. It sends one endpoint's requests to one arm at a time, chosen by
// the clock, and writes what each virtual user saw in each slice as one line of the log.
//
// Why log lines: k6 compares every sample with every tagged sub-metric, which costs more CPU than the requests
// themselves when there is one sub-metric a slice. Counting in plain variables and printing a line now and then
// costs little, is exact, and can be added up over virtual users, processes and machines.

import { sleep } from "k6";
import exec from "k6/execution";
import http, { type RefinedResponse, type ResponseType } from "k6/http";
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
  /**
   * With two arms: only requests sent at least `startMs` after a slice began and more than `endMs` before it ends say
   * something about the arm alone. At the start the other arm still works on what it was sent; what is sent late is
   * answered when the other arm has the load again.
   */
  readonly guard?: { readonly startMs: number; readonly endMs: number };
  /** Ratio of neighbouring histogram bucket edges. */
  readonly growth: number;
  /** Decides the order of the arms within each pair of slices. */
  readonly seed: number;
  readonly summaryPath: string;
}

const script: LoadScript = JSON.parse(__ENV.LOADTEST ?? "");
const { load, targets, sliceMs, endpoint } = script;
const guardStartMs = script.guard?.startMs ?? 0;
const guardEndMs = sliceMs - (script.guard?.endMs ?? 0);

/** How long virtual users stay after the end, so that each notices it and prints its last slice. */
const tailMs = 100;
const longestReplyMs = 60_000;

const loadMs =
  load.kind === "requests"
    ? Number.POSITIVE_INFINITY
    : load.kind === "stages"
      ? load.stages.reduce((total, stage) => total + stage.durationSeconds, 0) * 1_000
      : load.durationSeconds * 1_000;

/** From here on nothing is sent, however late k6 notices that the time is over. Other loads than this end by themselves. */
const lastSentMs = load.kind === "constant" ? loadMs : Number.POSITIVE_INFINITY;

/** From here on, in milliseconds after the start, a virtual user may be called no more, so each reply is printed at once. */
const printsEachFromMs = lastCallMs();

function lastCallMs(): number {
  switch (load.kind) {
    case "constant":
      return loadMs;
    case "rate":
      // k6 calls idle users in turn, so each is called again within `virtualUsers` requests.
      return loadMs - 2_000 - (4_000 * load.virtualUsers) / load.requestsPerSecond;
    case "stages":
      return Math.min(firstShrinkingMs(load.stages), loadMs - 1_000);
    case "requests":
      return Number.POSITIVE_INFINITY;
  }
}

function firstShrinkingMs(stages: readonly { durationSeconds: number; virtualUsers: number }[]): number {
  let startMs = 0;
  let users = 1;
  for (const stage of stages) {
    if (stage.virtualUsers < users) return startMs;
    startMs += stage.durationSeconds * 1_000;
    users = stage.virtualUsers;
  }
  return startMs;
}

export const options: Options = {
  scenarios: { load: scenario() },
  // Set here and not with each request: k6 reads the parameters of a request anew each time, which costs more
  // than sending it.
  discardResponseBodies: true,
  maxRedirects: 0,
  // Tags that nobody reads cost CPU with every sample.
  systemTags: [],
  summaryTrendStats: ["avg", "min", "med", "max", "p(90)", "p(95)", "p(99)", "count"],
};

function scenario(): Scenario {
  switch (load.kind) {
    case "constant":
      // Not `constant-vus`: that wants at least a second, and a warm-up may be shorter.
      return {
        executor: "ramping-vus",
        startVUs: load.virtualUsers,
        stages: [{ duration: `${loadMs + tailMs}ms`, target: load.virtualUsers }],
      };
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
const urls = targets.map((target) => target.baseUrl + endpoint.path);

// The slice that this virtual user is in. Module variables are private to each virtual user.
let slice = -1;
let url = "";
let requests = 0;
let failures = 0;
let totalMs = 0;
let maxMs = 0;
let bodyBytes = -1;
/** Replies with status 200, the usual one: a plain number costs less than a key of an object. */
let replies200 = 0;
let otherStatuses: Record<string, number> = {};
let buckets: number[] = [];
/** Cycles, from one sending to this user's next, that began within the guards, and their time. */
let cycles = 0;
let cycleMs = 0;
/** When the cycle under way began; -1 when it began outside of the guards. */
let cycleStartMs = -1;
let startMs = -1;

/** One request, counted in the slice in which it was sent. */
export default function (): void {
  if (startMs < 0) startMs = exec.scenario.startTime;
  const elapsedMs = Date.now() - startMs;
  const now = Math.floor(elapsedMs / sliceMs);
  if (cycleStartMs >= 0) {
    cycles += 1;
    cycleMs += elapsedMs - cycleStartMs;
  }
  if (elapsedMs >= lastSentMs) {
    print();
    cycleStartMs = -1;
    sleep(tailMs / 1_000);
    return;
  }
  if (now !== slice) {
    print();
    slice = now;
    url = urls[armOf(slice)] as string; // armOf returns an index of targets
  }
  const inSliceMs = elapsedMs - now * sliceMs;
  const isGuarded = inSliceMs >= guardStartMs && inSliceMs < guardEndMs;
  cycleStartMs = isGuarded ? elapsedMs : -1;
  const reply = endpoint.method === "GET" ? http.get(url) : http.request(endpoint.method, url);
  if (isLate(elapsedMs)) {
    // A slow reply that came after the end belongs to no moment of the load: what was under way at the end would
    // otherwise count as throughput.
    print();
    slice = Math.ceil((Date.now() - startMs) / sliceMs); // never the one that the end cuts short
  }
  count(reply, isGuarded);
  if (isLastForThisUser(elapsedMs)) print();
}

/** Whether the load is over by now. With two arms a slice belongs to the arm it was sent to, so there it stays. */
function isLate(elapsedMs: number): boolean {
  return targets.length === 1 && elapsedMs + longestReplyMs >= loadMs && Date.now() - startMs >= loadMs;
}

function count(reply: RefinedResponse<ResponseType | undefined>, isGuarded: boolean): void {
  const ms = reply.timings.duration;
  const { status } = reply;
  requests += 1;
  totalMs += ms;
  if (ms > maxMs) maxMs = ms;
  if (status === 200) replies200 += 1;
  else countOther(status === 0 ? `error ${reply.error_code}` : `${status}`, status === 0 || status >= 400);
  // A refused connection takes no time at all; its latency is not one of the app's.
  if (ms > 0 && isGuarded) buckets.push(Math.ceil(Math.log(ms) / logGrowth));
  // One sample a slice: reading headers costs more than counting.
  if (bodyBytes < 0) bodyBytes = Number(reply.headers["Content-Length"] ?? -1);
}

function countOther(status: string, failed: boolean): void {
  if (failed) failures += 1;
  otherStatuses[status] = (otherStatuses[status] ?? 0) + 1;
}

/** Whether this user may be called no more. May be true too early, which costs a line, but never too late. */
function isLastForThisUser(elapsedMs: number): boolean {
  if (load.kind === "requests") {
    // Between this question and this user's next call others may take what is left, and a busy machine makes that
    // stretch long: hence the wide margin. What it misses, the sum of all records shows.
    return load.requests - exec.instance.iterationsCompleted <= Math.max(5_000, 50 * load.virtualUsers);
  }
  // Asking for the time again is only worth it near the end; no reply takes longer than k6's time-out of 60 s.
  return elapsedMs + longestReplyMs >= printsEachFromMs && Date.now() - startMs >= printsEachFromMs;
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
  if (requests === 0 && cycles === 0) return;
  const arm = targets[armOf(slice)]?.arm;
  const statuses = replies200 === 0 ? otherStatuses : { "200": replies200, ...otherStatuses };
  console.log(
    JSON.stringify([
      ...[slice, arm, requests, failures, totalMs, maxMs, bodyBytes],
      ...[statuses, buckets, cycles, cycleMs],
    ]),
  );
  requests = 0;
  failures = 0;
  totalMs = 0;
  maxMs = 0;
  bodyBytes = -1;
  replies200 = 0;
  otherStatuses = {};
  buckets = [];
  cycles = 0;
  cycleMs = 0;
}

/** k6's own figures, as a cross-check of ours. */
export function handleSummary(data: unknown): Record<string, string> {
  return { [script.summaryPath]: JSON.stringify(data) };
}
