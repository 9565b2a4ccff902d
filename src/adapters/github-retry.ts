/** The parts of an answer that say whether and when to ask again. */
export interface Refusal {
  /** `undefined`: no answer came. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly message: string;
}

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
 * A POST whose fate is unknown is never sent again from here: it would make a second comment.
 */
export function waitBeforeRetry(
  refusal: Refusal,
  method: string,
  tries: number,
  nowMs: number,
): number | undefined {
  if (tries >= maxTries) return undefined;
  const waitMs = isLimit(refusal) ? limitMs(refusal, nowMs) : faultMs(refusal, method, tries);
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

function faultMs({ status }: Refusal, method: string, tries: number): number | undefined {
  const isFault = status === undefined || status >= 500;
  return isFault && method !== "POST" ? 1_000 * 2 ** (tries - 1) : undefined;
}
