import { capturedIn } from "../../endpoints/captures.ts";
import type { Reply } from "../../endpoints/dry-request.ts";
import { EnvironmentError, InputError } from "../../errors/errors.ts";
import {
  bodyOfLogin,
  type CookieToken,
  identitiesOf,
  type Login,
  type SecretText,
  secretsOf,
  shortestSecret,
  type TokenCarrier,
  type TokenCommand,
  tokenIn,
  tokenOf,
  withSecrets,
} from "../../model/endpoint/login.ts";
import type { Workload } from "../../model/workload/workload.ts";
import type { AppServer } from "../../ports/app.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { plural } from "../../text/numbers.ts";
import { replyWords } from "../../text/reply-words.ts";
import { printable } from "../../text/visible.ts";
import { withPrintedUsers } from "./users.ts";

const withinSeconds = 30;

/** Reads the secrets of a login. Throws one `InputError` that names all that are missing, and the remedy. */
export function readSecrets(
  login: Login | undefined,
  ports: Pick<MeasurePorts, "secrets">,
): Login<string> | undefined {
  if (login === undefined) return undefined;
  checkSecrets(secretsOf(login), `${login.place}: login`, ports);
  return withSecrets(login, (name) => ports.secrets.read(name) ?? "");
}

/** The variables of a script with their secrets, which are hidden from now on; `undefined`: there are none. */
export function readVariables(
  { scriptVariables }: Pick<Workload, "scriptVariables">,
  ports: Pick<MeasurePorts, "secrets">,
): Readonly<Record<string, string>> | undefined {
  if (scriptVariables === undefined) return undefined;
  const entries = Object.entries(scriptVariables);
  const names = entries.flatMap(([, value]) => (typeof value === "string" ? [] : [value.secret]));
  checkSecrets([...new Set(names)], "script-env", ports);
  const textOf = (value: SecretText) =>
    typeof value === "string" ? value : (ports.secrets.read(value.secret) ?? "");
  return Object.fromEntries(entries.map(([name, value]) => [name, textOf(value)]));
}

/** Throws one `InputError` that names all secrets that are missing, and the remedy. */
function checkSecrets(names: readonly string[], place: string, ports: Pick<MeasurePorts, "secrets">): void {
  const problems = names.flatMap((name) => {
    const value = ports.secrets.read(name);
    if (value === undefined)
      return [
        `${place}: the secret ${name} is not set; pass it to the step that measures, e.g. env: { ${name}: \${{ secrets.${name} }} } (pull requests from forks get no secrets)`,
      ];
    if (value.length >= shortestSecret) return [];
    return [
      `${place}: the secret ${name} has fewer than ${shortestSecret} characters, so it could not be hidden; choose a longer one`,
    ];
  });
  if (problems.length > 0) throw new InputError(problems);
}

type Headers = Readonly<Record<string, string>>;
type LoginPorts = Pick<MeasurePorts, "secrets" | "sendRequest">;

/** Logs in and returns the headers for every request. Throws an `EnvironmentError` without a token. */
export async function logIn(
  login: Login<string> | undefined,
  app: AppServer,
  ports: LoginPorts,
): Promise<Headers | undefined> {
  if (login === undefined) return undefined;
  const known = await withPrintedUsers(login, app, ports);
  if (known.usersFrom?.kind === "sql" && known.users === undefined)
    throw new EnvironmentError(
      "log in",
      `login (${known.place}): users: the query can run only once the database is filled, so requests that fill it cannot log in; list the users, or print them with a command`,
    );
  return await logInAs(identitiesOf(known)[0], app, ports);
}

/** The headers of each identity; `undefined` where there is only one. At most as many as there are to be used. */
export async function logInAll(
  login: Login<string> | undefined,
  most: number,
  app: AppServer,
  ports: LoginPorts,
): Promise<readonly Headers[] | undefined> {
  const known = login && (await withPrintedUsers(login, app, ports));
  if (known?.users === undefined) return undefined;
  const all: Headers[] = [];
  // One after the other: checking a password is made to take long.
  for (const identity of identitiesOf(known).slice(0, most)) all.push(await logInAs(identity, app, ports));
  return all;
}

async function logInAs(login: Login<string>, app: AppServer, ports: LoginPorts): Promise<Headers> {
  const { request, command, place } = login;
  if (command !== undefined)
    return { ...login.headers, ...(await carried(await printedToken(command, place, app), command, ports)) };
  if (request === undefined) return login.headers;
  const { headers, body } = bodyOfLogin(request);
  const reply = await ports.sendRequest({
    url: app.baseUrl + request.path,
    method: "POST",
    headers: { ...login.headers, ...headers },
    body,
    withinSeconds,
  });
  const fail = (why: string): never => {
    const logTail = app.logTail();
    throw new EnvironmentError("log in", `POST ${request.path} ${why} (login, ${place})`, { logTail });
  };
  if (typeof reply === "string") return fail(`failed: ${reply}`);
  const said = replyWords(reply.body, 160);
  if (reply.status >= 400)
    return fail(`answered ${reply.status}${said && `: ${said}`}; correct its path, its fields or the secret`);
  const at = request.token;
  if (typeof at === "object") {
    const cookie = cookieIn(reply, at);
    if (cookie === undefined)
      return fail(
        `answered ${reply.status}, but it sets no cookie ${at.cookie}; name the right one with \`token\``,
      );
    return { ...login.headers, ...(await asCookie(at.cookie, cookie, login.headers, ports)) };
  }
  const token = tokenIn(reply.body, at);
  if (token === undefined)
    return fail(`answered ${reply.status}, but there is no ${at} in its JSON; set its place with \`token\``);
  return { ...login.headers, ...(await carried(token, request, ports)) };
}

/** The value as it came, with its quotes: servers want the same back. */
function cookieIn(reply: Reply, { cookie }: CookieToken): string | undefined {
  const value = capturedIn(reply, { kind: "cookie", name: cookie, place: cookie });
  return typeof value === "string" ? value : undefined;
}

/** The cookie with those of every request. Each word of it that is long enough for a secret is hidden. */
async function asCookie(
  name: string,
  value: string,
  { Cookie: others }: Headers,
  { secrets }: Pick<LoginPorts, "secrets">,
): Promise<Headers> {
  for (const word of value.match(/[^\s"]+/g) ?? [])
    if (word.length > shortestSecret) await secrets.hide(word);
  return { Cookie: [...(others === undefined ? [] : [others]), `${name}=${value}`].join("; ") };
}

/** The header of a token, which is hidden in all output from now on. */
async function carried(
  token: string,
  { header, scheme }: TokenCarrier,
  { secrets }: Pick<LoginPorts, "secrets">,
): Promise<Headers> {
  await secrets.hide(token);
  return { [header]: scheme === "" || scheme.endsWith("=") ? scheme + token : `${scheme} ${token}` };
}

async function printedToken(command: TokenCommand, place: string, app: AppServer): Promise<string> {
  const { text, values = {}, token: at } = command;
  const input = `login (${place}): command`;
  const printed = (await app.printed?.({ input, text, values })) ?? "";
  const token = at === undefined ? tokenOf(printed) : tokenIn(printed, at);
  if (token !== undefined) return token;
  const lines = printed.trim() === "" ? 0 : printed.trim().split("\n").length;
  const wanted =
    at === undefined
      ? "it must print only the token, as one word; if it prints JSON, set the token's place with `token`"
      : `there is no ${at} in it; it must print JSON that contains one (\`token\`)`;
  const said = printable(`${input} "${text}" printed ${plural(lines, "line")}: ${wanted}`);
  throw new EnvironmentError("log in", said, { logTail: app.logTail() });
}
