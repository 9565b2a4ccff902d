import * as z from "zod";

import { placeholdersIn } from "../../model/endpoint/form.ts";
import { type Login, mostUsers, type SecretText, type UsersSource } from "../../model/endpoint/login.ts";
import { secret, strictObject } from "./value-kinds.ts";

const line = /^[^\r\n]*$/;

const text = z.union(
  [z.string().regex(line, "must be one line"), secret],
  "must be text, or the name of a variable that holds it: { secret: LOADTEST_PASSWORD }",
);
const fields = z.record(
  z.string(),
  text,
  "must be a mapping, e.g. { username: ada, password: { secret: LOADTEST_PASSWORD } }",
);
const word = /^[\w!#$%&'*+.^`|~-]+$/;
const headerName = z.string().regex(word, "must be the name of a header");
const cookieName = z.string("must be the name of a cookie").regex(word, "must be the name of a cookie");
const command = (example: string) =>
  z.string(`must be a command, e.g. ${example}`).regex(/\S/, "is empty").regex(line, "must be one line");
const usersSource = strictObject({
  csv: z.string("must be the path of a CSV file").optional(),
  sql: z.string("must be a query").regex(/\S/, "is empty").optional(),
  command: command("python -m app.users").optional(),
}).refine((value) => Object.keys(value).length === 1, "must have one of csv, sql and command");
type UsersForm = z.infer<typeof usersSource>;

const shape = {
  path: z
    .string("must be a path, e.g. /token")
    .startsWith("/", "must start with /")
    .regex(/^[!-~]*$/, "must be percent-encoded")
    .optional(),
  form: fields.optional(),
  json: fields.optional(),
  command: command("python -m app.make_token").optional(),
  token: z
    .union(
      [z.string().min(1, "is empty"), strictObject({ cookie: cookieName })],
      "must be a path in the response's JSON, e.g. access_token, or one of its cookies: { cookie: session }",
    )
    .optional(),
  header: headerName.optional(),
  scheme: z
    .string("must be text, e.g. Bearer")
    .regex(/^[!-~]*$/, "must be one word")
    .optional(),
  users: z
    .union(
      [
        z
          .array(fields)
          .min(1, "is empty")
          .max(mostUsers, `must be at most ${mostUsers}, because each user logs in to each server`),
        usersSource,
      ],
      "must be a list, e.g. [{ name: ada, password: { secret: LOADTEST_ADA } }], or one of { csv: users.csv }, { sql: SELECT token FROM users ORDER BY id } and { command: python -m app.users }",
    )
    .optional(),
  headers: z
    .record(headerName, text, "must be a mapping, e.g. { X-API-Key: { secret: LOADTEST_API_KEY } }")
    .optional(),
};
export const loginKeys: readonly string[] = Object.keys(shape);

export const loginSchema = strictObject(shape).superRefine(
  ({ path, form, json, headers, users, command, ...rest }, context) => {
    const problem = (at: string[], message: string) =>
      context.addIssue({ code: "custom", path: at, message, input: undefined });
    if (path === undefined && command === undefined && headers === undefined)
      problem([], "must have a path to log in at, a command that prints a token, or headers");
    if (path !== undefined && command !== undefined)
      problem(["command"], "cannot be combined with a path, whose response has the token");
    if (path !== undefined && (form === undefined) === (json === undefined))
      problem(["path"], "needs either form or json");
    problemsOfUsers([headers, form, json, { command: command ?? "" }], users, problem);
    const useless = (names: Readonly<Record<string, unknown>>, without: string) => {
      for (const [name, value] of Object.entries(names))
        if (value !== undefined) problem([name], `needs ${without}`);
    };
    if (path === undefined) useless({ form, json }, "a path");
    if (typeof rest.token === "object") {
      if (command !== undefined) problem(["token"], "cannot be a cookie, because a command prints it");
      for (const name of ["header", "scheme"] as const)
        if (rest[name] !== undefined) problem([name], "cannot be combined with a token in a cookie");
    }
    if (path === undefined && command === undefined) useless(rest, "a path or a command");
  },
);

/** Identities that nobody would use, and placeholders without a value in each. */
function problemsOfUsers(
  texts: readonly (Readonly<Record<string, SecretText>> | undefined)[],
  users: readonly Readonly<Record<string, SecretText>>[] | UsersForm | undefined,
  problem: (at: string[], message: string) => void,
): void {
  if (users === undefined) return;
  const used = placeholdersIn(
    texts
      .flatMap((each) => Object.values(each ?? {}))
      .filter((each) => typeof each === "string")
      .join("\n"),
  );
  if (used.length === 0)
    problem(["users"], "are never used; put e.g. {name} in the form, the JSON, the command or the headers");
  if (!isList(users)) return;
  for (const name of used.filter((each) => users.some((user) => !Object.hasOwn(user, each))))
    problem(["users"], `must each have a ${name}, because {${name}} is used`);
}

function isList<T>(value: readonly T[] | UsersForm): value is readonly T[] {
  return Array.isArray(value);
}

function sourceOf({ csv, sql, command: text = "" }: UsersForm): UsersSource {
  if (csv !== undefined) return { kind: "csv", file: csv };
  return sql === undefined ? { kind: "command", text } : { kind: "sql", query: sql };
}

export function readLogin(value: z.infer<typeof loginSchema>, place: string): Login {
  const { path, form, json, token, header = "Authorization", scheme = "Bearer" } = value;
  const sent: Record<string, SecretText> = form ?? json ?? {};
  const { users, command } = value;
  return {
    place,
    ...(command !== undefined && {
      command: { text: command, header, scheme, ...(typeof token === "string" && { token }) },
    }),
    ...(users !== undefined && (isList(users) ? { users } : { usersFrom: sourceOf(users) })),
    headers: value.headers ?? {},
    request:
      path === undefined
        ? undefined
        : {
            path,
            encoding: form === undefined ? "json" : "form",
            fields: sent,
            token: token ?? "access_token",
            header,
            scheme,
          },
  };
}
