import { expect, test } from "vitest";

import { findFirstUser, findKeys } from "../../../src/init/read/variables.ts";
import { findLogin } from "../../../src/init/requests/accounts.ts";

const document = (tokenUrl: unknown, ...paths: string[]) => ({
  components: { securitySchemes: { key: { type: "apiKey" }, user: { flows: { password: { tokenUrl } } } } },
  paths: Object.fromEntries(paths.map((path) => [path, { post: {} }])),
});
const read = (name: string, value?: string) => ({
  name,
  path: "a.py",
  isNeeded: false,
  type: undefined,
  value,
  isField: true,
});
const admin = [read("ADMIN_EMAIL", "a@b.c"), read("ADMIN_PASSWORD", "secret")];
const form = { username: "a@b.c", password: "secret" };

test.for<readonly [what: string, document: unknown, variables: typeof admin, expected: unknown]>([
  [
    "a short word for the password",
    document("/token", "/token"),
    [read("FIRST_SUPERUSER_EMAIL", "a@b.c"), read("FIRST_SUPERUSER_PW", "secret")],
    { path: "/token", form },
  ],
  [
    "a pair of another name",
    document("/token", "/token"),
    [
      read("DB_USER", "x"),
      read("DB_PASSWORD", "x"),
      read("SUDO_USERNAME", "a@b.c"),
      read("SUDO_PASSWORD", "secret"),
    ],
    { path: "/token", form },
  ],
  [
    "accounts of servers only",
    document("/token", "/token"),
    [read("SMTP_USER", "x"), read("SMTP_PASSWORD", "x"), read("HALF_USER", "x"), read("USER", "x")],
    undefined,
  ],
  ["the path as it is", document("/token", "/token"), admin, { path: "/token", form }],
  ["a relative one", document("./token", "/token"), admin, { path: "/token", form }],
  ["one without its prefix", document("login", "/api/v1/login"), admin, { path: "/api/v1/login", form }],
  ["one without its last slash", document("/v1/login", "/v1/login/"), admin, { path: "/v1/login/", form }],
  ["one with a slash too many", document("login/", "/login"), admin, { path: "/login", form }],
  ["elsewhere", document("https://x/token", "/token"), admin, undefined],
  ["nowhere", document("token", "/other"), admin, undefined],
  ["no flow", {}, admin, undefined],
  ["nobody", document("token", "/token"), [read("ADMIN_EMAIL", "a")], undefined],
  [
    "given values before defaults",
    document("token", "/token"),
    [read("FIRST_SUPERUSER"), read("FIRST_SUPERUSER_PASSWORD", "x")],
    { path: "/token", form: { username: "given", password: "x" } },
  ],
])("a login: %s", ([, said, variables, expected]) => {
  const user = findFirstUser(variables, { FIRST_SUPERUSER: "given" });
  expect(user && findLogin(said, user)?.value).toEqual(expected);
});

test("an account may have several names", () => {
  const password = "secret";
  const of = (...names: string[]) =>
    findFirstUser(
      names.map((name) => read(name, /PASSWORD/.test(name) ? password : name.toLowerCase())),
      {},
    );
  expect(of("SUPER_USER__NAME", "SUPER_USER__EMAIL", "SUPER_USER__PASSWORD")).toEqual({
    ...{ setting: "SUPER_USER__EMAIL", username: "super_user__email", password },
    others: ["super_user__name"],
  });
  expect(of("ADMIN_USERNAME", "ADMIN_EMAIL", "ADMIN_PASSWORD")?.others).toEqual(["admin_email"]);
  expect(of("DB_NAME", "DB_PASSWORD")).toBeUndefined();
});

test("keys that clients show are those of the app, given or by default, each once", () => {
  const variables = [
    read("API_KEY", "a"),
    read("SERVICE_API_KEYS", "b,c,a"),
    read("X_API_KEY", "two words"),
    read("S3_ACCESS_KEY", "d"),
    read("KEY", "e"),
    read("AUTH_TOKEN"),
  ];
  expect(findKeys(variables, { API_KEY: "given" })).toEqual(["given", "b", "c", "a"]);
});
