import { isEventStream, type Reply, redirectIn } from "../endpoints/dry-request.ts";
import { materialOf, type ParameterValues } from "../endpoints/rows.ts";
import {
  type Candidate,
  invented,
  type SuggestedEndpoint,
  type WrittenParameter,
} from "../init/requests/endpoints.ts";
import {
  guessesFor,
  isAnswerToAll,
  isEmptyList,
  listPaths,
  ownQueriesFor,
  queriesFor,
  valuesInList,
} from "../init/requests/parameters.ts";
import { isRandomKey, type PathValues, withoutSlash } from "../init/requests/rows.ts";
import type { EndpointForm } from "../model/endpoint/form.ts";
import { redirectRemedy } from "../model/measurement/redirects.ts";
import { jsonOf } from "../text/json.ts";
import { shortenEnd } from "../text/length.ts";
import { replyWords } from "../text/reply-words.ts";
import { exceptionIn } from "../text/telling-line.ts";
import { visibleLine } from "../text/visible.ts";
import { tooSlow } from "./slow.ts";
import type { RunningTrial, TrialRequest } from "./trial.ts";

/** The largest number of endpoints that are tried. */
const mostTried = 150;

/** What the endpoints that read answered. */
export interface EndpointTrial {
  readonly endpoints: readonly SuggestedEndpoint[];
  /** Replies of endpoints without parameters, by their paths. */
  readonly replies: ReadonlyMap<string, Reply>;
  /** What failed, by its path in the document. */
  readonly refusals: ReadonlyMap<string, Reply>;
  /** Paths in the document that need rows, and of lists without any. */
  readonly lacking: readonly string[];
  /** The request that each was sent, by its path in the document. */
  readonly requests: ReadonlyMap<string, TrialRequest>;
}

/**
 * Sends each endpoint one request and says which can be measured, with parameters that exist.
 */
export async function tryCandidates(
  candidates: readonly Candidate[],
  running: RunningTrial,
  circumstances: TrialCircumstances,
): Promise<EndpointTrial> {
  const replies = new Map<string, Reply>();
  const requests = new Map<string, TrialRequest>();
  const refusals = new Map<string, Reply>();
  const lacking: string[] = [];
  const found = new Map<Candidate, SuggestedEndpoint>();
  const said = { replies, requests, refusals, lacking };
  const trials = { ...said, ...circumstances };
  const tried = candidates.slice(0, mostTried);
  // Lists first: their items give the parameters of the others.
  for (const each of tried.toSorted((a, b) => a.names.length - b.names.length))
    found.set(each, await tryOne(each, running, trials));
  return { endpoints: tried.flatMap((each) => found.get(each) ?? []), ...said };
}

interface TrialCircumstances {
  /** True when each arm's app makes the rows, and with them their keys. */
  readonly isFilledByRequests: boolean;
  readonly isLoggedIn: boolean;
  /** A query for the key of the account; absent where it is not known. */
  readonly account?: string | undefined;
  /** Lists that were filled, with the values of their own paths' parameters. */
  readonly lists: ReadonlyMap<string, PathValues>;
}

interface Trials extends TrialCircumstances {
  readonly replies: Map<string, Reply>;
  readonly requests: Map<string, TrialRequest>;
  readonly refusals: Map<string, Reply>;
  readonly lacking: string[];
}

async function tryOne(
  { endpoint, form, names, lacks: unstated }: Candidate,
  running: RunningTrial,
  { replies, requests, refusals, lacking, isFilledByRequests, isLoggedIn, account, lists }: Trials,
): Promise<SuggestedEndpoint> {
  const line = endpoint.path;
  const isInvented = unstated !== undefined; // and finds no row, whatever there is
  const lacks = (free: readonly string[]) => {
    lacking.push(line);
    return { line, reason: lackOf(free) };
  };
  const { filled, free } = await valuesOf({ endpoint, form, names }, running, {
    ...{ replies, lists, account, isFilledByRequests },
  });
  const guesses = guessesFor(running.document, line, free);
  const request = requestFor(form, filled, guesses?.map(([name, first]) => [name, first]) ?? []);
  requests.set(line, request);
  if (guesses === undefined) return lacks(free);
  // Keys that come from a query are queried anew.
  const isFixed = ({ values, written }: Filled) => Array.isArray(written) && values.every(isRandomKey);
  if (isFilledByRequests && [...filled.values()].some(isFixed))
    return { line, reason: "has random keys, which differ between the versions: seed them in an SQL file" };
  const logged = running.log();
  const reply = await running.send(request);
  if (typeof reply === "string") {
    await answersAgain(running);
    return { line, reason: `did not answer: ${shortenEnd(visibleLine(reply), 80)}` };
  }
  if (reply.isEndless === true)
    return { line, reason: "is a stream without an end: request one that ends, docs/endpoints.md" };
  const slow = tooSlow(reply);
  if (slow !== undefined) return { line, reason: slow };
  if (names.length === 0 && reply.status < 300) replies.set(line, reply);
  if (reply.status < 300 && !isInvented && isEmptyList(jsonOf(reply.body))) lacking.push(line);
  if (reply.status === 404 && free.length > 0) return lacks(free);
  if (reply.status >= 400) {
    refusals.set(line, reply);
    if (reply.status === 404 && !isInvented) lacking.push(line); // also a list without rows, in some apps
    if (isInvented && ![401, 403].includes(reply.status)) return { line, reason: unstated };
    if (reply.status >= 500) await answersAgain(running); // a server logs an exception after its response
    const raised = running.log() === logged ? undefined : exceptionIn(running.log());
    const isForbidden = isLoggedIn && reply.status === 403;
    return { line, reason: refusal(reply, { isFilled: filled.size > 0, isForbidden, raised }) };
  }
  const redirect = redirectIn(reply, running.baseUrl);
  if (redirect !== undefined)
    return { line, reason: `answers ${redirect}: ${redirectRemedy(line, redirect)}` };
  if (free.length > 0) {
    const other = requestFor(
      form,
      filled,
      guesses.map(([name, , second]) => [name, second]),
    );
    if (!isAnswerToAll(reply, await running.send(other), guesses)) return lacks(free);
  }
  const written = [
    ...[...filled].map(([name, each]) => [name, each.written] as const),
    ...guesses.map(([name, first]) => [name, [first]] as const),
  ];
  const isStream = isEventStream(reply.headers?.["content-type"]?.[0]);
  const measured = { reason: undefined, ...(isStream && { isStream }) };
  const whole = form.endpoint.path; // with the query that it requires
  requests.set(whole, request);
  if (written.length === 0) return { line: whole, ...measured };
  return { line: whole, params: Object.fromEntries(written), ...measured };
}

const mostWaits = 3;

/** An endpoint that keeps the whole app busy must not make the endpoints after it fail. */
export async function answersAgain(running: RunningTrial): Promise<void> {
  for (let wait = 0; wait < mostWaits; wait += 1)
    if (typeof (await running.send({ method: "GET", path: "/", isWaiting: true })) !== "string") return;
}

function lackOf(free: readonly string[]): string {
  const named = free.map((each) => `${/^[aeiou]/i.test(each) ? "an" : "a"} ${each}`);
  return `needs ${named.join(" and ")} that exists: seed one, or set \`params\``;
}

function requestFor(
  form: EndpointForm,
  filled: ReadonlyMap<string, Filled>,
  guessed: readonly (readonly [name: string, value: string | number])[],
): TrialRequest {
  const guesses = new Map(guessed);
  const values: ParameterValues = Object.fromEntries(
    Object.entries(form.params).map(([name, source]) => {
      const guess = guesses.get(name);
      const stated = source.kind === "list" ? source.values : [];
      return [name, filled.get(name)?.values ?? (guess === undefined ? stated : [guess])];
    }),
  );
  const { rows, headers } = materialOf(form, values);
  return { method: "GET", path: rows[0]?.path ?? form.endpoint.path, headers };
}

interface Filled {
  readonly values: readonly (string | number)[];
  readonly written: WrittenParameter;
}

/** Values of the parameters that have no stated value, and the names of those for which nothing exists. */
async function valuesOf(
  { endpoint, form, names }: Candidate,
  running: RunningTrial,
  known: Pick<Trials, "replies" | "lists" | "account" | "isFilledByRequests">,
): Promise<{ readonly filled: ReadonlyMap<string, Filled>; readonly free: readonly string[] }> {
  const filled = new Map<string, Filled>();
  const free: string[] = [];
  for (const name of names) {
    const source = form.params[name];
    if (source?.kind !== "list" || source.values[0] !== invented) continue;
    const found = await existing(endpoint.path, name, running, known);
    if (found === undefined) free.push(name);
    else filled.set(name, found);
  }
  return { filled, free };
}

/** With fewer rows of the account's own, those of everybody are tried. */
const fewestOwn = 5;

/** Values of a parameter that exist: where rows were made, in the database, else in the list next to it. */
async function existing(
  path: string,
  name: string,
  running: RunningTrial,
  {
    replies,
    lists,
    account,
    isFilledByRequests,
  }: Pick<Trials, "replies" | "lists" | "account" | "isFilledByRequests">,
): Promise<Filled | undefined> {
  const [, made] = [...lists].find(([list]) => `${path}/`.startsWith(`${withoutSlash(list)}/`)) ?? [];
  const named = made?.[name];
  if (named !== undefined) return { values: [named], written: [named] };
  const upTo = path.slice(0, path.indexOf(`{${name}}`) + name.length + 2);
  const fewest = isFilledByRequests ? 1 : fewestOwn; // a trial makes one row, a run twenty
  const own = account === undefined ? [] : ownQueriesFor(upTo, name, running.columns, account);
  for (const query of [...own, ...queriesFor(upTo, name, running.columns)]) {
    const values = (await running.ask(query)).map((each) => (typeof each === "number" ? each : String(each)));
    if (values.length >= (own.includes(query) ? fewest : 1)) return { values, written: { sql: query } };
  }
  for (const list of listPaths(upTo)) {
    const reply = replies.get(list);
    const values = reply === undefined ? [] : valuesInList(upTo, name, jsonOf(reply.body));
    if (values.length > 0) return { values, written: values };
  }
  return undefined;
}

interface Circumstances {
  readonly isFilled: boolean;
  /** True when the account of the login may not. */
  readonly isForbidden: boolean;
  /** The exception that the app logged meanwhile. */
  readonly raised: string | undefined;
}

function refusal({ status, body }: Reply, { isFilled, isForbidden, raised }: Circumstances): string {
  const said =
    status >= 500 && raised !== undefined ? shortenEnd(visibleLine(raised), 160) : replyWords(body);
  const quoted = said === "" ? "" : `: ${said}`;
  if (isForbidden)
    return `needs an account with more rights (${status}${quoted}): seed one, and set \`login\``;
  if (status === 401 || status === 403) return `needs a login (${status}${quoted}); set up \`login\``;
  if (status === 404 && isFilled) return "needs something that exists: seed it, or set `params`";
  return `answered ${status}${quoted}`;
}
