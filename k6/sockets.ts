// The load on WebSockets. Like `load.ts` it sends to one arm at a time, chosen by the clock, and writes each user's
// counts of each slice as one line of the log. A request here is a message and the message that answers it.
//
// Each user keeps one connection to every arm and uses that of the current slice: an idle one costs nothing, and a slice
// may be too short to connect in. Times are those of k6's events, which have fractions of a millisecond; its clock has none.

import { sleep } from "k6";
import { SharedArray } from "k6/data";
import exec from "k6/execution";
import { Counter } from "k6/metrics";
import type { Options } from "k6/options";
import { clearInterval, setInterval } from "k6/timers";
import { WebSocket } from "k6/websockets";
import { endsOf, type LoadScript, type ScenarioRow, scenarioOf, tailMs, timeoutMsOf } from "./scenario.ts";
import { armOfSlice } from "./turns.ts";

const script: LoadScript = JSON.parse(open(__ENV.LOADTEST ?? ""));
const { load, targets, sliceMs, endpoint, answeredBy } = script;
const timeoutMs = timeoutMsOf(load);
const { loadMs, lastSentMs, cutOffMs } = endsOf(script);
const guardStartMs = script.guard?.startMs ?? 0;
const guardEndMs = sliceMs - (script.guard?.endMs ?? 0);
const logGrowth = Math.log(script.growth);

export const options: Options = {
  scenarios: { load: scenarioOf(script) },
  systemTags: [],
  ...{ noSetup: true }, // not yet among the types
};

/** Messages when they are sent, or would be if there were a connection: k6's own count has frames that close, too. */
const sent = new Counter("loadtest_sent");
const failed = new Counter("loadtest_failed");

const rows =
  script.rowsPath === undefined
    ? undefined
    : new SharedArray<ScenarioRow>("rows", () => JSON.parse(open(script.rowsPath as string)));
const usualMessage = "ping";
/** Time between two checks for what no event reports: the end, and replies that do not come. */
const lookEveryMs = 20;
const retryAfterMs = 100;

/** One user's connection to one arm. */
interface Connection {
  readonly socket: WebSocket;
  readonly triedMs: number;
  isOpen: boolean;
}
const connections: (Connection | undefined)[] = targets.map(() => undefined);

/** A message that has no connection to be sent through, since then and in that slice. */
interface Unsent {
  readonly sinceMs: number;
  readonly slice: number;
  readonly isGuarded: boolean;
}
const unsentOfArms: (Unsent | undefined)[] = targets.map(() => undefined);
const sentOfArms = targets.map(() => 0);
/** Time of the message that waits for its answer; -1: none does. */
let sentMs = -1;
let isGuarded = false;
let isOver = false;
let timer: ReturnType<typeof setInterval> | undefined;

// The slice that this virtual user is in. Module variables are private to each virtual user.
let slice = -1;
let arm = 0;
let startMs = -1;
let requests = 0;
let failures = 0;
let totalMs = 0;
let maxMs = 0;
let statuses: Record<string, number> = {};
let buckets: number[] = [];
let cycles = 0;
let cycleMs = 0;
let cycleStartMs = -1;

/** One call of a user is its whole load. */
export default function (): void {
  if (startMs < 0) {
    startMs = exec.scenario.startTime;
    if (__VU === 1 && targets.length > 1) console.log(`start ${startMs}`); // read by parseLoadStart
  }
  if (isOver || Date.now() - startMs >= lastSentMs) {
    sleep(tailMs / 1_000);
    return;
  }
  for (const to of targets.keys()) connect(to);
  timer = setInterval(look, lookEveryMs);
}

function connect(to: number): void {
  const { baseUrl, headers: ofAll, users } = targets[to] as (typeof targets)[number];
  const own = users?.[Math.max(0, __VU - 1) % users.length] ?? ofAll;
  const path = rowOf(to)?.path ?? ("path" in endpoint ? endpoint.path : "/");
  const { "Content-Type": _, ...headers } = { ...script.headers?.[0], ...own };
  const socket = new WebSocket(baseUrl.replace(/^http/, "ws") + path, null, { headers });
  const connection: Connection = { socket, triedMs: Date.now(), isOpen: false };
  connections[to] = connection;
  const isCurrent = () => connections[to] === connection && !isOver;
  socket.onopen = (event?: { readonly timestamp?: number }) => {
    connection.isOpen = true;
    if (isCurrent()) unsentOfArms[to] = undefined;
    // It was given up while it was opening: k6 cannot close a socket before that.
    if (!isCurrent()) socket.close();
    else if (sentMs < 0) next(event?.timestamp ?? Date.now());
  };
  // k6's own types lack the time.
  socket.onmessage = (event?: { readonly data: unknown; readonly timestamp?: number }) => {
    if (!isCurrent() || sentMs < 0 || to !== arm) return;
    if (answeredBy !== undefined && !`${event?.data}`.includes(answeredBy)) return;
    const timestamp = event?.timestamp ?? Date.now();
    count("101", timestamp);
    next(timestamp);
  };
  socket.onclose = () => {
    if (isCurrent()) lose(to, "error 1000");
  };
  socket.onerror = () => {
    if (isCurrent()) lose(to, "error 1000");
  };
}

/** A connection that broke, or did not open, costs the message that it had, or should have had. */
function lose(to: number, status: string): void {
  const lost = connections[to];
  if (lost === undefined || !(lost.isOpen || lost.triedMs >= 0)) return;
  const nowMs = Date.now();
  connections[to] = { ...lost, isOpen: false, triedMs: -nowMs };
  // A message that is under way is its own arm's, whoever has the load by now.
  if (sentMs >= 0 && to === arm) count(status, nowMs);
  else {
    const now = Math.floor((nowMs - startMs) / sliceMs);
    const triedMs = lost.isOpen ? nowMs : lost.triedMs;
    const isNow = sentMs < 0 && to === armOf(now) && nowMs - startMs < lastSentMs;
    const unsent =
      unsentOfArms[to] ?? (isNow ? unsentFrom(Math.max(triedMs, startMs + now * sliceMs), now) : undefined);
    if (unsent !== undefined) printUnsent(to, unsent, Math.max(unsent.sinceMs, triedMs), status, nowMs);
    unsentOfArms[to] = undefined;
  }
  if (lost.isOpen) lost.socket.close();
}

function unsentFrom(sinceMs: number, index: number): Unsent {
  return { sinceMs, slice: index, isGuarded: isWithinGuards(sinceMs - startMs, index) };
}

/**
 * Prints a message that found no connection as a request that failed, in a line of its own: the load may be elsewhere
 * by now. It took as long as the user waited, and the user's next try comes after a pause.
 */
function printUnsent(
  to: number,
  { slice: ofSlice, isGuarded: isCounted }: Unsent,
  triedMs: number,
  status: string,
  nowMs: number,
): void {
  const ms = Math.max(0, nowMs - triedMs);
  const isLate = targets.length === 1 && nowMs - startMs >= loadMs;
  const index = isLate ? Math.ceil((nowMs - startMs) / sliceMs) : ofSlice;
  sent.add(1);
  failed.add(1);
  const found = ms > 0 && isCounted ? [bucketOf(ms)] : [];
  const cycle = isCounted ? [1, ms + retryAfterMs] : [0, 0];
  const counts = [index, targets[to]?.arm, 1, 1, ms, ms, -1, { [status]: 1 }, found, ...cycle];
  console.log(JSON.stringify([...counts, nowMs - startMs]));
}

/** Handles what no event reports. */
function look(): void {
  const nowMs = Date.now();
  const elapsedMs = nowMs - startMs;
  if (isOver) return;
  if (sentMs >= 0 && elapsedMs >= cutOffMs) lose(arm, "cut off");
  else if (sentMs >= 0 && nowMs - sentMs >= timeoutMs) lose(arm, "error 1050");
  for (const [to, connection] of connections.entries()) {
    if (!isOpening(connection)) continue;
    if (elapsedMs >= cutOffMs) lose(to, "cut off");
    else if (nowMs - connection.triedMs >= timeoutMs) lose(to, "error 1050");
  }
  if (sentMs < 0) next(nowMs);
  if (isOver || elapsedMs >= lastSentMs) return;
  for (const [to, connection] of connections.entries())
    if (connection !== undefined && connection.triedMs < 0 && nowMs + connection.triedMs >= retryAfterMs)
      connect(to);
}

function isOpening(connection: Connection | undefined): connection is Connection {
  return connection !== undefined && !connection.isOpen && connection.triedMs >= 0;
}

/** Sends the next message to the arm that has the load now, if it is connected. */
function next(nowMs: number): void {
  const elapsedMs = nowMs - startMs;
  if (cycleStartMs >= 0) {
    cycles += 1;
    cycleMs += elapsedMs - cycleStartMs;
    cycleStartMs = -1;
  }
  if (elapsedMs >= lastSentMs) {
    // Like a request under way: it may still fail.
    if (!connections.some((each, to) => unsentOfArms[to] !== undefined && isOpening(each))) end();
    return;
  }
  enter(elapsedMs);
  const connection = connections[arm];
  if (connection?.isOpen !== true) {
    unsentOfArms[arm] ??= unsentFrom(nowMs, slice);
    return;
  }
  isGuarded = isWithinGuards(elapsedMs, slice);
  if (isGuarded) cycleStartMs = elapsedMs;
  sentMs = nowMs;
  sent.add(1);
  connection.socket.send(rowOf(arm)?.body ?? usualMessage);
  sentOfArms[arm] = (sentOfArms[arm] as number) + 1;
}

function enter(elapsedMs: number): void {
  const now = Math.floor(elapsedMs / sliceMs);
  if (now === slice) return;
  print();
  if (now >> 1 !== slice >> 1) renew(now >> 1);
  slice = now;
  arm = armOf(now);
}

/** Which worker accepts a connection is chance: with `renewMs` users renew theirs, one after the other. */
function renew(pair: number): void {
  if (script.renewMs === undefined || slice < 0) return;
  const every = Math.max(1, Math.round(script.renewMs / (2 * sliceMs)));
  if ((pair + __VU) % every !== 0) return;
  for (const to of targets.keys()) {
    const old = connections[to];
    connect(to);
    if (old?.isOpen) old.socket.close();
  }
}

function end(): void {
  print();
  isOver = true;
  if (timer !== undefined) clearInterval(timer);
  for (const connection of connections) if (connection?.isOpen) connection.socket.close();
}

function count(status: string, nowMs: number): void {
  const ms = sentMs < 0 ? 0 : Math.max(0, nowMs - sentMs);
  // A late answer belongs to no moment of a load on one arm.
  if (targets.length === 1 && nowMs - startMs >= loadMs) {
    print();
    slice = Math.ceil((nowMs - startMs) / sliceMs);
  }
  requests += 1;
  totalMs += ms;
  if (ms > maxMs) maxMs = ms;
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (status !== "101") {
    failures += 1;
    failed.add(1);
  }
  if (ms > 0 && isGuarded) buckets.push(bucketOf(ms));
  sentMs = -1;
}

function bucketOf(ms: number): number {
  return Math.ceil(Math.log(ms) / logGrowth);
}

function isWithinGuards(elapsedMs: number, index: number): boolean {
  const inSliceMs = elapsedMs - index * sliceMs;
  return inSliceMs >= guardStartMs && inSliceMs < guardEndMs;
}

/** The next row of this user for an arm; `undefined`: the path as it is. */
function rowOf(to: number): ScenarioRow | undefined {
  const size = script.rowCounts?.[0] ?? 0;
  if (rows === undefined || size === 0) return undefined;
  const place = Math.floor(((__VU * 0.618_033_988_75) % 1) * size) + (sentOfArms[to] as number);
  return rows[place % size];
}

function armOf(index: number): number {
  return armOfSlice(index, script.seed, targets.length);
}

/** Prints the slice so far, if there is anything in it, and starts anew. */
function print(): void {
  if (requests === 0 && cycles === 0) return;
  const counts = [slice, targets[arm]?.arm, requests, failures, totalMs, maxMs, -1, statuses, buckets];
  console.log(JSON.stringify([...counts, cycles, cycleMs, Date.now() - startMs]));
  requests = 0;
  failures = 0;
  totalMs = 0;
  maxMs = 0;
  statuses = {};
  buckets = [];
  cycles = 0;
  cycleMs = 0;
}

interface Summary {
  readonly state: unknown;
  readonly metrics: Readonly<Record<string, { readonly values: { readonly count?: number } }>>;
}

/** The messages that were sent, as a cross-check of those that were answered, instead of k6's requests. */
export function handleSummary({ state, metrics }: Summary): Record<string, string> {
  const counted = (name: string) => metrics[name]?.values.count ?? 0;
  const told = {
    http_reqs: { values: { count: counted("loadtest_sent") } },
    http_req_failed: { values: { passes: counted("loadtest_failed") } },
  };
  const text = JSON.stringify({ state, metrics: told });
  return script.summaryPath === undefined ? {} : { [script.summaryPath]: text };
}
