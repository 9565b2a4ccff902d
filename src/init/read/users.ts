import { csvRows } from "../../endpoints/csv.ts";
import { mostUsers } from "../../model/endpoint/login.ts";
import { type Identities, nameOf, type ProjectFile, type ReadVariable } from "../project.ts";

const isOfUsers = /user|account|member|identit|credential|login|people|person/i;

const fields: readonly (readonly [field: string, column: RegExp])[] = [
  ["email", /^e?mail(?:_?address)?$/i],
  ["username", /^(?:user_?name|user|login|name)$/i],
  ["password", /^(?:plain_?)?pass(?:word|wd|phrase)?$/i],
];

/** The first file whose rows all have a name, or an address, and a password; `undefined` without one. */
export function findIdentities(files: readonly ProjectFile[]): Identities | undefined {
  for (const { path, text } of files) {
    if (!path.endsWith(".csv") || !isOfUsers.test(nameOf(path))) continue;
    const rows = csvRows(text);
    const [row] = "problem" in rows ? [] : rows;
    if (row === undefined || "problem" in rows) continue;
    const found = fields.flatMap(([field, pattern]) => {
      const column = Object.keys(row).find((each) => pattern.test(each));
      return column === undefined ? [] : [[field, column] as const];
    });
    const names = found.map(([field]) => field);
    const isWhole = rows.slice(0, mostUsers).every((each) => found.every(([, column]) => each[column]));
    if (!isWhole || names.length < 2 || !names.includes("password")) continue;
    return {
      path,
      first: Object.fromEntries(found.map(([field, column]) => [field, row[column] ?? ""])),
      columns: Object.fromEntries(found.map(([field, column]) => [field, `{${column}}`])),
    };
  }
  return undefined;
}

/** Names of settings that hold the first user, in pairs. */
const accounts: readonly (readonly [user: RegExp, password: RegExp])[] = [
  [/^(?:\w+_)?FIRST_SUPERUSER(?:_EMAIL|_USERNAME)?$/, /^(?:\w+_)?FIRST_SUPERUSER_(?:PASSWORD|PW)$/],
  [/^(?:\w+_)?FIRST_USER_(?:EMAIL|USERNAME)$/, /^(?:\w+_)?FIRST_USER_(?:PASSWORD|PW)$/],
  [
    /^(?:\w+_)?(?:DEFAULT_|INITIAL_)?(?:ADMIN|SUPERUSER|API|_DEFAULT)_?(?:USERNAME|USER|EMAIL)$/,
    /^(?:\w+_)?(?:DEFAULT_|INITIAL_)?(?:ADMIN|SUPERUSER|API|_DEFAULT)_?PASSWORD$/,
  ],
];

/** The first user of the settings: with values given to the app, else its own defaults. */
export interface FirstUser {
  /** Name of the setting that holds the user's name. */
  readonly setting: string;
  readonly username: string;
  readonly password: string;
}

export function findFirstUser(
  variables: readonly ReadVariable[],
  given: Readonly<Record<string, string>>,
): FirstUser | undefined {
  const settingOf = (isWanted: (name: string) => boolean) =>
    variables
      .filter(({ name }) => isWanted(name))
      .map(({ name, value }) => ({ name, value: given[name] ?? value }))
      .find(({ value }) => value !== undefined);
  const known = accounts.map(([user, password]) => [
    settingOf((name) => user.test(name)),
    settingOf((name) => password.test(name)),
  ]);
  // Pairs of any other name: `SUDO_USERNAME` and `SUDO_PASSWORD`.
  const others = variables.flatMap(({ name: user }) => {
    const [, prefix] = /^(\w+_)(?:USERNAME|USER|EMAIL|LOGIN)$/.exec(user) ?? [];
    if (prefix === undefined || isOfServer.test(prefix)) return [];
    const secrets = ["PASSWORD", "PASS", "PWD"].map((end) => prefix + end);
    return [[settingOf((name) => name === user), settingOf((name) => secrets.includes(name))]];
  });
  for (const [username, secret] of [...known, ...others]) {
    if (username?.value === undefined || secret?.value === undefined) continue;
    return { setting: username.name, username: username.value, password: secret.value };
  }
  return undefined;
}

/** Accounts of servers, not of the app. */
const isOfServer =
  /DATABASE|POSTGRES|MYSQL|MARIA|SQL|MONGO|REDIS|RABBIT|AMQP|BROKER|MAIL|SMTP|(?:^|_)(?:DB|PG|MQ|S3|FTP|LDAP|FLOWER|ELASTIC)_/;
