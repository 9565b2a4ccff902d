import { usersIn } from "../endpoints/listed-users.ts";
import { EnvironmentError } from "../errors/errors.ts";
import { type Login, mostUsers } from "../model/endpoint/login.ts";
import type { AppServer } from "../ports/app.ts";
import type { SecretsPorts } from "../ports/secrets.ts";
import { printable } from "../text/printable.ts";
import { hideUsers, missingValue } from "./user-values.ts";

/**
 * The login with the identities that its command prints, which runs once on this server. What it printed is not quoted:
 * it may hold secrets. Throws an `EnvironmentError` when it is no list of users.
 */
export async function withPrintedUsers(
  login: Login<string>,
  app: AppServer,
  ports: SecretsPorts,
): Promise<Login<string>> {
  const { usersFrom, place } = login;
  if (usersFrom?.kind !== "command") return login;
  const input = `login (${place}): users: command`;
  const rows = usersIn((await app.printed?.({ input, text: usersFrom.text, values: {} })) ?? "");
  const problem = "problem" in rows ? rows.problem : missingValue(login, rows);
  if (!("problem" in rows) && problem === undefined) {
    const users = rows.slice(0, mostUsers);
    await hideUsers(login, users, ports);
    return { ...login, users };
  }
  const wanted =
    "it must print a JSON list of objects, or CSV whose first line names the columns, and nothing else";
  throw new EnvironmentError(
    "log in",
    printable(`${input} "${usersFrom.text}": its output ${problem}; ${wanted}`),
    {
      logTail: app.logTail(),
    },
  );
}
