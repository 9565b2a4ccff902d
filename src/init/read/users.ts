import type { ReadVariable } from "../project.ts";

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
