import { setTimeout as sleep } from "node:timers/promises";
import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import * as z from "zod";
import { messageOf } from "../../errors/errors.ts";
import { GitHubFailure } from "./request-failure.ts";
import { isLimit, type Refusal, type Repeats, waitBeforeRetry } from "./retry.ts";

export interface ClientOptions {
  /** e.g. `https://api.github.com`, or `https://host/api/v3` of an enterprise server. */
  readonly apiUrl: string;
  readonly token: string;
  readonly pause: (ms: number) => Promise<void>;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  /** Ends the request under way, and all waiting; absent: nobody cancels. */
  readonly signal?: AbortSignal | undefined;
}

/** Octokit whose requests have a time limit, are repeated where that is safe, and fail with `GitHubFailure` only. */
export function createClient(options: ClientOptions) {
  const { apiUrl, token, pause, timeoutMs, signal } = options;
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  // Not in the hook below: what a hook passes on does not get past Octokit's own one for the token.
  const inTime: typeof globalThis.fetch = (input, init) =>
    options.fetch(input, { ...init, signal: endAfter(timeoutMs, signal) });
  const client = new (Octokit.plugin(paginateRest))({
    baseUrl: apiUrl,
    auth: token,
    userAgent: "fastapi-loadtest-action",
    log: quiet,
    request: { fetch: inTime, log: quiet },
  });
  client.hook.wrap("request", async (send, request) => {
    const name = `${request.method} ${new URL(client.request.endpoint(request).url).pathname}`;
    if (!/^[\x21-\x7e]+$/.test(token)) {
      // fetch would say so itself, quoting the token.
      throw new GitHubFailure("the token is empty or has characters that no token has", undefined);
    }
    for (let tries = 1; ; tries++) {
      try {
        return await send(request);
      } catch (error) {
        if (signal?.aborted) throw new GitHubFailure("cancelled before GitHub had answered", undefined);
        const refusal = refusalOf(error);
        const repeats: Repeats | undefined = request.request?.["repeats"];
        const waitMs = waitBeforeRetry(refusal, request.method, tries, Date.now(), repeats);
        if (waitMs === undefined) throw failureOf(refusal, name, token);
        await pause(waitMs);
      }
    }
  });
  return client;
}

/** Aborts when the time is over, or somebody cancels. */
export function endAfter(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
}

/** Waits, but no longer than until somebody cancels. */
export function pauseUntil(signal: AbortSignal | undefined): (ms: number) => Promise<void> {
  return (ms) => sleep(ms, undefined, signal && { signal }).catch(() => undefined);
}

const answered = z.object({
  response: z.object({
    status: z.number(),
    headers: z.record(z.string(), z.union([z.string(), z.number()]).optional()),
    data: z.unknown(),
  }),
  message: z.string(),
});

function refusalOf(error: unknown): Refusal {
  const { data } = answered.safeParse(error);
  if (data === undefined) return { status: undefined, headers: {}, message: messageOf(error) };
  // A proxy's fault page is of no use in a sentence.
  const message = typeof data.response.data === "string" ? "" : data.message;
  return { status: data.response.status, headers: data.response.headers, message };
}

/** The cause is left out on purpose: it holds the whole request. */
function failureOf(refusal: Refusal, name: string, token: string): GitHubFailure {
  const words = oneLine(refusal.message.replaceAll(token, "***"));
  const said = refusal.status === undefined ? "got no answer" : `was answered with ${refusal.status}`;
  const message = `\`${name}\` ${said}${words === "" ? "" : ` (${words})`}`;
  return new GitHubFailure(message, refusal.status, { isLimit: isLimit(refusal) });
}

/** GitHub's words, or a proxy's: cut, and without anything that could start a line or markup of its own. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .replace(/[`<>|@]/g, "'")
    .trim()
    .slice(0, 300);
}
