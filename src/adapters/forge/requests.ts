import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { messageOf } from "../../errors/errors.ts";
import { jsonOf } from "../../text/json.ts";
import { within } from "../process/index.ts";
import { RequestFailure } from "./failure.ts";

/**
 * Faults after which a request is sent again. `usual`: all but those of a POST, which might be carried out twice.
 * `safe`: all, since a second request does no harm. `never`: none, not even a limit, because the request may be out of
 * date by then.
 */
export type Repeats = "usual" | "safe" | "never";

export interface ApiOptions {
  /** e.g. `https://api.github.com`, or `https://host/api/v3` of an enterprise server. */
  readonly apiUrl: string;
  readonly token: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Waits between tries; tests replace it. */
  readonly pause?: (ms: number) => Promise<void>;
  readonly timeoutMs?: number;
  /** Ends the current request and all waiting when somebody cancels. */
  readonly signal?: AbortSignal;
}

type Redirect = NonNullable<RequestInit["redirect"]>;

export interface ApiRequest {
  readonly method: string;
  /** Below the API's address, or an address of its own; without a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
  readonly repeats?: Repeats | undefined;
  readonly redirect?: Redirect;
}

interface Reply<T> {
  readonly headers: Readonly<Record<string, string>>;
  readonly data: T;
}

interface Refusal {
  /** `undefined` when no answer came. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: string;
}

/** The answer's form is not the API's: an empty body, a proxy's page, or half an answer. It counts as no answer. */
const foreign: Refusal = { status: undefined, headers: {}, message: "" };

interface Api {
  /** Sends a request, and sends it again where that is safe. Rejects with `RequestFailure`. */
  send<T>(schema: z.ZodType<T>, request: ApiRequest): Promise<Reply<T>>;
  pause(ms: number): Promise<void>;
}

/** @param forge its name, for messages, and what its requests have in common */
export function createApi(
  forge: {
    readonly name: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly redirect: Redirect;
  },
  options: ApiOptions,
): Api {
  const { token, signal, timeoutMs = 15_000, pause = pauseUntil(signal) } = options;

  async function send<T>(schema: z.ZodType<T>, request: ApiRequest): Promise<Reply<T>> {
    const { method, path, repeats } = request;
    // fetch would say so itself, quoting the token.
    if (!/^[\x21-\x7e]+$/.test(token))
      throw new RequestFailure("the token is empty or contains invalid characters");
    for (let tries = 1; ; tries++) {
      const answer = await within({ ms: timeoutMs, signal }, (until) => answerTo(request, until)).catch(
        (error: unknown) => ({ ...foreign, message: reasonOf(error) }),
      );
      const parsed = "message" in answer ? undefined : schema.safeParse(answer.data);
      if (parsed?.success) return { headers: answer.headers, data: parsed.data };
      if (signal?.aborted) throw new RequestFailure(`cancelled before ${forge.name} had answered`);
      const refusal = "message" in answer ? answer : foreign;
      const waitMs = waitBeforeRetry(refusal, method, tries, Date.now(), repeats);
      if (waitMs === undefined) throw failureOf(refusal, `\`${method} ${path}\``);
      await pause(waitMs);
    }
  }

  async function answerTo(
    { method, path, query, body, redirect = forge.redirect }: ApiRequest,
    until: AbortSignal,
  ): Promise<Reply<unknown> | Refusal> {
    const { apiUrl, fetch = globalThis.fetch } = options;
    const url = path.startsWith("/") ? `${apiUrl}${path}` : path;
    const response = await fetch(query === undefined ? url : `${url}?${new URLSearchParams(query)}`, {
      method,
      headers: {
        ...forge.headers,
        "user-agent": "fastapi-loadtest-action",
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect,
      signal: until,
    });
    const whole = await bodyWithin(response.body, mostBytes);
    if (whole === undefined) throw new Error(`the answer has more than ${mostBytes} bytes`);
    const data = jsonOf(whole.toString("utf8"));
    const headers = Object.fromEntries(response.headers);
    const { status } = response;
    return status < 400 ? { headers, data } : { status, headers, message: explanationIn(data) };
  }

  /** The cause is left out on purpose: it holds the whole request. */
  function failureOf(refusal: Refusal, request: string): RequestFailure {
    if (refusal === foreign)
      return new RequestFailure(`${request} got a response that did not come from ${forge.name}`);
    const { status, message } = refusal;
    const words = oneLine(message.replaceAll(token, "***"));
    const answer = status === undefined ? "got no answer" : `was answered with ${status}`;
    const reason = words === "" ? "" : ` (${words})`;
    return new RequestFailure(`${request} ${answer}${reason}`, status, isLimit(refusal));
  }

  return { send, pause };
}

/** fetch itself says nothing but "fetch failed". */
function reasonOf(error: unknown): string {
  return messageOf(error instanceof TypeError ? (error.cause ?? error) : error);
}

/** Far above a hundred comments of the largest size. */
const mostBytes = 150_000_000;

const explained = z.object({
  message: z.string().optional(),
  error: z.string().optional(),
  errors: z.array(z.unknown()).optional(),
  documentation_url: z.string().optional(),
});

/** A forge's reason. A proxy's error page is of no use in a sentence. */
function explanationIn(data: unknown): string {
  const { message, error = "", errors, documentation_url: page } = explained.safeParse(data).data ?? {};
  const details = errors === undefined ? "" : `: ${errors.map((each) => JSON.stringify(each)).join(", ")}`;
  return message === undefined ? error : `${message}${details}${page === undefined ? "" : ` - ${page}`}`;
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

/** Milliseconds until the same request is sent again; `undefined`: give up. `tries` counts those made. */
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

/** The time stands in one of two headers; without either GitHub wants a minute. */
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
function pauseUntil(signal: AbortSignal | undefined): (ms: number) => Promise<void> {
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
