import { setTimeout as sleep } from "node:timers/promises";
import { Octokit } from "@octokit/core";
import * as z from "zod";
import { messageOf } from "../../errors/errors.ts";
import { within } from "../process/index.ts";
import { bodyWithin } from "./body.ts";
import { GitHubFailure } from "./request-failure.ts";
import { isLimit, type Refusal, type Repeats, waitBeforeRetry } from "./retry.ts";

export interface ClientOptions {
  /** e.g. `https://api.github.com`, or `https://host/api/v3` of an enterprise server. */
  readonly apiUrl: string;
  readonly token: string;
  readonly pause: (ms: number) => Promise<void>;
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
  /** Ends the current request and all waiting; absent when nobody cancels. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Octokit with a time limit for each request. It repeats a request where that is safe, and fails with `GitHubFailure`
 * only.
 */
export function createClient(options: ClientOptions) {
  const { apiUrl, token, pause, timeoutMs, signal } = options;
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  // Not in the hook below: the options that a hook passes on do not get past Octokit's own hook for the token.
  const inTime: typeof globalThis.fetch = (input, init) =>
    within({ ms: timeoutMs, signal }, async (until) =>
      whole(await options.fetch(input, { ...init, signal: until })),
    );
  const client = new Octokit({
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
        const response = await send(request);
        const fits: Fits | undefined = request.request?.["fits"];
        if (fits === undefined || fits(response.data)) return response;
        throw new Unfit();
      } catch (error) {
        if (signal?.aborted) throw new GitHubFailure("cancelled before GitHub had answered", undefined);
        const refusal = refusalOf(error);
        const repeats: Repeats | undefined = request.request?.["repeats"];
        const waitMs = waitBeforeRetry(refusal, request.method, tries, Date.now(), repeats);
        if (waitMs === undefined)
          throw error instanceof Unfit ? unfit(name) : failureOf(refusal, name, token);
        await pause(waitMs);
      }
    }
  });
  return client;
}

export type Client = ReturnType<typeof createClient>;

/** True when an answer has the form that the API promises. */
type Fits = (data: unknown) => boolean;

/** An empty body, a proxy's page, or half an answer. None of them means "there is none". */
class Unfit extends Error {}

function unfit(name: string): GitHubFailure {
  return new GitHubFailure(`\`${name}\` got an answer that is not GitHub's`, undefined);
}

/**
 * Asks, and returns an answer in the form of the schema. Any other answer counts as none: the request is repeated where
 * that is safe, and rejects with `GitHubFailure` in the end.
 */
export async function ask<T>(
  client: Client,
  schema: z.ZodType<T>,
  route: string,
  parameters: Readonly<Record<string, unknown>> = {},
  repeats?: Repeats,
) {
  const fits: Fits = (data) => schema.safeParse(data).success;
  const response = await client.request(route, { ...parameters, request: { fits, repeats } });
  return { data: schema.parse(response.data), headers: response.headers };
}

/** GitHub's longest answers, a hundred comments of 65,536 characters, have a fifth of it. */
const mostBytes = 50_000_000;

/** A response whose body has arrived, so that the limit covers it, too. A body without end is an error. */
async function whole(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  if (response.body === null) return response;
  const body = await bodyWithin(response.body, mostBytes);
  if (body === undefined) throw new Error(`the answer has more than ${mostBytes} bytes`);
  const isEmpty = [204, 205, 304].includes(status); // these may not even have an empty body
  return new Response(isEmpty ? null : new Uint8Array(body), { status, statusText, headers });
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
  // A proxy's error page is of no use in a sentence.
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
