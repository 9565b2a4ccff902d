import type { Endpoint } from "../model/endpoint/endpoint.ts";
import type { Expectation } from "../model/endpoint/form.ts";
import { shortenEnd } from "../text/length.ts";
import { replyWords } from "../text/reply-words.ts";
import { visibleLine } from "../text/visible.ts";

export interface Reply {
  readonly status: number;
  /** The body as text, cut when it is long. Foreign. */
  readonly body: string;
  /** By their names in small letters; absent: nobody asked. */
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  /** Messages through a WebSocket that were answered; absent: nothing was said. */
  readonly answers?: number;
  /** True for a stream of events that did not end; it has no body here. */
  readonly isEndless?: true;
  /** Seconds until it came; absent: nobody asked. */
  readonly seconds?: number;
}

export function isEventStream(contentType: string | undefined): boolean {
  return /^text\/event-stream\b/i.test(contentType ?? "");
}

const longestShown = 160;

/** Any status below 400. */
export const usualExpectation: Expectation = { statuses: [], contains: undefined };

function hasExpectedStatus({ status }: Reply, { statuses }: Expectation): boolean {
  return statuses.length === 0 ? status < 400 : statuses.includes(status);
}

/** What is wrong with a reply, quoted as one line, and what to change; `undefined` if as expected. */
export function dryRequestProblem(
  { method, path }: Endpoint,
  sentPath: string,
  reply: Reply,
  expect: Expectation,
): string | undefined {
  const sent = sentPath === path ? "" : ` (sent as ${shortenEnd(sentPath, longestShown)})`;
  const name = `${method} ${shortenEnd(path, 300)}${sent}`;
  const said = replyWords(reply.body, longestShown);
  const quoted = said === "" ? "" : `: ${said}`;
  if (!hasExpectedStatus(reply, expect)) {
    const wanted = expect.statuses.length === 0 ? "below 400" : expect.statuses.join(" or ");
    return `${name} answered ${reply.status} to a request before the load, not ${wanted}${quoted}; ${remedyFor(reply.status)}`;
  }
  // A WebSocket is only opened before the load: nothing is said through it yet.
  if (expect.contains === undefined || method === "WS" || reply.body.includes(expect.contains))
    return undefined;
  return `${name} answered ${reply.status} without ${JSON.stringify(shortenEnd(expect.contains, longestShown))} in the body${quoted}; correct the request, or \`expect\``;
}

function remedyFor(status: number): string {
  if (status === 401 || status === 403) return "add a header, or set up `login`";
  if (status === 404) return "correct its path, or set `params` that exist in the seeded data";
  if (status === 405) return "correct its method";
  if (status === 400 || status === 415 || status === 422)
    return "add the `query`, `body` or `headers` that the app requires";
  if (status >= 500) return "the app failed; the end of its log shows why";
  return "correct the request, or the expected status (`expect`)";
}

/** Where a reply sends on to, in words: `307 to /plain`; `undefined`: nowhere. */
export function redirectIn({ status, headers = {} }: Reply, baseUrl: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  const [place] = headers["location"] ?? [];
  if (place === undefined) return `${status}`;
  const path = place.startsWith(baseUrl) ? place.slice(baseUrl.length) || "/" : place;
  return `${status} to ${shortenEnd(visibleLine(path), 150)}`;
}
