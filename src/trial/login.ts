import { loginSchema, readLogin } from "../config/file/login-form.ts";
import { cookiesIn } from "../endpoints/captures.ts";
import type { Reply } from "../endpoints/dry-request.ts";
import type { FoundSetting, Identities } from "../init/project.ts";
import type { FirstUser } from "../init/read/users.ts";
import {
  type Account,
  accountsIn,
  carriersIn,
  findLogin,
  tokenPlacesIn,
  tokenRequestsIn,
} from "../init/requests/accounts.ts";
import { bodyOfLogin } from "../model/endpoint/login.ts";
import { jsonOf } from "../text/json.ts";
import { shortenEnd } from "../text/length.ts";
import { visibleLine } from "../text/visible.ts";
import type { TriedEndpoints } from "./endpoints.ts";
import { sendLine } from "./rows.ts";
import type { RunningTrial } from "./trial.ts";

/** The first endpoint that required a login, and how. */
export function firstRefused({
  endpoints,
  refusals,
}: TriedEndpoints): { readonly line: string; readonly reply: Reply } | undefined {
  return endpoints
    .flatMap(({ line }) => ({ line, reply: refusals.get(line) ?? noReply }))
    .find(({ reply }) => [401, 403].includes(reply.status));
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
    const reason = "an account that the first seed-request creates";
    if (value !== undefined)
      return { account: { line: account.line, login: { key: "login", value, reason } } };
  }
  return { ...(failing !== undefined && { failing }), ...(refused !== undefined && { refused }) };
}

/** The login of all users that a file lists, when the first of them can log in. */
export async function loginOfAll(
  running: RunningTrial,
  { path, first, columns }: Identities,
  tried: TriedEndpoints,
): Promise<FoundSetting | undefined> {
  const { value } = await loginOf(running, { fields: first }, tried, { fields: columns });
  if (value === undefined) return undefined;
  const reason = `${path} lists users with passwords, and each virtual user is one of them`;
  return { key: "login", value: { ...value, users: { csv: path } }, reason };
}

/** As the document's password flow has it, else by any request that gives a token for a name and a password. */
export async function loginOfFirst(
  running: RunningTrial,
  user: FirstUser,
  tried: TriedEndpoints,
): Promise<{ readonly login: FoundSetting | undefined; readonly refused: string | undefined }> {
  const stated = findLogin(running.document, user);
  const refused = stated && (await logInAs(running, stated));
  if (stated !== undefined && refused === undefined) return { login: stated, refused };
  const { setting, username, password } = user;
  const { value } = await loginOf(running, { fields: { email: username, username, password } }, tried);
  const reason = `the app's own first user (${setting}), by a request that returns a token`;
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
      // Otherwise than to a stranger: this is somebody, who may not.
      if (opened.status === 403 && opened.body !== first?.reply.body)
        denied = `${first?.line} answers 403 to a new account (${shortenEnd(visibleLine(opened.body), 120)}); seed an account that may request it, and set up \`login\``;
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
