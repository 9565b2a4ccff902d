import type { Reply } from "../endpoints/dry-request.ts";

/** Requests of which a few at once would take longer than any reply is waited for. */
const slowSeconds = 2.5;

/** What too slow requests answered, by method and path: no start of the app has to wait for them again. */
export type SlowReplies = Map<string, Reply | string>;

interface Sent {
  readonly method: string;
  readonly path: string;
  /** True where the app is busy, so that nothing follows from a slow reply. */
  readonly isWaiting?: true;
}

/**
 * Sends a request that reads a second time where it is slow, since the app may have loaded something, and never after
 * that. One that got no reply while another one kept the app busy is sent again the next time.
 */
export function withoutSlow<T extends Sent>(
  send: (request: T) => Promise<Reply | string>,
  slow: SlowReplies,
): (request: T) => Promise<Reply | string> {
  let isBusy = false;
  const sent = async (request: T) => {
    const reply = await send(request);
    isBusy = typeof reply === "string";
    return reply;
  };
  return async (request) => {
    const name = `${request.method} ${request.path}`;
    if (request.isWaiting === true || request.method !== "GET") return await sent(request);
    const known = slow.get(name);
    if (known !== undefined) return known;
    const wasBusy = isBusy;
    const first = await sent(request);
    if (!isSlow(first)) return first;
    const second = typeof first === "string" ? first : await sent(request);
    if (isSlow(second) && !wasBusy) slow.set(name, second);
    return second;
  };
}

function isSlow(reply: Reply | string): boolean {
  return typeof reply === "string" || tooSlow(reply) !== undefined;
}

/** Why a reply's request is not measured; `undefined`: it is quick enough, or has failed. */
export function tooSlow({ status, seconds = 0 }: Reply): string | undefined {
  const isSlow = status < 400 && seconds > slowSeconds;
  return isSlow ? `answered after ${seconds.toFixed(1)} s: too slow to measure` : undefined;
}

/** Those that a change of the app's settings does not make quicker: it may answer now where it was silent. */
export function stillSlow(slow: SlowReplies): SlowReplies {
  return new Map([...slow].filter(([, reply]) => typeof reply !== "string"));
}
