import { endpointsSchema, readEndpoints } from "../config/file/endpoint-forms.ts";
import type { Reply } from "../endpoints/dry-request.ts";
import { operationsOf } from "../endpoints/openapi.ts";
import { materialOf } from "../endpoints/rows.ts";
import { isDocumentation, type SuggestedEndpoint } from "../init/requests/endpoints.ts";
import { type Learned, type LearnedRequest, writtenAs } from "../init/tests/learning.ts";
import { shortenEnd } from "../text/length.ts";
import { replyWords } from "../text/reply-words.ts";
import { visibleLine } from "../text/visible.ts";
import { answersAgain } from "./endpoints.ts";
import { tooSlow } from "./slow.ts";
import type { RunningTrial, TrialRequest } from "./trial.ts";

/** What the learned requests answered. */
export interface RequestTrial {
  /** By method and path in the document. */
  readonly endpoints: ReadonlyMap<string, SuggestedEndpoint>;
  /** The request of each that is measured, by its line. */
  readonly requests: ReadonlyMap<string, TrialRequest>;
}

/** What is deleted goes last, and then the session: other requests may need it. */
function rankOf({ method, template }: LearnedRequest): number {
  return /\b(?:log|sign)[-_]?out\b/i.test(template) ? 4 : ["POST", "PUT", "PATCH", "DELETE"].indexOf(method);
}

/**
 * Sends a request to each route that the tests reached, and says which can be measured.
 *
 * @param renew logs in once more: a password that changed ends the session for all requests after it
 */
export async function tryLearned(
  { routes }: Pick<Learned, "routes">,
  running: RunningTrial,
  wanted: "reading" | "writing",
  renew?: () => Promise<unknown>,
): Promise<RequestTrial> {
  const endpoints = new Map<string, SuggestedEndpoint>();
  const requests = new Map<string, TrialRequest>();
  const documented = new Set(operationsOf(running.document).map(({ method, path }) => `${method} ${path}`));
  const isRead = ({ method }: LearnedRequest) => method === "GET" || method === "HEAD";
  const mine = routes
    .flat()
    .filter((each) => isRead(each) === (wanted === "reading") && !isDocumentation.test(each.template));
  for (const learned of mine.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const name = `${learned.method} ${learned.template}`;
    if (endpoints.get(name)?.reason === undefined && endpoints.has(name)) continue;
    const tried = await tryOne(learned, running, { isTwice: wanted === "writing", renew });
    if (tried.isForeign === true && !documented.has(name)) continue;
    if (tried.reason === undefined) requests.set(tried.line, sentAs(learned));
    if (tried.reason === undefined || !endpoints.has(name)) endpoints.set(name, tried);
  }
  return { endpoints, requests };
}

/** Foreign: the app has no such route. Tests make apps of their own, too. */
async function tryOne(
  learned: LearnedRequest,
  running: RunningTrial,
  { isTwice, renew }: { readonly isTwice: boolean; readonly renew: (() => Promise<unknown>) | undefined },
): Promise<SuggestedEndpoint & { readonly isForeign?: true }> {
  const { method, template, lacks } = learned;
  const line = method === "GET" ? template : `${method} ${template}`;
  const written = { line, form: writtenAs(learned), from: learned.test };
  for (let time = 0; time < (isTwice ? 2 : 1); time += 1) {
    let reply = await running.send(sentAs(learned));
    if (typeof reply !== "string" && reply.status === 401 && renew !== undefined) {
      await renew();
      reply = await running.send(sentAs(learned));
    }
    if (typeof reply === "string") await answersAgain(running);
    const problem = problemOf(reply);
    if (problem === undefined) continue;
    const isForeign = typeof reply !== "string" && (reply.status === 404 || reply.status === 405);
    if (time > 0) return { ...written, reason: `${problem} to the same request again` };
    const reason = lacks === undefined ? problem : `${problem}: ${lacks}`;
    return { ...written, reason, ...(isForeign && { isForeign }) };
  }
  return { ...written, reason: undefined };
}

function problemOf(reply: Reply | string): string | undefined {
  if (typeof reply === "string") return `did not answer: ${shortenEnd(visibleLine(reply), 80)}`;
  if (reply.isEndless === true) return "is a stream without an end: request one that ends, docs/endpoints.md";
  const slow = tooSlow(reply);
  if (slow !== undefined) return slow;
  const said = replyWords(reply.body);
  return reply.status < 300 ? undefined : `answered ${reply.status}${said === "" ? "" : `: ${said}`}`;
}

/** As `run` sends what is written. */
function sentAs(learned: LearnedRequest): TrialRequest {
  const { forms } = readEndpoints(endpointsSchema.parse([writtenAs(learned)]), () => "init");
  const values = Object.fromEntries(Object.entries(learned.params).map(([name, value]) => [name, [value]]));
  const { method, template: path } = learned;
  const [sent] = forms.map((form) => {
    const { headers, rows } = materialOf(form, values);
    return { path, ...rows[0], headers: { ...headers, ...rows[0]?.headers } };
  });
  return { method, path, ...sent };
}
