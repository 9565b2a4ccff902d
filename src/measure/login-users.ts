import { csvRows } from "../endpoints/csv.ts";
import { type ListedUser, userOf } from "../endpoints/listed-users.ts";
import { EnvironmentError, InputError } from "../errors/errors.ts";
import { type Login, mostUsers } from "../model/endpoint/login.ts";
import { noBase } from "../model/measurement/lone-arm.ts";
import type { LoneArm } from "../model/measurement/measurement.ts";
import type { Workload } from "../model/workload/workload.ts";
import type { DatabaseCopy } from "../ports/database.ts";
import type { EndpointPorts } from "../ports/endpoints.ts";
import type { SecretsPorts } from "../ports/secrets.ts";
import { printable } from "../text/printable.ts";
import type { PreparedArm } from "./prepared.ts";
import { hideUsers, missingValue } from "./user-values.ts";

/** Reads the CSV file of the login's identities. Throws an `InputError` when it cannot be used. */
export async function readUsers(
  workload: Workload,
  ports: Pick<EndpointPorts, "readTable">,
): Promise<Workload> {
  const { login } = workload;
  if (login?.usersFrom?.kind !== "csv") return workload;
  const { file } = login.usersFrom;
  const table = await ports.readTable(file);
  const rows = "text" in table ? csvRows(table.text) : table;
  const problem = "problem" in rows ? rows.problem : missingValue(login, rows);
  if ("problem" in rows || problem !== undefined)
    throw new InputError([`${login.place}: login: users: ${file} ${problem}`]);
  return { ...workload, login: { ...login, users: rows.slice(0, mostUsers) } };
}

/** The login as an arm's servers take it. */
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

/**
 * Both arms with as many identities, so that each virtual user has the same row in both. A base without any costs the
 * comparison.
 */
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
      found: noBase(`the base's users could not be asked for: ${error.problems.join("; ")}`, ""),
    };
  }
}

/** The identities that a query finds, or the end of a sentence that says why there are none. */
export async function queriedUsers(
  login: Login,
  query: string,
  database: DatabaseCopy | undefined,
): Promise<readonly ListedUser[] | string> {
  if (database === undefined) return "a query needs a database of ours (database: postgres) to ask";
  try {
    const { columns, rows } = await database.readTable(query, mostUsers);
    if (rows.length === 0) return "the query gave no rows; correct it, or seed the users that it looks for";
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
