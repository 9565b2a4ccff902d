import { memberOf } from "../endpoints/openapi-schema.ts";
import type { FoundSetting } from "../init/project.ts";
import type { FirstUser } from "../init/read/variables.ts";
import {
  type Candidate,
  candidatesOf,
  limited,
  type SuggestedEndpoint,
  socketFrom,
  socketsIn,
  socketTrial,
  unknownSocket,
} from "../init/requests/endpoints.ts";
import { accountQueries } from "../init/requests/parameters.ts";
import type { PathValues } from "../init/requests/rows.ts";
import type { Learned } from "../init/tests/learning.ts";
import type { WrittenRow } from "../init/tests/recording.ts";
import { defined } from "../lists/defined.ts";
import { jsonOf } from "../text/json.ts";
import { type Asking, asGiven, chooseAccount, namesIn } from "./account.ts";
import { answersAgain, type EndpointTrial, tryCandidates } from "./endpoints.ts";
import { type RequestTrial, tryLearned } from "./learned.ts";
import { logInAs } from "./login.ts";
import { makeRows } from "./rows.ts";
import { openApiPath, type RunningTrial, type TrialRequest } from "./trial.ts";

/** The facts that an app's own replies show. */
export interface AppTrial {
  readonly document: unknown;
  /** Time until it was ready. */
  readonly startSeconds: number;
  readonly endpoints: readonly SuggestedEndpoint[];
  /** Lines of `seed-request` that make an account and rows. */
  readonly seeding: readonly string[];
  /** The login that works, unless the configuration had one already. */
  readonly login: FoundSetting | undefined;
  /** What the app said when it answered 500; `undefined`: it never did. Foreign text. */
  readonly failing: string | undefined;
  /** Reason why the first user could not be logged in; `undefined`: it could, or there is none. */
  readonly refused: string | undefined;
  /** True when the app refused requests because there were too many. */
  readonly isLimited?: true;
  /** What the database needs so that the new account may log in; absent: nothing. */
  readonly confirming?: readonly WrittenRow[];
}

/**
 * Sends each endpoint that reads one request. Logs in where some ask for it, as the first user of the app's settings
 * or as a new one, and makes rows by the app's own requests where some need them.
 *
 * @param firstUsers of the app's settings, and of its code
 * @param hasLogin true when the configuration says how to log in
 * @param hidden paths that the code names: they count when the document has no endpoint that answers
 */
export async function tryApp(
  started: RunningTrial,
  {
    firstUsers,
    keys = [],
    hasLogin,
    hidden,
    learned = nothingLearned,
  }: {
    /** Values of variables that a client may have to show. */
    readonly keys?: readonly string[];
    readonly firstUsers: readonly FirstUser[];
    readonly hasLogin: boolean;
    readonly hidden: readonly string[];
    /** What the repository's tests show; it counts before any guess. */
    readonly learned?: Learned;
  },
): Promise<AppTrial> {
  const { document, startSeconds } = started;
  const statuses = new Set<number>();
  const send: RunningTrial["send"] = async (request) => {
    const reply = await started.send(request);
    if (typeof reply !== "string") statuses.add(reply.status);
    return reply;
  };
  const running = { ...started, send };
  const found = candidatesOf(document);
  /** What no request of the tests has answered yet, as this account. */
  const guessed: Asking["guessed"] = async (login, reading, isFilled, lists = new Map()) => {
    const isUnknown = ({ endpoint: { method, path } }: Candidate) => {
      const shown = reading.endpoints.get(`${method} ${path}`);
      return shown === undefined || shown.reason !== undefined;
    };
    return await tryCandidates(found.candidates.filter(isUnknown), running, {
      isFilledByRequests: isFilled,
      isLoggedIn: hasLogin || login !== undefined,
      account: await accountOf(running, login),
      lists,
    });
  };
  const asking = { running, guessed, learned };
  const account = hasLogin ? await asGiven(asking) : await chooseAccount(asking, { firstUsers, keys });
  const { login, reading } = account;
  let { tried } = account;
  const seeding = account.made === undefined ? [] : [account.made];
  const identity = identityOf(login, tried);
  const lists = new Map<string, PathValues>();
  for (let pass = 0; running.hasDatabase && pass < deepestRows; pass += 1) {
    const made = await makeRows(running, tried, { before: seeding, identity });
    if (made.lines.length === 0) break;
    seeding.push(...made.lines);
    for (const [list, values] of made.lists) lists.set(list, values);
    tried = await guessed(login, reading, true, lists);
  }
  tried = withLearned(tried, reading);
  const steady = await steadyOf(running, tried);
  const renew = login && (() => logInAs(running, login));
  const writing = await tryLearned(learned, running, "writing", renew);
  const others = found.others.filter(({ line }) => !writing.endpoints.has(line));
  const checked = [...steady, ...writing.endpoints.values(), ...(await trySockets(running))];
  const isNone = checked.every(({ reason }) => reason !== undefined);
  const more = isNone ? await answering(running, hidden) : [];
  const isFailing = [...tried.refusals.values()].some(({ status }) => status === 500);
  return {
    ...{
      document,
      startSeconds,
      endpoints: limited([...more, ...checked, ...others]),
      seeding,
      login,
      refused: account.refused,
    },
    failing: isFailing ? running.log() : account.failing,
    ...defined({ confirming: account.confirming }),
    ...(statuses.has(429) && { isLimited: true }),
  };
}

export const nothingLearned: Learned = {
  routes: [],
  logins: [],
  spare: [],
  rows: [],
  replaced: new Map(),
};

/** Rows of a list below another one's, which has rows by then. */
const deepestRows = 2;

/** A query for the key of the account that logs in, where its table is found. */
async function accountOf(
  { ask, columns }: RunningTrial,
  login: FoundSetting | undefined,
): Promise<string | undefined> {
  for (const query of namesIn(login).flatMap((name) => accountQueries(name, columns)))
    if ((await ask(query)).length === 1) return query;
  return undefined;
}

/** What the logged-in account is called: in the login's fields, and in the app's reply on the account itself. */
function identityOf(login: FoundSetting | undefined, { replies }: EndpointTrial): PathValues {
  const own = [...replies].filter(([path]) =>
    /\/(?:me|self|whoami|profile|user|current[_-]?user)\/?$/.test(path),
  );
  const bodies = own.map(([, { body }]) => jsonOf(body));
  const places = [memberOf(login?.value, "form"), memberOf(login?.value, "json"), ...bodies];
  const fields = [...places, ...bodies.map((each) => memberOf(each, "user"))].flatMap((each) =>
    Object.entries(Object(each)),
  );
  const texts = fields.flatMap(([name, value]) =>
    ["string", "number"].includes(typeof value) && !/password|secret|token/i.test(name)
      ? [[name.replace(/.*\./, ""), String(value)] as const]
      : [],
  );
  return Object.fromEntries(
    texts.flatMap(([name, value]) => [
      [name, value],
      [`user_${name}`, value],
    ]),
  );
}

/** Endpoints as the tests request them, before those that were guessed. A guess that works counts more than a test's request that does not. */
function withLearned(tried: EndpointTrial, { endpoints, requests }: RequestTrial): EndpointTrial {
  const guessed = new Map(tried.endpoints.map((each) => [nameOf(each), each]));
  const learned = [...endpoints].filter(
    ([name, { reason }]) =>
      reason === undefined || guessed.get(name)?.reason !== undefined || !guessed.has(name),
  );
  const names = new Set(learned.map(([name]) => name));
  const others = tried.endpoints.filter((each) => !names.has(nameOf(each)));
  return {
    ...tried,
    endpoints: [...learned.map(([, each]) => each), ...others],
    requests: new Map([...tried.requests, ...requests]),
  };
}

function nameOf({ line }: SuggestedEndpoint): string {
  return `GET ${line.split("?")[0]}`;
}

/** Most WebSockets that are tried: one without an answer takes its time. */
const mostSockets = 5;

async function trySockets(running: RunningTrial): Promise<readonly SuggestedEndpoint[]> {
  const found: SuggestedEndpoint[] = [];
  for (const path of socketsIn(running.document).slice(0, mostSockets)) {
    const sent = { method: "WS", path, messages: socketTrial } as const;
    found.push(unknownSocket(path) ?? socketFrom(path, await running.send(sent)));
  }
  return found;
}

/** Most paths outside of the document that are tried. */
const mostHidden = 20;

/** Those of the paths that answer; the document's own where none does. */
async function answering(
  running: RunningTrial,
  hidden: readonly string[],
): Promise<readonly SuggestedEndpoint[]> {
  const found: SuggestedEndpoint[] = [];
  for (const path of [...new Set([...hidden.slice(0, mostHidden), "/", openApiPath])]) {
    if (path === openApiPath && found.length > 0) continue;
    const reply = await running.send({ method: "GET", path });
    if (typeof reply !== "string" && reply.status < 300) found.push({ line: path, reason: undefined });
  }
  return found;
}

const atOnce = 4;

/** Most endpoints that are requested several times. */
const mostRepeated = 40;

/** Endpoints that answer several requests at once, and all of them alike: any other has no figures. */
async function steadyOf(
  running: RunningTrial,
  { endpoints, requests }: EndpointTrial,
): Promise<readonly SuggestedEndpoint[]> {
  const found: SuggestedEndpoint[] = [];
  let repeated = 0;
  for (const each of endpoints) {
    const request = each.reason === undefined && each.isStream !== true ? requests.get(each.line) : undefined;
    repeated += request === undefined ? 0 : 1;
    if (request === undefined || repeated > mostRepeated) {
      found.push(each);
      continue;
    }
    const reason = await unsteady(running, request);
    // The app has its connections by now.
    const statements =
      reason === undefined ? await running.countStatements(() => running.send(request)) : undefined;
    found.push(reason === undefined ? { ...each, ...defined({ statements }) } : { line: each.line, reason });
  }
  return found;
}

async function unsteady(running: RunningTrial, request: TrialRequest): Promise<string | undefined> {
  const sent = { ...request, isWaiting: true } as const;
  const replies = await Promise.all(Array.from({ length: atOnce }, () => running.send(sent)));
  if (replies.some((reply) => typeof reply === "string")) {
    await answersAgain(running);
    return `did not answer one of ${atOnce} requests at once: too slow to measure`;
  }
  const failed = replies.flatMap((reply) =>
    typeof reply === "string" || reply.status < 400 ? [] : reply.status,
  );
  if (failed.length === 0) return undefined;
  return `answered ${failed[0]} to ${failed.length} of ${atOnce} requests at once, but not to a single one`;
}
