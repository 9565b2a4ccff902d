import type { Reply } from "../endpoints/dry-request.ts";
import { memberOf } from "../endpoints/openapi-schema.ts";
import { shortenEnd } from "../text/length.ts";
import { visibleLine } from "../text/visible.ts";
import type { SuggestedEndpoint } from "./endpoints.ts";

/** Paths of an app's WebSockets, as they stand beside its OpenAPI document. */
export function socketsIn(document: unknown): readonly string[] {
  const listed = memberOf(document, "x-websockets");
  if (!Array.isArray(listed)) return [];
  const paths = listed.filter((each) => typeof each === "string" && /^\/[!-~]{0,500}$/.test(each));
  return [...new Set(paths.map(String))];
}

/** What a user says without a body of its own; twice, because a server may greet before it answers. */
export const socketTrial = ["ping", "ping"] as const;

/** Judges the reply to a WebSocket's trial: it can be measured as it is if it answers all that is said. */
export function triedSocket(path: string, reply: Reply | string): SuggestedEndpoint {
  const line = lineOf(path);
  const because = (reason: string) => ({ line, reason });
  if (typeof reply === "string") return because(`could not be opened: ${shortenEnd(visibleLine(reply), 80)}`);
  const { status, answers = 0 } = reply;
  if (status === 101 && answers >= socketTrial.length) return { line, reason: undefined };
  if (status === 101)
    return because("opens, but has no answer to `ping`: say what is sent (`body`), docs/endpoints.md");
  if (status === 401 || status === 403) return because(`asks for a login (${status}); say how (\`login\`)`);
  return because(`could not be opened (${status})`);
}

/** One that cannot be tried, because nobody knows a value for its path; `undefined` for all others. */
export function unknownSocket(path: string): SuggestedEndpoint | undefined {
  const [, name] = /\{(\w+)/.exec(path) ?? [];
  return name === undefined ? undefined : { line: lineOf(path), reason: `needs a ${name}: say \`params\`` };
}

/** Those of an app that could not be started. */
export function untriedSockets(document: unknown): readonly SuggestedEndpoint[] {
  return socketsIn(document).map(
    (path) => unknownSocket(path) ?? { line: lineOf(path), reason: "was not tried" },
  );
}

function lineOf(path: string): string {
  return `WS ${path}`;
}
