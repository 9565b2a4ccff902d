import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../errors/errors.ts";
import type { CommentOutcome } from "../../ports/forge.ts";

/** A request that a forge refused or did not answer. */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  /** Status of the answer; `undefined` when no usable answer came. */
  readonly answer: number | undefined;
  /** True after too many requests: it says nothing about the token's permissions. */
  readonly isLimit: boolean;

  // The field is not called `status`, because the pagination plugin takes an error with `status` 409 for an empty list.
  constructor(message: string, answer?: number, isLimit = false) {
    super(message);
    this.answer = answer;
    this.isLimit = isLimit;
  }

  /** True when the request may have been carried out all the same. */
  get isUncertain(): boolean {
    return this.answer === undefined || this.answer >= 500;
  }
}

/** True when a forge gave this answer, and not because of too many requests. */
export function isAnswer(error: unknown, ...statuses: readonly number[]): boolean {
  return (
    error instanceof RequestFailure &&
    error.answer !== undefined &&
    statuses.includes(error.answer) &&
    !error.isLimit
  );
}

/** The failure that an error is. Throws any other error. */
export function failureIn(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  throw error;
}

/** Who writes a comment. */
export interface Writer {
  /** The forge's name. */
  readonly forge: string;
  /** What to change where the token may not comment. */
  readonly remedy: string;
}

/** Meaning of a failure for the comment, with its remedy. */
export function outcomeOf(failure: RequestFailure, { forge, remedy }: Writer): CommentOutcome {
  const { answer, message } = failure;
  if (failure.isLimit)
    return { kind: "failed", reason: `${forge} takes no more requests for now: ${message}` };
  switch (answer) {
    case 401:
      return { kind: "failed", reason: `the token is wrong or has expired: ${message}` };
    case 403:
      if (/\blocked\b/i.test(message))
        return { kind: "forbidden", reason: `the conversation is locked: ${message}` };
      return { kind: "forbidden", reason: `the token may not comment: ${message}. ${remedy}` };
    case 404: {
      const reason = `the pull request is gone, or the token cannot see it: ${message}. ${remedy}`;
      return { kind: "forbidden", reason };
    }
    case 410:
      return { kind: "forbidden", reason: `comments are switched off here: ${message}` };
    case 422:
      return { kind: "failed", reason: `${forge} does not take the text of the comment: ${message}` };
    default:
      return { kind: "failed", reason: message };
  }
}

/** The parts of an answer that tell if and when to send a request again. */
export interface Refusal {
  /** `undefined` when no answer came. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly message: string;
  /** Set when an answer came in another form than the API's: an empty body, a proxy's page. It counts as none. */
  readonly isForeign?: true;
}

/**
 * Faults after which a request is sent again. `usual`: all but those of a POST, which might be carried out twice.
 * `safe`: all, since a second request does no harm. `never`: none, not even a limit, because the request may be out of
 * date by then.
 */
export type Repeats = "usual" | "safe" | "never";

export interface Access {
  /** The forge's name, for messages. */
  readonly forge: string;
  readonly token: string;
  readonly pause: (ms: number) => Promise<void>;
  /** Ends the current request and all waiting; absent when nobody cancels. */
  readonly signal?: AbortSignal | undefined;
}

export interface NamedRequest {
  readonly method: string;
  readonly path: string;
  readonly repeats?: Repeats | undefined;
}

/** Sends a request, and sends it again where that is safe. Rejects with `RequestFailure`. */
export async function withRetries<T>(
  { method, path, repeats }: NamedRequest,
  { forge, token, pause, signal }: Access,
  send: () => Promise<T>,
  refusalOf: (error: unknown) => Refusal,
): Promise<T> {
  // fetch would say so itself, quoting the token.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new RequestFailure("the token is empty or has characters that no token has");
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (signal?.aborted) throw new RequestFailure(`cancelled before ${forge} had answered`);
      const refusal = refusalOf(error);
      const waitMs = waitBeforeRetry(refusal, method, tries, Date.now(), repeats);
      if (waitMs === undefined) throw failureOf(refusal, `\`${method} ${path}\``, token, forge);
      await pause(waitMs);
    }
  }
}

/** The cause is left out on purpose: it holds the whole request. */
function failureOf(refusal: Refusal, request: string, token: string, forge: string): RequestFailure {
  const { status, message, isForeign } = refusal;
  if (isForeign) return new RequestFailure(`${request} got an answer that is not ${forge}'s`);
  const words = oneLine(message.replaceAll(token, "***"));
  const answer = status === undefined ? "got no answer" : `was answered with ${status}`;
  const reason = words === "" ? "" : ` (${words})`;
  return new RequestFailure(`${request} ${answer}${reason}`, status, isLimit(refusal));
}

/** A refusal for an error without an answer. */
export function unanswered(error: unknown): Refusal {
  return { status: undefined, headers: {}, message: messageOf(error) };
}

/** A forge's words, or a proxy's: cut, and without anything that could start a line or markup of its own. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .replace(/[`<>|@]/g, "'")
    .trim()
    .slice(0, 300);
}

const longestWaitMs = 60_000;
const maxTries = 4;

/** True when the forge refused because of too many requests. GitHub uses 403 for that, too. */
function isLimit({ status, headers, message }: Refusal): boolean {
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
function waitBeforeRetry(
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

/** The time stands in one of two headers; without either GitHub asks for a minute. */
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

/** Waits, but no longer than until somebody cancels. */
export function pauseUntil(signal: AbortSignal | undefined): (ms: number) => Promise<void> {
  return (ms) => sleep(ms, undefined, signal && { signal }).catch(() => undefined);
}

/** A body in memory; `undefined` when it has more bytes than allowed. The rest is not read then. */
export async function bodyWithin(
  body: AsyncIterable<Uint8Array> | null,
  mostBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) return undefined; // leaving the loop cancels the rest
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
