import { setTimeout as sleep } from "node:timers/promises";

import type { GeneratorIdentity } from "../../model/scale/generator-records.ts";
import { sendRequest } from "./single-request.ts";

// The times of `k6/generator.ts`, which looks in the same way before a load of ours.
/** The clock is looked at in this time before the start, by all generators at once. */
const clockMs = 4_000;
/** And the rest is for waking up in time. */
const restMs = 500;
const pauseMs = 20;

/**
 * This clock against an app's `Date`, which has whole seconds: seen best when it moves on. Each request has a connection
 * of its own, so each process of the app is reached, of which the first one to move on counts.
 *
 * @param startMs the load's start, in milliseconds since 1970
 * @returns `null` when no reply had a date that moved on
 */
export async function lookAtClock(
  baseUrl: string,
  startMs: number,
  signal: AbortSignal,
): Promise<GeneratorIdentity["clock"]> {
  await sleep(Math.max(0, startMs - clockMs - Date.now()), undefined, { signal });
  let clock: GeneratorIdentity["clock"] = null;
  let newest = Number.NaN;
  let beforeMs = 0;
  do {
    const sentMs = Date.now();
    const request = { method: "HEAD", url: `${baseUrl}/`, headers: {}, body: undefined, withinSeconds: 1 };
    const reply = await sendRequest(request, signal);
    const receivedMs = Date.now();
    const [date = ""] = typeof reply === "string" ? [] : (reply.headers?.["date"] ?? []);
    const dateMs = Date.parse(date);
    if (dateMs > newest) {
      // The app's second began after the request before was sent.
      const errorMs = (receivedMs - beforeMs) / 2;
      if (clock === null || errorMs < clock.errorMs)
        clock = { offsetMs: beforeMs + errorMs - dateMs, errorMs };
    }
    if (!(dateMs <= newest)) newest = dateMs;
    beforeMs = sentMs;
    await sleep(pauseMs, undefined, { signal });
  } while (Date.now() < startMs - restMs);
  return clock;
}
