import { type ListedUser, userOf, usersIn } from "../../endpoints/csv.ts";
import { EnvironmentError, InputError } from "../../errors/errors.ts";
import { placeholdersIn } from "../../model/endpoint/form.ts";
import { type Login, mostUsers, shortestSecret } from "../../model/endpoint/login.ts";
import { noBase } from "../../model/measurement/lone-arm.ts";
import type { LoneArm } from "../../model/measurement/measurement.ts";
import type { AppServer } from "../../ports/app.ts";
import type { DatabaseCopy } from "../../ports/database.ts";
import type { SecretsPorts } from "../../ports/measure.ts";
import { printable } from "../../text/visible.ts";
import type { PreparedArm } from "./prepared.ts";

const isSecret = /pass|pwd|secret|token|key/i;

export function loginIn({ users }: PreparedArm, login: Login<string> | undefined): Login<string> | undefined {
  return login && users ? { ...login, users } : login;
}

/** An arm with the identities that a query finds in its database. Throws an `InputError` when they cannot be used. */
export async function withUsers(
  login: Login<string> | undefined,
  arm: PreparedArm,
  ports: SecretsPorts,
): Promise<PreparedArm> {
  if (login?.usersFrom?.kind !== "sql") return arm;
  await using copy = await arm.template?.copy();
  const users = await queriedUsers(login, login.usersFrom.query, copy);
  if (typeof users === "string") throw new InputError([`${login.place}: login: users: ${users}`]);
  await hideUsers(login, users, ports);
  return { ...arm, users };
}

/** Both arms with as many identities. A base without any costs the comparison. */
export async function withUsersOfBoth(
  login: Login<string> | undefined,
  head: PreparedArm,
  base: PreparedArm | LoneArm | undefined,
  ports: SecretsPorts,
): Promise<{ readonly head: PreparedArm; readonly found: PreparedArm | LoneArm | undefined }> {
  if (head.users === undefined || base === undefined || !("app" in base)) return { head, found: base };
  if (base.template === head.template) return { head, found: { ...base, users: head.users } };
  try {
    const { users = [], ...own } = await withUsers(login, base, ports);
    const count = Math.min(users.length, head.users.length);
    return {
      head: { ...head, users: head.users.slice(0, count) },
      found: { ...own, users: users.slice(0, count) },
    };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return {
      head,
      found: noBase(`the base's users could not be queried: ${error.problems.join("; ")}`, ""),
    };
  }
}

/** The identities that a query finds, or the end of a sentence that says why there are none. */
export async function queriedUsers(
  login: Login,
  query: string,
  database: DatabaseCopy | undefined,
): Promise<readonly ListedUser[] | string> {
  if (database === undefined) return "a query needs a database that the run creates (database: postgres)";
  try {
    const { columns, rows } = await database.readTable(query, mostUsers);
    if (rows.length === 0)
      return "the query returned no rows; correct it, or seed the users that it looks for";
    const users = rows.map((row) =>
      userOf(Object.fromEntries(columns.map((name, index) => [name, row[index]]))),
    );
    const missing = missingValue(login, users);
    return missing === undefined
      ? users
      : `the query ${missing}; its columns are ${printable(columns.join(", "))}`;
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return `the query failed: ${error.message}`;
  }
}

/** The login with the identities that its command prints, unquoted. Throws an `EnvironmentError`. */
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

/** Hides what identities log in with; texts that are too short to hide would hide other words. */
async function hideUsers(
  { headers }: Login,
  users: readonly ListedUser[],
  { secrets }: SecretsPorts,
): Promise<void> {
  const inHeaders = placeholdersIn(
    Object.values(headers)
      .filter((each) => typeof each === "string")
      .join("\n"),
  );
  const isHidden = (name: string) => isSecret.test(name) || inHeaders.includes(name);
  const values = users.flatMap((user) =>
    Object.entries(user).flatMap(([name, value]) => (isHidden(name) ? [value] : [])),
  );
  for (const value of new Set(values)) if (value.length >= shortestSecret) await secrets.hide(value);
}

/** The first value that a row lacks, as the end of a sentence; `undefined` when all are there. */
export function missingValue(login: Login<unknown>, rows: readonly ListedUser[]): string | undefined {
  for (const name of placeholdersIn(textsOf(login))) {
    const row = rows.slice(0, mostUsers).findIndex((user) => !Object.hasOwn(user, name) || user[name] === "");
    if (row >= 0) return `has no ${name} in row ${row + 1}, and {${name}} is used`;
  }
  return undefined;
}

function textsOf({ headers, request, command }: Login<unknown>): string {
  return [...Object.values(headers), ...Object.values(request?.fields ?? {}), command?.text]
    .filter((each) => typeof each === "string")
    .join("\n");
}
