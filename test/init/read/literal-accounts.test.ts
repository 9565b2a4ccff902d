import { expect, test } from "vitest";

import { literalAccounts } from "../../../src/init/read/literal-accounts.ts";

const account = (username: string, password: string, setting = "seed.py") => ({
  setting,
  username,
  password,
});

test.for<readonly [what: string, path: string, text: string, accounts: readonly object[]]>([
  [
    "given to a model",
    "app/seed.py",
    'User(email="root@example.org", hashed_password=get_password_hash("s3cret"))',
    [account("root@example.org", "s3cret")],
  ],
  [
    "in statements",
    "scripts/init_db.py",
    `text("INSERT INTO users (username, password) VALUES ('admin', :password)"), {"password": hash_it("admin123")}`,
    [account("admin", "admin123", "init_db.py")],
  ],
  [
    "of a dictionary",
    "app/main.py",
    "{'username': 'ada', 'password': 'abcd'}",
    [account("ada", "abcd", "main.py")],
  ],
  [
    "the nearest of several",
    "seed.py",
    `make(username="ada", password="one-word"); ${" ".repeat(500)}make(username="bob", password="another")`,
    [
      account("ada", "one-word"),
      account("bob", "one-word"),
      account("bob", "another"),
      account("ada", "another"),
    ],
  ],
  ["far from each other", "seed.py", `username = "ada"${" ".repeat(900)}password = "abcd"`, []],
  ["in a test", "tests/seed.py", 'User(username="ada", password="abcd")', []],
  ["in other code", "app/views.py", 'User(username="ada", password="abcd")', []],
  ["that names its kind", "seed.py", 'User(username="ada", password="password")', []],
  ["that is a hash", "seed.py", 'User(username="ada", password="$2b$12$x767LqUW1GSXnbI36VeqWe")', []],
  ["that is filled in", "seed.py", 'User(username="ada", password="{secret}")', []],
])("accounts are literals in code that makes rows: %s", ([, path, text, accounts]) => {
  expect(literalAccounts([{ path, text }])).toEqual(accounts);
});
