/** The parts of an answer that tell if and when to ask again. */
export interface Refusal {
  /** `undefined` when no answer came. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly message: string;
}

/**
 * Faults after which a request is sent again. `usual`: all but those of a POST, which might be carried out twice.
 * `safe`: all, since a second request does no harm. `never`: none, not even a limit, because the request may be out of
 * date by then.
 */
export type Repeats = "usual" | "safe" | "never";

const longestWaitMs = 60_000;
const maxTries = 4;

/** True when GitHub refused because of too many requests. It uses 403 for that, too. */
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
 * Milliseconds to wait before the same request is sent again; `undefined` means give up. `tries` counts those made. A
 * POST with an unknown outcome is sent again only where that is safe: it would make a second comment.
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

/** GitHub names the time in one of two headers; without either it asks for a minute. */
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
