import { memberOf } from "../endpoints/openapi-schema.ts";
import type { FoundSetting } from "./source-file.ts";
import type { ReadVariable } from "./variables.ts";

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
  /** Of the setting with the name. */
  readonly setting: string;
  readonly username: string;
  readonly password: string;
}

export function findFirstUser(
  variables: readonly ReadVariable[],
  given: Readonly<Record<string, string>>,
): FirstUser | undefined {
  const settingOf = (pattern: RegExp) =>
    variables
      .filter(({ name }) => pattern.test(name))
      .map(({ name, value }) => ({ name, value: given[name] ?? value }))
      .find(({ value }) => value !== undefined);
  for (const [user, password] of accounts) {
    const [username, secret] = [settingOf(user), settingOf(password)];
    if (username?.value === undefined || secret?.value === undefined) continue;
    return { setting: username.name, username: username.value, password: secret.value };
  }
  return undefined;
}

/** The login to the app as its first user, when its document has a password flow. */
export function findLogin(
  document: unknown,
  { setting, username, password }: FirstUser,
): FoundSetting | undefined {
  const path = tokenPath(document);
  if (path === undefined) return undefined;
  return {
    key: "login",
    value: { path, form: { username, password } },
    reason: `the app's own first user (${setting}); its document names the path`,
  };
}

/** Path of the first scheme that takes a name and a password. */
export function tokenPath(document: unknown): string | undefined {
  const schemes = Object.values(Object(memberOf(memberOf(document, "components"), "securitySchemes")));
  for (const scheme of schemes) {
    const url = memberOf(memberOf(memberOf(scheme, "flows"), "password"), "tokenUrl");
    if (typeof url !== "string" || url.includes("://")) continue;
    const path = `/${url.replace(/^[./]+/, "")}`;
    if (memberOf(memberOf(memberOf(document, "paths"), path), "post") !== undefined) return path;
    // Written relative to the documentation's address, without a prefix, or without the slash at the end.
    const ends = [path, `${path}/`, path.replace(/\/$/, "")];
    const known = Object.keys(Object(memberOf(document, "paths"))).find((each) =>
      ends.some((end) => end !== "" && each.endsWith(end)),
    );
    if (known !== undefined) return known;
  }
  return undefined;
}
