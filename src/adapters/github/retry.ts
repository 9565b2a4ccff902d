/** The parts of an answer that say whether and when to ask again. */
export interface Refusal {
  /** `undefined`: no answer came. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly message: string;
}

/**
 * Which faults a request is sent again after. `usual`: not after those of a POST, which might be carried out twice.
 * `safe`: after all, since a second one does no harm. `never`: after none, nor after a limit: by then it may be out of date.
 */
export type Repeats = "usual" | "safe" | "never";

const longestWaitMs = 60_000;
const maxTries = 4;

/** Whether GitHub refused because of too many requests. It uses 403 for that, too. */
export function isLimit({ status, headers, message }: Refusal): boolean {
  if (status === 429) return true;
  if (status !== 403) return false;
  return (
    headers["retry-after"] !== undefined ||
    String(headers["x-ratelimit-remaining"]) === "0" ||
    /secondary rate limit|abuse detection/i.test(message)
  );
}

/**
 * Milliseconds to wait before the same request is sent again; `undefined`: give up. `tries` counts those made.
 * A POST whose fate is unknown is not sent again from here unless that is safe: it would make a second comment.
 */
export function waitBeforeRetry(
  refusal: Refusal,
  method: string,
  tries: number,
  nowMs: number,
  repeats: Repeats = "usual",
): number | undefined {
  if (tries >= maxTries || repeats === "never") return undefined;
  const isOnce = method === "POST" && repeats !== "safe";
  const waitMs = isLimit(refusal) ? limitMs(refusal, nowMs) : faultMs(refusal, isOnce, tries);
  return waitMs !== undefined && waitMs <= longestWaitMs ? waitMs : undefined;
}

/** GitHub says when in one of two headers; without either it asks for a minute. */
function limitMs({ headers }: Refusal, nowMs: number): number {
  const retryAfter = Number(headers["retry-after"]);
  if (retryAfter >= 0) return Math.max(retryAfter * 1_000, 1_000);
  const reset = Number(headers["x-ratelimit-reset"]);
  if (String(headers["x-ratelimit-remaining"]) !== "0" || !(reset > 0)) return longestWaitMs;
  return Math.max(reset * 1_000 - nowMs, 0) + 1_000; // the header counts whole seconds
}

function faultMs({ status }: Refusal, isOnce: boolean, tries: number): number | undefined {
  const isFault = status === undefined || status >= 500;
  return isFault && !isOnce ? 1_000 * 2 ** (tries - 1) : undefined;
}
