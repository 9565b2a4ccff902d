import { EnvironmentError, InputError } from "../errors/errors.ts";
import {
  bodyOfLogin,
  identitiesOf,
  type Login,
  secretsOf,
  shortestSecret,
  tokenIn,
  withSecrets,
} from "../model/endpoint/login.ts";
import type { AppServer } from "../ports/app.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { shortenEnd } from "../text/length.ts";
import { visibleLine } from "../text/visible.ts";

const withinSeconds = 30;

/** Reads the secrets of a login. Throws one `InputError` that names all that are missing, and the remedy. */
export function readSecrets(
  login: Login | undefined,
  ports: Pick<MeasurePorts, "secrets">,
): Login<string> | undefined {
  if (login === undefined) return undefined;
  const names = secretsOf(login);
  const problems = names.flatMap((name) => {
    const value = ports.secrets.read(name);
    if (value === undefined)
      return [
        `${login.place}: login: the secret ${name} is not set; give it to the step that measures, e.g. env: { ${name}: \${{ secrets.${name} }} } (pull requests from forks are given no secrets)`,
      ];
    if (value.length >= shortestSecret) return [];
    return [
      `${login.place}: login: the secret ${name} has fewer than ${shortestSecret} characters, so it could not be hidden; choose a longer one`,
    ];
  });
  if (problems.length > 0) throw new InputError(problems);
  return withSecrets(login, (name) => ports.secrets.read(name) ?? "");
}

type Headers = Readonly<Record<string, string>>;
type LoginPorts = Pick<MeasurePorts, "secrets" | "sendRequest">;

/**
 * Logs in to a server that has just started, and returns the headers that go with every request to it; `undefined`
 * where there are none. Of several identities it is the first. Throws an `EnvironmentError` when the server gives no
 * token.
 */
export async function logIn(
  login: Login<string> | undefined,
  app: AppServer,
  ports: LoginPorts,
): Promise<Headers | undefined> {
  return login && (await logInAs(identitiesOf(login)[0], app, ports));
}

/** The headers of each identity; `undefined` where there is only one. At most as many as there are to be used. */
export async function logInAll(
  login: Login<string> | undefined,
  most: number,
  app: AppServer,
  ports: LoginPorts,
): Promise<readonly Headers[] | undefined> {
  if (login?.users === undefined) return undefined;
  const all: Headers[] = [];
  // One after the other: checking a password is made to take long.
  for (const identity of identitiesOf(login).slice(0, most)) all.push(await logInAs(identity, app, ports));
  return all;
}

async function logInAs(login: Login<string>, app: AppServer, ports: LoginPorts): Promise<Headers> {
  const { request, place } = login;
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
  const said = shortenEnd(visibleLine(reply.body.slice(0, 600)), 160);
  if (reply.status >= 400)
    return fail(`answered ${reply.status}${said && `: ${said}`}; correct its path, its fields or the secret`);
  const token = tokenIn(reply.body, request.token);
  if (token === undefined)
    return fail(
      `answered ${reply.status}, but there is no ${request.token} in its JSON; say where with \`token\``,
    );
  await ports.secrets.hide(token);
  return { ...login.headers, [request.header]: request.scheme === "" ? token : `${request.scheme} ${token}` };
}
