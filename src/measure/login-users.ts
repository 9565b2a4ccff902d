import { csvRows } from "../endpoints/csv.ts";
import { InputError } from "../errors/errors.ts";
import { placeholdersIn } from "../model/endpoint/form.ts";
import { type Login, mostUsers } from "../model/endpoint/login.ts";
import type { Workload } from "../model/workload/workload.ts";
import type { EndpointPorts } from "../ports/endpoints.ts";

/** Reads the CSV file of the login's identities. Throws an `InputError` when it cannot be used. */
export async function readUsers(
  workload: Workload,
  ports: Pick<EndpointPorts, "readTable">,
): Promise<Workload> {
  const { login } = workload;
  if (login?.usersFile === undefined) return workload;
  const { usersFile } = login;
  const fail = (why: string): never => {
    throw new InputError([`${login.place}: login: users: ${usersFile} ${why}`]);
  };
  const table = await ports.readTable(usersFile);
  const rows = "text" in table ? csvRows(table.text) : table;
  if ("problem" in rows) return fail(rows.problem);
  const users = rows.slice(0, mostUsers);
  for (const name of placeholdersIn(textsOf(login))) {
    const row = users.findIndex((user) => !user[name]);
    if (row >= 0) return fail(`has no ${name} in row ${row + 1}, and {${name}} stands for it`);
  }
  return { ...workload, login: { ...login, users } };
}

function textsOf({ headers, request, command }: Login): string {
  return [...Object.values(headers), ...Object.values(request?.fields ?? {}), command?.text]
    .filter((each) => typeof each === "string")
    .join("\n");
}
