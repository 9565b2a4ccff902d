// One of several k6 processes that share a load by execution segments. It says who it is, waits for the instant at which
// all begin, and marks its lines, so that the logs of all can be told apart and added up.

import { sleep } from "k6";
import exec from "k6/execution";
import http from "k6/http";

/** What all generators of one load have in common. */
export interface GeneratorOrders {
  /** Stands before each line. */
  readonly mark: string;
  readonly cell: string;
  readonly run: string;
  readonly plan: string;
  readonly script: string;
  readonly version: string;
  /** Instant at which all begin, in milliseconds since 1970; absent: the next one that divides by `everyMs`. */
  readonly startMs?: number;
}

/** The result of `setup`, which every user gets. */
export interface Beginning {
  readonly startMs: number;
  readonly process: string;
  /** Requests that only read the time. */
  readonly clockRequests: number;
}

/** Pods are let go within a second or two of each other. */
const everyMs = 30_000;
/** All generators check the clock in this time before the start. */
const clockMs = 4_000;
/** And the rest is for waking up in time. */
const restMs = 500;

/** Waits for the start, and says how it went. */
export function beginGenerator(orders: GeneratorOrders, clockUrl: string): Beginning {
  const readyMs = Date.now();
  const startMs = orders.startMs ?? Math.ceil((readyMs + clockMs + restMs) / everyMs) * everyMs;
  const process = `${readyMs.toString(36)}-${Math.random().toString(36).slice(2, 12)}`;
  sleepUntil(startMs - clockMs);
  const { requests, clock } = lookAtClock(clockUrl, startMs - restMs);
  sleepUntil(startMs);
  const { mark, cell, run, plan, script, version } = orders;
  const { executionSegment, executionSegmentSequence } = exec.test.options as Record<string, unknown>;
  const identity = {
    ...{ process, cell, run, plan, script, version, startMs, readyMs, begunMs: Date.now(), clock },
    segment: executionSegment ?? "0:1",
    sequence: executionSegmentSequence ?? "0,1",
  };
  console.log(mark + JSON.stringify({ generator: identity }));
  return { startMs, process, clockRequests: requests };
}

function sleepUntil(ms: number): void {
  sleep(Math.max(0, ms - Date.now()) / 1_000);
}

/**
 * This clock against the target's `Date`, which has whole seconds: seen best when it moves on. A new connection for each
 * request reaches each process of the target, of which the first one to move on counts.
 */
function lookAtClock(url: string, untilMs: number) {
  let requests = 0;
  let newest = Number.NaN;
  let before = 0;
  let clock: { offsetMs: number; errorMs: number } | null = null;
  while (requests === 0 || Date.now() < untilMs) {
    const sentMs = Date.now();
    const reply = http.request("HEAD", url, null, {
      headers: { Connection: "close" },
      timeout: 1_000,
    });
    const receivedMs = Date.now();
    requests += 1;
    const date = Date.parse(reply.headers["Date"] ?? "");
    if (date > newest) {
      // The target's second began after the request before was sent.
      const errorMs = (receivedMs - before) / 2;
      if (clock === null || errorMs < clock.errorMs) clock = { offsetMs: before + errorMs - date, errorMs };
    }
    if (!(date <= newest)) newest = date;
    before = sentMs;
    sleep(0.02);
  }
  return { requests, clock };
}
