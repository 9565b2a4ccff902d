import { Octokit } from "@octokit/core";
import * as z from "zod";
import type { RepositoryName } from "../../../forge/run.ts";
import { within } from "../../process/index.ts";
import {
  bodyWithin,
  pauseUntil,
  type Refusal,
  type Repeats,
  RequestFailure,
  unanswered,
  withRetries,
} from "../requests.ts";

export interface GitHubOptions {
  /** e.g. `https://api.github.com`, or `https://host/api/v3` of an enterprise server. */
  readonly apiUrl: string;
  readonly token: string;
  readonly repository: RepositoryName;
  readonly fetch?: typeof globalThis.fetch;
  /** Waits between tries; tests replace it. */
  readonly pause?: (ms: number) => Promise<void>;
  /** Limit for one request. */
  readonly timeoutMs?: number;
  /** Ends everything when somebody cancels. */
  readonly signal?: AbortSignal;
}

type Parameters = Readonly<Record<string, unknown>>;

/** GitHub's API for one repository. A request is sent again where that is safe, and fails with `RequestFailure` only. */
export interface GitHubClient {
  /** Requires an answer in the form of the schema. Any other counts as none. */
  ask<T>(schema: z.ZodType<T>, route: string, parameters?: Parameters, repeats?: Repeats): Promise<T>;
  send(route: string, parameters?: Parameters, repeats?: Repeats): ReturnType<Octokit["request"]>;
  /**
   * A list, page after page. Pages are asked for by number and end with one that brings nothing new: a link to the next
   * page may point to itself, or to another server. A list without end is a failure, too.
   */
  pages<T extends { readonly id: number }>(
    listOf: z.ZodType<readonly T[]>,
    route: string,
    parameters: Parameters,
  ): AsyncGenerator<readonly T[]>;
  pause(ms: number): Promise<void>;
}

/** GitHub closes a conversation at 2,500 comments. */
const mostPages = 100;
const perPage = 100;

/** `parameters` need no `owner` and `repo`. */
export function createClient(options: GitHubOptions): GitHubClient {
  const { token, signal, repository, pause = pauseUntil(signal) } = options;
  const octokit = octokitOf(options);
  const place = { owner: repository.owner, repo: repository.name };

  function request(route: string, parameters: Parameters, repeats?: Repeats, schema?: z.ZodType) {
    const { method, url } = octokit.request.endpoint(route, filled(route, parameters));
    const { pathname: path } = new URL(url);
    return withRetries(
      { method, path, repeats },
      { forge: "GitHub", token, pause, signal },
      async () => {
        const response = await octokit.request(route, filled(route, parameters));
        if (schema !== undefined && !schema.safeParse(response.data).success) throw new Foreign();
        return response;
      },
      refusalOf,
    );
  }

  /** What is in no place of the route would become part of the query or the body. */
  function filled(route: string, parameters: Parameters): Record<string, unknown> {
    return route.includes("{owner}") ? { ...place, ...parameters } : { ...parameters };
  }

  async function* pages<T extends { readonly id: number }>(
    listOf: z.ZodType<readonly T[]>,
    route: string,
    parameters: Parameters,
  ) {
    const seen = new Set<number>();
    for (let page = 1; page <= mostPages; page++) {
      const ofPage = { ...parameters, per_page: perPage, ...(page > 1 && { page }) };
      const { data, headers } = await request(route, ofPage, undefined, listOf);
      const fresh = listOf.parse(data).filter(({ id }) => !seen.has(id));
      for (const { id } of fresh) seen.add(id);
      yield fresh;
      if (fresh.length === 0 || !/;\s*rel="?next"?/.test(String(headers.link))) return;
    }
    throw new RequestFailure(`\`${route}\` has more than ${mostPages} pages`);
  }

  return {
    pause,
    pages,
    ask: async (schema, route, parameters = {}, repeats) =>
      schema.parse((await request(route, parameters, repeats, schema)).data),
    send: (route, parameters = {}, repeats) => request(route, parameters, repeats),
  };
}

/** Octokit with a time limit for each request. */
function octokitOf({ apiUrl, token, signal, timeoutMs = 15_000, fetch = globalThis.fetch }: GitHubOptions) {
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const inTime: typeof globalThis.fetch = (input, init) =>
    within({ ms: timeoutMs, signal }, async (until) => whole(await fetch(input, { ...init, signal: until })));
  return new Octokit({
    baseUrl: apiUrl,
    auth: token,
    userAgent: "fastapi-loadtest-action",
    log: quiet,
    request: { fetch: inTime, log: quiet },
  });
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

/** An empty body, a proxy's page, or half an answer. None of them means "there is none". */
class Foreign extends Error {}

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
  if (data === undefined)
    return { ...unanswered(error), ...(error instanceof Foreign && { isForeign: true as const }) };
  // A proxy's error page is of no use in a sentence.
  const message = typeof data.response.data === "string" ? "" : data.message;
  return { status: data.response.status, headers: data.response.headers, message };
}
