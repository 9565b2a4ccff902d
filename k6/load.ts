// The load script. k6 runs this file as it is. It sends one endpoint's requests to one arm at a time, chosen by the
// clock, and writes each virtual user's counts of each slice as one line of the log.
//
// Why log lines: k6 compares every sample with every tagged sub-metric, which costs more CPU than the requests
// themselves when there is one sub-metric a slice. Counting in plain variables and printing a line now and then
// costs little, is exact, and can be added up over virtual users.

import { sleep } from "k6";
import { SharedArray } from "k6/data";
import exec from "k6/execution";
import http, { type Params, type RefinedResponse, type ResponseType } from "k6/http";
import type { Options } from "k6/options";
import { bodyWith, type Captured, capturedIn, headersWith, pathWith } from "./captures.ts";
import {
  endsOf,
  isSoloFirst,
  type LoadScript,
  type ScenarioEndpoint,
  type ScenarioRow,
  type ScenarioStep,
  scenarioOf,
  sharedRequests,
  tailMs,
  timeoutMsOf,
  turnsOf,
  usualTimeoutMs,
} from "./scenario.ts";
import { armOfSlice } from "./turns.ts";

const script: LoadScript = JSON.parse(open(__ENV.LOADTEST ?? ""));
const { load, targets, sliceMs, endpoint, detailed } = script;
const timeoutMs = timeoutMsOf(load);
const hasUsualTimeout = timeoutMs === usualTimeoutMs;
const { loadMs, lastSentMs, cutOffMs, printsEachFromMs } = endsOf(script);
const guardStartMs = script.guard?.startMs ?? 0;
const guardEndMs = sliceMs - (script.guard?.endMs ?? 0);

export const options: Options = {
  scenarios: { load: scenarioOf(script) },
  // Set here and not with each request: k6 reads the parameters of a request anew each time, which costs more
  // than sending it.
  discardResponseBodies: true,
  maxRedirects: 0,
  noConnectionReuse: load.connections === "new",
  noVUConnectionReuse: script.renewMs !== undefined,
  // Tags that nobody reads cost CPU with every sample. With this one k6 sums up the good requests by themselves.
  systemTags: detailed ? ["expected_response"] : [],
  summaryTrendStats: ["avg", "min", "med", "max", "p(90)", "p(95)", "p(99)", "count"],
  setupTimeout: `${timeoutMs + 5_000}ms`,
  // Not yet among the types. Without it k6 makes a user for `setup` in every run.
  ...{ noSetup: !isSoloFirst(load) },
};

const logGrowth = Math.log(script.growth);
const steps: readonly ScenarioStep[] = stepsOf();
/** The only request of each iteration, if there is just one: no need to go through the steps then. */
const lone = "path" in endpoint ? endpoint : undefined;
/** Steps of a mix that this user sends, in turns. */
const turns = "mix" in endpoint ? turnsOf(endpoint.mix.map(({ weight }) => weight)) : [];
/** Counted for each arm: so both get the same requests in the same order. */
const turnOfArms = targets.map(() => Math.floor(placeOfUser() * turns.length));
/** As printed in the lines. */
const namesOfArms = targets.map(({ arm: name }) => JSON.stringify(name));
/** By arm, then by step. */
const urlsOfArms = targets.map(({ baseUrl }) =>
  steps.map((step) => ("path" in step ? baseUrl + step.path : "")),
);

/**
 * Requests instead of a step's path, in one list for all steps, which all users share: there may be 10,000 of
 * each. Absent: every step is sent as it is, the quickest way.
 */
const rows =
  script.rowsPath === undefined
    ? undefined
    : new SharedArray<ScenarioRow>("rows", () => JSON.parse(open(script.rowsPath as string)));
const { rowCounts = [] } = script;
/** Index of each step's first row. */
const firstRows = steps.map((_, index) => rowCounts.slice(0, index).reduce((sum, each) => sum + each, 0));
/** By arm, then by step: headers and body of every request. `undefined` where there are none. */
const headersOfArms = headersOfUser();
const { captures } = script;
/** Values that this user has from each arm: a key of the one means nothing to the other. */
const capturedOfArms = targets.map((): Captured => Object.create(null));
const firstStep = steps.findIndex((step) => "path" in step);
const isPlain =
  rows === undefined &&
  captures === undefined &&
  headersOfArms.every((each) => each.every((one) => one === undefined));
/**
 * Requests of each step that this user has sent to each arm. It goes through the rows in order, from its own place on.
 * Each arm has its own count, so both get the same requests.
 */
const sentOfArms = targets.map(() => steps.map(() => 0));

/**
 * True when one call of a user sends many requests, because k6 spends a good part of a request on each call. Not where
 * somebody reads k6's own count of them, nor where the steps of an iteration belong together.
 */
const isLongCall = load.kind === "constant" && !detailed && !("steps" in endpoint);
/** Steps that no reply came from yet, by index and in number: a number is cheaper to check. */
const isUnanswered = steps.map(() => true);
let unanswered = steps.length;
/** True once a reply did not say how long it is, as streams do not: some are read then, to see their length. */
let isUnsized = false;
/** Users that read one of each slice, and bytes of each arm after which they do so no more: k6 keeps what it reads. */
const readers = 4;
const mostReadBytes = 8_000_000;
const readBytesOfArms = targets.map(() => 0);
/** True once a reply set a cookie. k6 forgets cookies between calls, so that each request is one of its own from then on. */
let hasCookies = false;

// The slice that this virtual user is in. Module variables are private to each virtual user.
let slice = -1;
let arm = 0;
let urls: readonly string[] = [];
let requests = 0;
let failures = 0;
let totalMs = 0;
let maxMs = 0;
/** Time to the first bytes of the replies. */
let firstByteMs = 0;
let bodyBytes = -1;
/** True once the slice has its sample of a reply's length, or will have none. */
let isSized = false;
/** Replies with status 200, the usual one: a plain number costs less than a key of an object. */
let replies200 = 0;
let otherStatuses: Record<string, number> = {};
let buckets: number[] = [];
/** Cycles, from one sending to this user's next, that began within the guards, and their time. */
let cycles = 0;
let cycleMs = 0;
/** Start of the current cycle; -1 when it began outside of the guards. */
let cycleStartMs = -1;
let startMs = -1;

/** For requests that must not last k6's 60 s. */
const limit: { timeout: number } = { timeout: timeoutMs };
/** From here on a reply is slow enough for the next one to take half a minute. */
const slowMs = 1_000;
/** Duration of this user's last request; its first may take any time. */
let lastMs = slowMs;

/** The first request of all, sent before there are users. Returns the time of sending, at which the load began. */
export function setup(): number {
  startMs = Date.now();
  const [first] = steps;
  enter(0);
  if (first !== undefined && "path" in first) count(request(first, 0, 0), true, true);
  print();
  return startMs;
}

/**
 * One call: the steps of an iteration in order; otherwise one request, or those until the call's end. `begun`: the result
 * of `setup`, if it ran.
 */
export default function (begun?: number): void {
  if (startMs < 0) {
    startMs = begun ?? exec.scenario.startTime;
    if (__VU === 1 && targets.length > 1) console.log(`start ${startMs}`); // read by parseLoadStart
  }
  let elapsedMs = Date.now() - startMs;
  if ("steps" in endpoint) {
    for (let index = 0; index < steps.length; index += 1) {
      const step = steps[index] as ScenarioStep; // index is below the length
      if ("pauseSeconds" in step) pause(step.pauseSeconds * 1_000);
      else if (!send(step, index, Date.now() - startMs)) return;
    }
    return;
  }
  const endMs = isLongCall ? endOfCallMs(elapsedMs) : 0;
  for (;;) {
    const goesOn = lone === undefined ? sendTurn(elapsedMs) : send(lone, 0, elapsedMs);
    if (!goesOn || !isLongCall || hasCookies) return;
    elapsedMs = Date.now() - startMs;
    if (elapsedMs >= endMs && elapsedMs < lastSentMs) return; // the end of the load is left to `send`
  }
}

function headersOfUser() {
  return targets.map((target) =>
    steps.map((_, index) => {
      const own = target.users?.[Math.max(0, __VU - 1) % target.users.length] ?? target.headers;
      const headers = { ...script.headers?.[index], ...own };
      return Object.keys(headers).length === 0 ? undefined : headers;
    }),
  );
}

/**
 * A user's connections last as long as a call. With `renewMs` users renew theirs at the end of a pair of slices, one
 * after the other, so that which worker accepts them is no chance of a whole load.
 */
function endOfCallMs(elapsedMs: number): number {
  if (script.renewMs === undefined) return lastSentMs;
  const pairMs = 2 * sliceMs;
  const every = Math.max(1, Math.round(script.renewMs / pairMs));
  const next = Math.floor(elapsedMs / pairMs) + 1;
  return (next + ((every - ((next + __VU) % every)) % every)) * pairMs;
}

/** The next request of a mix. */
function sendTurn(elapsedMs: number): boolean {
  const now = Math.floor(elapsedMs / sliceMs);
  const to = now === slice ? arm : armOf(now);
  const turn = turnOfArms[to] as number;
  const index = turns[turn % turns.length] as number; // it has a step
  turnOfArms[to] = turn + 1;
  return send(steps[index] as ScenarioEndpoint, index, elapsedMs);
}

/** One request, counted in the slice in which it was sent. Returns true while the iteration goes on. */
function send(step: ScenarioEndpoint, index: number, elapsedMs: number): boolean {
  const now = Math.floor(elapsedMs / sliceMs);
  // What was captured in the other arm is of no use here: the iteration begins anew.
  if (captures !== undefined && index > firstStep && now !== slice && armOf(now) !== arm) return false;
  if (cycleStartMs >= 0) {
    cycles += 1;
    cycleMs += elapsedMs - cycleStartMs;
  }
  if (elapsedMs >= lastSentMs) {
    print();
    cycleStartMs = -1;
    sleep(tailMs / 1_000);
    return false;
  }
  if (now !== slice) {
    print();
    enter(now);
  }
  const inSliceMs = elapsedMs - now * sliceMs;
  const isGuarded = inSliceMs >= guardStartMs && inSliceMs < guardEndMs;
  cycleStartMs = isGuarded ? elapsedMs : -1;
  // The usual request is sent from here: each call of a function of ours costs something too.
  const isMeasured = isUnsized && !isSized && mayRead();
  const isUsual = isPlain && hasUsualTimeout && lastMs < slowMs && step.method === "GET" && !isMeasured;
  const reply = isUsual ? http.get(urls[index] as string) : request(step, index, elapsedMs);
  if (isLate(elapsedMs)) {
    // A slow reply after the end belongs to no moment of the load. It would otherwise count as throughput.
    print();
    slice = Math.ceil((Date.now() - startMs) / sliceMs); // never the one that the end cuts short
  }
  const hasAll = captures === undefined || capture(reply, index);
  count(reply, isGuarded, hasAll);
  if (unanswered > 0 && isUnanswered[index]) {
    isUnanswered[index] = false;
    unanswered -= 1;
    lookForCookies(reply);
  }
  if ((!isLongCall || hasCookies) && isLastForThisUser(elapsedMs)) print();
  return hasAll;
}

/** Keeps what the reply holds for later steps. Returns true when all of it was there. */
function capture(reply: RefinedResponse<ResponseType | undefined>, index: number): boolean {
  const captured = capturedOfArms[arm] as Captured;
  for (const each of captures?.[index] ?? []) {
    const value = capturedIn(reply, each);
    if (value === undefined) return false;
    captured[each.name] = value;
  }
  return true;
}

/** From now on requests belong to this slice, and go to its arm. */
function enter(index: number): void {
  slice = index;
  arm = armOf(index);
  urls = urlsOfArms[arm] as readonly string[]; // armOf returns an index of targets
  isSized = false;
}

/**
 * Sends a request. It may last its time-out, but not longer than until the load is cut off. With k6's own time-out and
 * quick replies, k6 gets no limit, because parameters cost it a tenth of a request. Should the app hang just then, the
 * request lasts 60 s.
 */
function request(
  { method }: ScenarioEndpoint,
  index: number,
  elapsedMs: number,
): RefinedResponse<ResponseType | undefined> {
  const row = isPlain ? undefined : nextRow(index);
  const captured = captures === undefined ? undefined : (capturedOfArms[arm] as Captured);
  let url = row === undefined ? (urls[index] as string) : targets[arm]?.baseUrl + row.path;
  let body = row?.body ?? null;
  if (captured !== undefined) {
    url = pathWith(url, captured);
    body = body === null ? body : bodyWith(body, captured);
  }
  const isCaptured = (captures?.[index]?.length ?? 0) > 0;
  const isRead = isCaptured || (isUnsized && !isSized && mayRead());
  let headers = headersOfArms[arm]?.[index];
  if (row?.headers !== undefined) headers = { ...row.headers, ...headers };
  if (captured !== undefined && headers !== undefined) headers = headersWith(headers, captured);
  const isFree = hasUsualTimeout && (lastMs < slowMs || cutOffMs - elapsedMs >= usualTimeoutMs);
  if (isFree && headers === undefined && !isRead)
    return method === "GET" ? http.get(url) : http.request(method, url, body);
  const params: Params = isRead
    ? { ...(headers !== undefined && { headers }), responseType: isCaptured ? "text" : "binary" }
    : headers === undefined
      ? limit
      : { headers };
  if (!isFree) params.timeout = Math.min(timeoutMs, cutOffMs - elapsedMs);
  return http.request(method, url, body, params);
}

/** The next request of this user; `undefined`: the step as it is. */
function nextRow(index: number): ScenarioRow | undefined {
  const count = rowCounts[index] ?? 0;
  const sent = sentOfArms[arm] as number[];
  if (rows === undefined || count === 0) return undefined;
  const place = Math.floor(placeOfUser() * count) + (sent[index] as number);
  sent[index] = (sent[index] as number) + 1;
  return rows[(firstRows[index] as number) + (place % count)];
}

/** From 0 up to but not including 1; the golden ratio keeps any number of users well apart. */
function placeOfUser(): number {
  return (__VU * 0.618_033_988_75) % 1;
}

function stepsOf(): readonly ScenarioStep[] {
  if ("mix" in endpoint) return endpoint.mix.map((each) => each.endpoint);
  return "steps" in endpoint ? endpoint.steps : [endpoint];
}

/** A pause, but not beyond the end. This user may be called no more after it, so it prints before. */
function pause(wantedMs: number): void {
  const elapsedMs = Date.now() - startMs;
  if (elapsedMs + wantedMs >= printsEachFromMs) print();
  if (elapsedMs + wantedMs > lastSentMs) cycleStartMs = -1; // not as long as a whole one
  sleep(Math.max(0, Math.min(wantedMs, lastSentMs - elapsedMs)) / 1_000);
}

/** True when the load is over. With two arms a slice belongs to the arm it was sent to, so there it stays. */
function isLate(elapsedMs: number): boolean {
  return targets.length === 1 && elapsedMs + timeoutMs >= loadMs && Date.now() - startMs >= loadMs;
}

function count(reply: RefinedResponse<ResponseType | undefined>, isGuarded: boolean, hasAll: boolean): void {
  const { timings, status } = reply;
  const ms = timings.duration;
  requests += 1;
  firstByteMs += timings.waiting;
  lastMs = ms;
  totalMs += ms;
  if (ms > maxMs) maxMs = ms;
  if (!hasAll && status > 0 && status < 400) countOther("no value", true);
  else if (status === 200) replies200 += 1;
  else countOther(status === 0 ? errorOf(reply) : `${status}`, status === 0 || status >= 400);
  // A refused connection takes no time at all; its latency is not one of the app's.
  if (ms > 0 && isGuarded) buckets.push(Math.ceil(Math.log(ms) / logGrowth));
  // One sample a slice: reading headers costs more than counting.
  if (!isSized) {
    bodyBytes = sizeOf(reply);
    isSized = bodyBytes >= 0 || !mayRead();
    lookForCookies(reply);
  }
}

/** Length of a reply's body in bytes; -1 when neither it nor its headers were read. */
function sizeOf({ headers, body, status }: RefinedResponse<ResponseType | undefined>): number {
  const said = headers["Content-Length"];
  if (said !== undefined) return Number(said);
  if (body instanceof ArrayBuffer) {
    readBytesOfArms[arm] = (readBytesOfArms[arm] as number) + body.byteLength;
    return body.byteLength;
  }
  if (status > 0) isUnsized = true; // no reply has no length either
  return -1;
}

/** True while this user may read replies of unknown length whole. */
function mayRead(): boolean {
  return __VU <= readers && (readBytesOfArms[arm] as number) < mostReadBytes;
}

function lookForCookies({ headers }: RefinedResponse<ResponseType | undefined>): void {
  hasCookies ||= headers["Set-Cookie"] !== undefined;
}

/** The error of a request without a reply: k6's code, or the cut-off long after the load's end. */
function errorOf(reply: RefinedResponse<ResponseType | undefined>): string {
  return Date.now() - startMs >= cutOffMs - 1 ? "cut off" : `error ${reply.error_code}`;
}

function countOther(status: string, failed: boolean): void {
  if (failed) failures += 1;
  otherStatuses[status] = (otherStatuses[status] ?? 0) + 1;
}

/** True when this user may be called no more. May be true too early, which costs a line, but never too late. */
function isLastForThisUser(elapsedMs: number): boolean {
  if (load.kind === "requests") {
    // Others may take the rest between this question and this user's next call, and a busy machine makes that stretch
    // long: hence the wide margin. The sum of all records shows any miss.
    return (
      sharedRequests(load) - exec.instance.iterationsCompleted <= Math.max(5_000, 50 * load.virtualUsers)
    );
  }
  // Asking for the time again is only worth it near the end; no reply takes longer than k6's time-out of 60 s.
  return elapsedMs + timeoutMs >= printsEachFromMs && Date.now() - startMs >= printsEachFromMs;
}

function armOf(index: number): number {
  return armOfSlice(index, script.seed, targets.length);
}

/** Prints the slice so far, if there is anything in it, and starts anew. */
function print(): void {
  if (requests === 0 && cycles === 0) return;
  // Put together by hand: `JSON.stringify` takes seven times as long here, and lines cost the load what they take.
  const statuses =
    replies200 > 0 && replies200 === requests
      ? `{"200":${replies200}}`
      : JSON.stringify(replies200 === 0 ? otherStatuses : { "200": replies200, ...otherStatuses });
  const of = `${slice},${namesOfArms[armOf(slice)]},${requests},${failures},${totalMs},${maxMs},${bodyBytes}`;
  const times = `${cycles},${cycleMs},${Date.now() - startMs},${firstByteMs}`;
  console.log(`[${of},${statuses},[${buckets.join()}],${times}]`);
  requests = 0;
  failures = 0;
  totalMs = 0;
  maxMs = 0;
  firstByteMs = 0;
  bodyBytes = -1;
  replies200 = 0;
  otherStatuses = {};
  buckets = [];
  cycles = 0;
  cycleMs = 0;
}

/** k6's own figures, as a cross-check of ours. */
export function handleSummary(data: object): Record<string, string> {
  return script.summaryPath === undefined ? {} : { [script.summaryPath]: JSON.stringify(data) };
}
