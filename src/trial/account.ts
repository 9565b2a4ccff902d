import { memberOf } from "../endpoints/openapi-schema.ts";
import type { FoundSetting } from "../init/project.ts";
import type { FirstUser } from "../init/read/variables.ts";
import { keyHeadersIn } from "../init/requests/accounts.ts";
import type { Learned } from "../init/tests/learning.ts";
import type { WrittenRow } from "../init/tests/recording.ts";
import type { EndpointTrial } from "./endpoints.ts";
import { type RequestTrial, tryLearned } from "./learned.ts";
import { logInAs, loginOfFirst, newAccount, refusedIn } from "./login.ts";
import { promote } from "./promotion.ts";
import type { MadeRows } from "./rows.ts";
import type { RunningTrial } from "./trial.ts";

/** What the app answers to one account. */
interface Answers {
  /** To the requests of the tests. */
  readonly reading: RequestTrial;
  /** To requests for what those do not show. */
  readonly tried: EndpointTrial;
}

/** The app, and what to ask it. */
export interface Asking {
  readonly running: RunningTrial;
  readonly learned: Learned;
  /** Asks for what the tests do not show. @param isFilled true when requests made rows */
  guessed(
    login: FoundSetting | undefined,
    reading: RequestTrial,
    isFilled: boolean,
    lists?: MadeRows["lists"],
  ): Promise<EndpointTrial>;
}

/** The account to which most endpoints answer, and what it takes to have it. */
interface ChosenAccount extends Answers {
  /** `undefined`: nobody, or the configuration has one. */
  readonly login: FoundSetting | undefined;
  /** Line of `seed-request` that makes it. */
  readonly made?: string | undefined;
  /** What the database needs so that it may log in, or may do more. */
  readonly confirming?: readonly WrittenRow[] | undefined;
  /** Reason why nobody could be logged in; absent: somebody was, or nobody has to be. */
  readonly refused?: string | undefined;
  /** What the app said when it failed to make one: foreign text. */
  readonly failing?: string | undefined;
}

/** The account of the configuration, which is logged in already. */
export async function asGiven(asking: Asking): Promise<ChosenAccount> {
  return { login: undefined, ...(await answersTo(asking, undefined)) };
}

async function answersTo(
  { running, learned, guessed }: Asking,
  login: FoundSetting | undefined,
  isFilled = false,
): Promise<Answers> {
  const reading = await tryLearned(learned, running, "reading");
  return { reading, tried: await guessed(login, reading, isFilled) };
}

/** Logs in as an account of the tests, by a key of the app's variables, as its first user or as somebody new. */
export async function chooseAccount(
  asking: Asking,
  { firstUsers, keys }: { readonly firstUsers: readonly FirstUser[]; readonly keys: readonly string[] },
): Promise<ChosenAccount> {
  const { running, learned, guessed } = asking;
  const { document } = running;
  const opened = await openLearned(learned, running);
  let account: ChosenAccount = {
    ...opened,
    tried: await guessed(opened.login, opened.reading, false),
  };
  const isClosed = () => refusedIn(account.tried, document).length > 0;
  /** Takes another login where more answers to it. */
  const takes = async (login: FoundSetting) => {
    const answers = await answersTo(asking, login, account.made !== undefined);
    const isTaken = isMore(answers, account, document);
    if (isTaken) account = { ...account, ...answers, login, refused: undefined };
    return isTaken;
  };
  if (account.login === undefined && isClosed()) {
    for (const login of [...learned.spare, ...keyLogins(document, keys)])
      if ((await logInAs(running, login)) === undefined && (await takes(login))) break;
    if (account.login === undefined) running.logOut();
  }
  const { login: known } = account;
  if (known === undefined && isClosed()) account = await firstOrNew(asking, account, firstUsers);
  else if (known !== undefined && firstUsers.length > 0 && isClosed()) {
    const { login } = await loginOfAny(running, firstUsers, account.tried);
    if (login === undefined || !(await takes(login))) await logInAs(running, known);
  }
  const { login } = account;
  const promoted = login && (await promotedAs(login, running, account.tried));
  if (login === undefined || promoted === undefined) return account;
  if (await takes(login))
    return { ...account, confirming: [...(account.confirming ?? []), ...promoted.rows] };
  await promoted.undo();
  await logInAs(running, login);
  return account;
}

/** True when more answers, or as much and less is refused: what it lacks are rows. */
function isMore(now: Answers, before: Answers, document: unknown): boolean {
  const answering = ({ reading, tried }: Answers) => answeringIn(reading) + openIn(tried);
  const more = answering(now) - answering(before);
  const isOpener = refusedIn(now.tried, document).length < refusedIn(before.tried, document).length;
  return more > 0 || (more === 0 && isOpener);
}

async function firstOrNew(
  asking: Asking,
  account: ChosenAccount,
  firstUsers: readonly FirstUser[],
): Promise<ChosenAccount> {
  const { running } = asking;
  const { tried } = account;
  const first = await loginOfAny(running, firstUsers, tried);
  const own = first.login === undefined ? await newAccount(running, tried) : {};
  const login = first.login ?? own.account?.login;
  const { failing, confirming } = own;
  const refused = account.refused ?? first.refused ?? own.refused;
  if (login === undefined) {
    running.logOut(); // a token that opens nothing may close something
    return { ...account, failing, confirming, refused };
  }
  const made = own.account?.line;
  const answers = await answersTo(asking, login, made !== undefined);
  return { ...answers, login, made, failing, confirming };
}

/** The first of the app's own users who can log in; else why the first of them cannot. */
async function loginOfAny(
  running: RunningTrial,
  users: readonly FirstUser[],
  tried: EndpointTrial,
): ReturnType<typeof loginOfFirst> {
  let refused: string | undefined;
  for (const user of users) {
    const found = await loginOfFirst(running, user, tried);
    if (found.login !== undefined) return found;
    refused ??= found.refused;
  }
  return { login: undefined, refused };
}

interface Opened {
  readonly login: FoundSetting | undefined;
  /** Reason why nobody could be logged in; `undefined`: somebody was, or the tests log nobody in. */
  readonly refused: string | undefined;
  readonly reading: RequestTrial;
}

/** Logs in as the account of the tests for which most of what they read answers. */
async function openLearned(learned: Learned, running: RunningTrial): Promise<Opened> {
  const opened: Opened[] = [];
  let refused: string | undefined;
  for (const login of learned.logins) {
    const problem = await logInAs(running, login);
    refused ??= problem;
    if (problem !== undefined) continue;
    const reading = await tryLearned(learned, running, "reading");
    opened.push({ login, refused: undefined, reading });
    if (answeringIn(reading) === reading.endpoints.size) break;
  }
  const [best] = opened.toSorted((a, b) => answeringIn(b.reading) - answeringIn(a.reading));
  if (best === undefined)
    return { login: undefined, refused, reading: await tryLearned(learned, running, "reading") };
  if (best.login !== undefined && best !== opened.at(-1)) await logInAs(running, best.login);
  return best;
}

function answeringIn({ endpoints }: RequestTrial): number {
  return [...endpoints.values()].filter(({ reason }) => reason === undefined).length;
}

/** Keys are few, and so are the headers for them. */
const mostKeyLogins = 6;

/** Log-ins that consist of a header with a key from the app's own variables. */
function keyLogins(document: unknown, keys: readonly string[]): readonly FoundSetting[] {
  return keyHeadersIn(document)
    .flatMap((header) =>
      keys.map((key) => ({
        ...{ key: "login", value: { headers: { [header]: key } } },
        reason: "a key that the app reads from a variable",
      })),
    )
    .slice(0, mostKeyLogins);
}

/** Makes the account an administrator and logs it in again, where something is refused to it. */
async function promotedAs(
  login: FoundSetting,
  running: RunningTrial,
  tried: EndpointTrial,
): Promise<Awaited<ReturnType<typeof promote>>> {
  const isRefused = [...tried.refusals.values()].some(({ status }) => status === 403);
  if (!running.hasDatabase || !isRefused) return undefined;
  const promoted = await promote(running, namesIn(login));
  if (promoted === undefined || (await logInAs(running, login)) === undefined) return promoted;
  await promoted.undo();
  return undefined;
}

function openIn({ endpoints }: EndpointTrial): number {
  return endpoints.filter(({ reason }) => reason === undefined).length;
}

/** What the account that logs in is called. */
export function namesIn(login: FoundSetting | undefined): readonly string[] {
  const fields = ["form", "json"].flatMap((kind) => Object.entries(Object(memberOf(login?.value, kind))));
  return fields.filter(([name]) => !/password|secret|token/i.test(name)).map(([, value]) => String(value));
}
