import { loginSchema, readLogin } from "../config/file/login-form.ts";
import { cookiesIn } from "../endpoints/captures.ts";
import { isClosed } from "../endpoints/closed-reply.ts";
import type { Reply } from "../endpoints/dry-request.ts";
import { memberOf } from "../endpoints/openapi-schema.ts";
import type { FoundSetting } from "../init/project.ts";
import type { FirstUser } from "../init/read/variables.ts";
import {
  type Account,
  accountsIn,
  carriersIn,
  findLogin,
  schemeIn,
  tokenPlacesIn,
  tokenRequestsIn,
} from "../init/requests/accounts.ts";
import type { WrittenRow } from "../init/tests/recording.ts";
import { defined } from "../lists/defined.ts";
import { bodyOfLogin } from "../model/endpoint/login.ts";
import { jsonOf } from "../text/json.ts";
import { replyWords } from "../text/reply-words.ts";
import { tellingLine } from "../text/telling-line.ts";
import { confirmAccounts } from "./confirmation.ts";
import type { EndpointTrial } from "./endpoints.ts";
import { sendLine } from "./rows.ts";
import type { RunningTrial } from "./trial.ts";

/** An endpoint that required a login, and how. */
interface Closed {
  readonly line: string;
  readonly reply: Reply;
}

/** The endpoints that required a login. Code that expects a token may fail without one. */
export function refusedIn({ endpoints, refusals }: EndpointTrial, document: unknown): readonly Closed[] {
  return endpoints
    .flatMap(({ line }) => ({ line, reply: refusals.get(line) ?? noReply }))
    .filter(({ line, reply }) => isClosed(reply) || (reply.status === 500 && isGuarded(document, line)));
}

function isGuarded(document: unknown, path: string): boolean {
  const security = memberOf(memberOf(memberOf(memberOf(document, "paths"), path), "get"), "security");
  return Array.isArray(security) && security.length > 0;
}

const noReply: Reply = { status: 0, body: "" };

export function logInAs(
  running: RunningTrial,
  { value }: Pick<FoundSetting, "value">,
): Promise<string | undefined> {
  return running.logIn(readLogin(loginSchema.parse(value), "init"));
}

/**
 * A new account, when the app gives one to anybody and its token opens what was refused. Without one, what the app said
 * when it answered 500 to somebody who wanted one, as it does with a hash function that does not fit.
 */
export async function newAccount(
  running: RunningTrial,
  tried: EndpointTrial,
): Promise<{
  readonly account?: { readonly line: string; readonly login: FoundSetting };
  readonly failing?: string;
  /** What is refused to an account that can log in. */
  readonly refused?: string;
  /** What the database needs so that a new account may log in. */
  readonly confirming?: readonly WrittenRow[];
}> {
  let failing: string | undefined;
  let refused: string | undefined;
  for (const account of running.hasDatabase ? accountsIn(running.document) : []) {
    const reply = await sendLine(running, account.line);
    if (typeof reply === "string") continue;
    if (reply.status === 500) failing = running.log();
    if (reply.status >= 400) {
      const isThere =
        reply.status !== 404 || !/^\{"detail":"Not Found"\}$|^Not Found$/.test(reply.body.trim());
      if (![401, 403, 405].includes(reply.status) && isThere) refused ??= noAccount(account, reply, failing);
      continue;
    }
    const { value: usual, denied } = await loginOf(running, account, tried);
    const confirming = usual === undefined ? await confirmAccounts(running, account.fields) : undefined;
    const value = confirming === undefined ? usual : (await loginOf(running, account, tried)).value;
    refused ??= denied;
    const reason = "an account that the first seed-request creates";
    if (value !== undefined)
      return {
        account: { line: account.line, login: { key: "login", value, reason } },
        ...defined({ confirming }),
      };
  }
  return { ...defined({ failing, refused }) };
}

function noAccount({ line }: Account, { status, body }: Reply, log = ""): string {
  const said = replyWords(tellingLine(log) ?? body, 160);
  return `no account could be created: ${line.split(" ", 2).join(" ")} answered ${status}${said === "" ? "" : `: ${said}`}`;
}

/** As the document's password flow has it, else by any request that gives a token for a name and a password. */
export async function loginOfFirst(
  running: RunningTrial,
  user: FirstUser,
  tried: EndpointTrial,
): Promise<{ readonly login: FoundSetting | undefined; readonly refused: string | undefined }> {
  const stated = findLogin(running.document, user);
  const refused = stated && (await logInAs(running, stated));
  if (stated !== undefined && refused === undefined) return { login: stated, refused };
  const { setting, password } = user;
  const reason = `the app's own first user (${setting}), by a request that returns a token`;
  for (const username of [user.username, ...(user.others ?? [])]) {
    const { value } = await loginOf(running, { fields: { email: username, username, password } }, tried);
    if (value !== undefined) return { login: { key: "login", value, reason }, refused: undefined };
  }
  return { login: undefined, refused };
}

/** A login that opens what was refused. */
async function loginOf(
  running: RunningTrial,
  account: Pick<Account, "fields">,
  tried: EndpointTrial,
): Promise<{ readonly value?: LoginValue; readonly denied?: string }> {
  const closed = refusedIn(tried, running.document).slice(0, mostClosed);
  let denied: string | undefined;
  for (const { path, kind, fields } of tokenRequestsIn(running.document, account)) {
    const request = { path, encoding: kind, fields, token: "", header: "", scheme: "" };
    const reply = await running.send({ method: "POST", path, ...bodyOfLogin(request) });
    if (typeof reply === "string") continue;
    if (reply.status >= 400) {
      const said = replyWords(reply.body, 120);
      if (said !== "" && reply.status < 500)
        denied ??= `POST ${path} answers ${reply.status} to a new account (${said}); seed an account that may log in, and set up \`login\``;
      continue;
    }
    for (const rest of waysOf(reply, running.document)) {
      if ((await logInAs(running, { value: { path, [kind]: fields, ...rest } })) !== undefined) continue;
      const known = await repliesTo(running, tried, closed);
      const isOpen = ({ now, before }: Answered) =>
        !isClosed(now) && (now.status !== 500 || before.status !== 500);
      if (known.some(isOpen)) return { value: { path, [kind]: fields, ...rest } };
      // Otherwise than to a stranger: this is somebody, who may not.
      const other = known.find(({ now, before }) => now.status === 403 && now.body !== before.body);
      if (other !== undefined) {
        const { line, now: opened } = other;
        denied ??= `${line} answers 403 to a new account (${replyWords(opened.body, 120)}); seed an account that may request it, and set up \`login\``;
      }
    }
  }
  return denied === undefined ? {} : { denied };
}

/** An account may have a right to only some of them. */
const mostClosed = 5;

/** What an endpoint answers now, and what it answered to a stranger. */
interface Answered {
  readonly line: string;
  readonly now: Reply;
  readonly before: Reply;
}

async function repliesTo(running: RunningTrial, { requests }: EndpointTrial, closed: readonly Closed[]) {
  const found: Answered[] = [];
  for (const { line, reply: before } of closed) {
    const request = requests.get(line);
    const now = request === undefined ? "it was not requested" : await running.send(request);
    if (typeof now !== "string") found.push({ line, now, before });
  }
  return found;
}

/** Ways in which what a login's reply gives may be shown, likeliest first: each token of its JSON, each cookie. */
function waysOf(reply: Reply, document: unknown): readonly LoginValue[] {
  const carriers = carriersIn(document);
  const body = jsonOf(reply.body);
  const tokens = tokenPlacesIn(body).flatMap((token) =>
    withOwnScheme(carriers, schemeIn(body)).map((carrier) => withoutUsual({ token, ...carrier })),
  );
  return [...tokens, ...cookiesIn(reply).map((cookie) => ({ token: { cookie } }))];
}

/** An app that compares letters wants its own word as it gives it. */
function withOwnScheme(carriers: ReturnType<typeof carriersIn>, own: string | undefined): typeof carriers {
  if (own === undefined || carriers.some(({ scheme }) => scheme === own)) return carriers;
  const headers = new Set(carriers.flatMap(({ header }) => (header === "Cookie" ? [] : header)));
  return [...carriers, ...[...headers].map((header) => ({ header, scheme: own }))];
}

/** Keys of the configuration's `login`. */
type LoginValue = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

const usual = { token: "access_token", header: "Authorization", scheme: "Bearer" } as const;

function withoutUsual(said: Readonly<Record<keyof typeof usual, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(said).filter(([name, value]) => Reflect.get(usual, name) !== value),
  );
}
