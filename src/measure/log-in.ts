import { EnvironmentError, InputError } from "../errors/errors.ts";
import {
  bodyOfLogin,
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

/**
 * Logs in to a server that has just started, and returns the headers that go with every request to it; `undefined`
 * where there are none. Throws an `EnvironmentError` when the server gives no token.
 */
export async function logIn(
  login: Login<string> | undefined,
  app: AppServer,
  ports: Pick<MeasurePorts, "secrets" | "sendRequest">,
): Promise<Readonly<Record<string, string>> | undefined> {
  if (login === undefined) return undefined;
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
