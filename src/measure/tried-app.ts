import { loginSchema, readLogin } from "../config/file/login-form.ts";
import { cookiesIn } from "../endpoints/captures.ts";
import type { Reply } from "../endpoints/dry-request.ts";
import { type Account, accountsIn, carriersIn, tokenPlacesIn, tokenRequestsIn } from "../init/accounts.ts";
import { candidatesOf, limited, type SuggestedEndpoint } from "../init/endpoints.ts";
import type { Identities } from "../init/identities.ts";
import { type FirstUser, findLogin } from "../init/login.ts";
import { socketsIn, socketTrial, triedSocket, unknownSocket } from "../init/sockets.ts";
import type { FoundSetting } from "../init/source-file.ts";
import { bodyOfLogin } from "../model/endpoint/login.ts";
import { jsonOf } from "../text/json.ts";
import { shortenEnd } from "../text/length.ts";
import { visibleLine } from "../text/visible.ts";
import type { RunningTrial } from "./trial.ts";
import { type TriedEndpoints, tryCandidates } from "./tried-endpoints.ts";
import { makeRows, sendLine } from "./tried-rows.ts";

/** The facts that an app's own replies show. */
export interface TriedApp {
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
  /** Requests to one endpoint after which the app answered 429; `undefined`: it did not. */
  readonly limit: number | undefined;
  /** Reason why the first user could not be logged in; `undefined`: it could, or there is none. */
  readonly refused: string | undefined;
}

/** Rows of rows: an article has to be there before its comments. */
const mostWaves = 3;

/**
 * Sends each endpoint that reads one request. Logs in where some ask for it, as the users of a file, as the first user of
 * the app's settings or as a new one, and makes rows by the app's own requests where some need them.
 *
 * @param identities users that a file lists
 * @param firstUser of the app's settings
 * @param hasLogin true when the configuration says how to log in
 * @param hidden paths that the code names: they count when the document has no endpoint that answers
 */
export async function tryApp(
  running: RunningTrial,
  {
    identities,
    firstUser,
    hasLogin,
    hidden,
  }: {
    readonly identities: Identities | undefined;
    readonly firstUser: FirstUser | undefined;
    readonly hasLogin: boolean;
    readonly hidden: readonly string[];
  },
): Promise<TriedApp> {
  const { document, startSeconds } = running;
  const { candidates, others } = candidatesOf(document);
  const seeding: string[] = [];
  const again = () => tryCandidates(candidates, running, { isFilledByRequests: seeding.length > 0 });
  let tried = await again();
  let [login, refused]: [FoundSetting | undefined, string | undefined] = [undefined, undefined];
  let failing: string | undefined;
  if (!hasLogin && firstRefused(tried) !== undefined) {
    login = identities && (await loginOfAll(running, identities, tried));
    if (login === undefined) {
      ({ login, refused } = firstUser ? await loginOfFirst(running, firstUser, tried) : { login, refused });
    }
    const made = login === undefined ? await newAccount(running, tried) : {};
    failing = made.failing;
    refused ??= made.refused;
    if (made.account !== undefined) {
      seeding.push(made.account.line);
      login = made.account.login;
    }
    if (login !== undefined) tried = await again();
  }
  for (let wave = 0; running.hasDatabase && wave < mostWaves; wave += 1) {
    const made = await makeRows(running, tried, seeding);
    if (made.length === 0) break;
    seeding.push(...made);
    tried = await again();
  }
  const asked = [...tried.endpoints, ...(await trySockets(running))];
  const isNone = asked.every(({ reason }) => reason !== undefined);
  const more = isNone ? await answering(running, hidden) : [];
  const isFailing = tried.endpoints.some(({ reason = "" }) => reason.startsWith("answered 500"));
  return {
    ...{
      document,
      startSeconds,
      endpoints: limited([...more, ...asked, ...others]),
      seeding,
      login,
      refused,
    },
    failing: isFailing ? running.log() : failing,
    limit: await limitOf(running, tried),
  };
}

/** As many as the usual limits allow in a minute, and some more. */
const burst = { rounds: 19, atOnce: 8 } as const;

/** How many requests the app answers before it refuses more of them, when it does so within a burst. */
async function limitOf(running: RunningTrial, tried: TriedEndpoints): Promise<number | undefined> {
  const first = tried.endpoints.find(({ reason, line }) => reason === undefined && tried.requests.has(line));
  const request = first && tried.requests.get(first.line);
  let answered = 0;
  for (let round = 0; request !== undefined && round < burst.rounds; round += 1) {
    const replies = await Promise.all(Array.from({ length: burst.atOnce }, () => running.send(request)));
    const refused = replies.filter((reply) => typeof reply !== "string" && reply.status === 429);
    answered += replies.length - refused.length;
    if (refused.length > 0) return answered;
  }
  return undefined;
}

/** Most WebSockets that are tried: one without an answer takes its time. */
const mostSockets = 5;

async function trySockets(running: RunningTrial): Promise<readonly SuggestedEndpoint[]> {
  const found: SuggestedEndpoint[] = [];
  for (const path of socketsIn(running.document).slice(0, mostSockets)) {
    const sent = { method: "WS", path, messages: socketTrial } as const;
    found.push(unknownSocket(path) ?? triedSocket(path, await running.send(sent)));
  }
  return found;
}

/** Usual path of the document. */
export const openApiPath = "/openapi.json";

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

/** An endpoint that asked for a login. */
function firstRefused({ endpoints }: TriedEndpoints): SuggestedEndpoint | undefined {
  return endpoints.find(({ reason = "" }) => reason.includes("asks for a login"));
}

function logInAs(running: RunningTrial, { value }: Pick<FoundSetting, "value">): Promise<string | undefined> {
  return running.logIn(readLogin(loginSchema.parse(value), "init"));
}

/**
 * A new account, when the app gives one to anybody and its token opens what was refused. Without one, what the app said
 * when it answered 500 to somebody who wanted one, as it does with a hash function that does not fit.
 */
async function newAccount(
  running: RunningTrial,
  tried: TriedEndpoints,
): Promise<{
  readonly account?: { readonly line: string; readonly login: FoundSetting };
  readonly failing?: string;
  /** What is refused to an account that can log in. */
  readonly refused?: string;
}> {
  let failing: string | undefined;
  let refused: string | undefined;
  for (const account of running.hasDatabase ? accountsIn(running.document) : []) {
    const reply = await sendLine(running, account.line);
    if (typeof reply === "string") continue;
    if (reply.status === 500) failing = running.log();
    if (reply.status >= 400) continue;
    const { value, denied } = await loginOf(running, account, tried);
    refused ??= denied;
    const reason = "an account that the first seed-request makes";
    if (value !== undefined)
      return { account: { line: account.line, login: { key: "login", value, reason } } };
  }
  return { ...(failing !== undefined && { failing }), ...(refused !== undefined && { refused }) };
}

/** The login of all users that a file lists, when the first of them can log in. */
async function loginOfAll(
  running: RunningTrial,
  { path, first, columns }: Identities,
  tried: TriedEndpoints,
): Promise<FoundSetting | undefined> {
  const { value } = await loginOf(running, { fields: first }, tried, { fields: columns });
  if (value === undefined) return undefined;
  const reason = `${path} lists users with their passwords: each virtual user is one of them`;
  return { key: "login", value: { ...value, users: { csv: path } }, reason };
}

/** As the document's password flow has it, else by any request that gives a token for a name and a password. */
async function loginOfFirst(
  running: RunningTrial,
  user: FirstUser,
  tried: TriedEndpoints,
): Promise<{ readonly login: FoundSetting | undefined; readonly refused: string | undefined }> {
  const stated = findLogin(running.document, user);
  const refused = stated && (await logInAs(running, stated));
  if (stated !== undefined && refused === undefined) return { login: stated, refused };
  const { setting, username, password } = user;
  const { value } = await loginOf(running, { fields: { email: username, username, password } }, tried);
  const reason = `the app's own first user (${setting}), by a request that gives a token`;
  return value === undefined
    ? { login: undefined, refused }
    : { login: { key: "login", value, reason }, refused: undefined };
}

/** A login that opens what was refused. `written`: as it is written down; absent: as it is. */
async function loginOf(
  running: RunningTrial,
  account: Pick<Account, "fields">,
  tried: TriedEndpoints,
  written = account,
): Promise<{ readonly value?: LoginValue; readonly denied?: string }> {
  const first = firstRefused(tried);
  const closed = tried.requests.get(first?.line ?? "");
  let denied: string | undefined;
  const asWritten = tokenRequestsIn(running.document, written);
  for (const [index, { path, kind, fields }] of tokenRequestsIn(running.document, account).entries()) {
    const asked = { path, encoding: kind, fields, token: "", header: "", scheme: "" };
    const reply = await running.send({ method: "POST", path, ...bodyOfLogin(asked) });
    if (typeof reply === "string" || reply.status >= 400 || closed === undefined) continue;
    for (const rest of waysOf(reply, running.document)) {
      if ((await logInAs(running, { value: { path, [kind]: fields, ...rest } })) !== undefined) continue;
      const opened = await running.send(closed);
      if (typeof opened === "string") continue;
      if (opened.status !== 401 && opened.status !== 403)
        return { value: { path, [kind]: asWritten[index]?.fields ?? fields, ...rest } };
      const said = shortenEnd(visibleLine(opened.body), 120);
      // Otherwise than to a stranger: this is somebody, who may not.
      if (opened.status === 403 && first?.reason?.includes(said.slice(0, 40)) === false)
        denied = `${first.line} answers 403 to a new account (${said}); seed one that may ask for it, and say how it logs in (\`login\`)`;
    }
  }
  return denied === undefined ? {} : { denied };
}

/** Ways in which what a login's reply gives may be shown, likeliest first: each token of its JSON, each cookie. */
function waysOf(reply: Reply, document: unknown): readonly LoginValue[] {
  const carriers = carriersIn(document);
  const tokens = tokenPlacesIn(jsonOf(reply.body)).flatMap((token) =>
    carriers.map((carrier) => withoutUsual({ token, ...carrier })),
  );
  return [...tokens, ...cookiesIn(reply).map((cookie) => ({ token: { cookie } }))];
}

/** Keys of the configuration's `login`. */
type LoginValue = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

const usual = { token: "access_token", header: "Authorization", scheme: "Bearer" } as const;

function withoutUsual(said: Readonly<Record<keyof typeof usual, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(said).filter(([name, value]) => Reflect.get(usual, name) !== value),
  );
}
