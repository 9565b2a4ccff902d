import type { ListedUser } from "../endpoints/listed-users.ts";
import { placeholdersIn } from "../model/endpoint/form.ts";
import { type Login, mostUsers, shortestSecret } from "../model/endpoint/login.ts";
import type { SecretsPorts } from "../ports/secrets.ts";

const isSecret = /pass|pwd|secret|token|key/i;

/** Hides what identities log in with; texts that are too short to hide would hide other words. */
export async function hideUsers(
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
    if (row >= 0) return `has no ${name} in row ${row + 1}, and {${name}} stands for it`;
  }
  return undefined;
}

function textsOf({ headers, request, command }: Login<unknown>): string {
  return [...Object.values(headers), ...Object.values(request?.fields ?? {}), command?.text]
    .filter((each) => typeof each === "string")
    .join("\n");
}
