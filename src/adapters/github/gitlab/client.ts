import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { messageOf } from "../../../errors/errors.ts";
import { jsonOf } from "../../../text/json.ts";
import { within } from "../../process/index.ts";
import { bodyWithin } from "../body.ts";
import { GitHubFailure } from "../request-failure.ts";
import { isLimit, type Refusal, type Repeats, waitBeforeRetry } from "../retry.ts";

export interface GitLabClientOptions {
  /** e.g. `https://gitlab.com/api/v4`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly pause?: (ms: number) => Promise<void>;
  readonly timeoutMs?: number;
  /** Ends the current request and all waiting; absent when nobody cancels. */
  readonly signal?: AbortSignal | undefined;
}

export interface Question {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the API's address, with its query. */
  readonly path: string;
  readonly body?: object;
  readonly repeats?: Repeats;
}

export interface GitLabAnswer {
  readonly data: unknown;
  /** Number of the next page of a list; `undefined` at its end. */
  readonly nextPage: number | undefined;
}

/** Far above a hundred notes of ours. */
const mostBytes = 150_000_000;

/** Asks GitLab's API with a limit for each request. It repeats where that is safe, and rejects with `GitHubFailure`. */
export function createGitLabClient(options: GitLabClientOptions) {
  const { apiUrl, token, signal, timeoutMs = 15_000 } = options;
  const pause =
    options.pause ?? ((ms: number) => sleep(ms, undefined, signal && { signal }).catch(() => undefined));
  return { ask, pause };

  async function ask(question: Question): Promise<GitLabAnswer> {
    const { method, path, repeats = "usual" } = question;
    const name = `${method} ${path.split("?")[0]}`;
    if (!/^[\x21-\x7e]+$/.test(token))
      throw new GitHubFailure("the token is empty or has characters that no token has", undefined);
    for (let tries = 1; ; tries++) {
      const answered = await askOnce(question);
      if (!("refusal" in answered)) return answered;
      if (signal?.aborted) throw new GitHubFailure("cancelled before GitLab had answered", undefined);
      const { refusal } = answered;
      const waitMs = waitBeforeRetry(refusal, method, tries, Date.now(), repeats);
      if (waitMs === undefined) {
        const said = refusal.status === undefined ? "got no answer" : `was answered with ${refusal.status}`;
        const words = refusal.message.replaceAll(token, "***");
        throw new GitHubFailure(`\`${name}\` ${said}${words === "" ? "" : ` (${words})`}`, refusal.status, {
          isLimit: isLimit(refusal),
        });
      }
      await pause(waitMs);
    }
  }

  async function askOnce({
    method,
    path,
    body,
  }: Question): Promise<GitLabAnswer | { readonly refusal: Refusal }> {
    try {
      return await within({ ms: timeoutMs, signal }, async (until) => {
        const response = await fetch(`${apiUrl}${path}`, {
          method,
          headers: {
            "private-token": token,
            accept: "application/json",
            "user-agent": "fastapi-loadtest-action",
            ...(body !== undefined && { "content-type": "application/json" }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          redirect: "error", // the token goes nowhere else
          signal: until,
        });
        const text = response.body === null ? "" : await textOf(response.body);
        const data = jsonOf(text);
        const headers = Object.fromEntries(response.headers);
        if (response.ok) return { data, nextPage: pageIn(headers["x-next-page"]) };
        return { refusal: { status: response.status, headers, message: messageIn(data) } };
      });
    } catch (error) {
      return { refusal: { status: undefined, headers: {}, message: oneLine(messageOf(error)) } };
    }
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const whole = await bodyWithin(body, mostBytes);
  if (whole === undefined) throw new Error(`the answer has more than ${mostBytes} bytes`);
  return whole.toString("utf8");
}

function pageIn(header: string | undefined): number | undefined {
  return header !== undefined && /^[1-9]\d{0,6}$/.test(header) ? Number(header) : undefined;
}

const said = z.object({ message: z.string().optional(), error: z.string().optional() });

function messageIn(data: unknown): string {
  const { message, error } = said.safeParse(data).data ?? {};
  return oneLine(message ?? error ?? "");
}

/** GitLab's words, or a proxy's: cut, and without anything that could start a line or markup of its own. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .replace(/[`<>|@]/g, "'")
    .trim()
    .slice(0, 300);
}
