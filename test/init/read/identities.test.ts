import { expect, test } from "vitest";

import { findIdentities } from "../../../src/init/read/users.ts";

const inFile = (text: string, path = "data/users.csv") => findIdentities([{ path, text }]);

test("users of a file have a name, or an address, and a password", () => {
  expect(inFile("id,mail,Password\n1,ada@example.org,engine\n2,bo@example.org,guitar\n")).toEqual({
    path: "data/users.csv",
    first: { email: "ada@example.org", password: "engine" },
    columns: { email: "{mail}", password: "{Password}" },
  });
  expect(inFile("username,email,password\na,b,c\n")?.columns).toEqual({
    email: "{email}",
    username: "{username}",
    password: "{password}",
  });
});

test.for<readonly [what: string, text: string, path?: string]>([
  ["another file", "name,password\na,b\n", "prices.csv"],
  ["no CSV file", "name,password\na,b\n", "users.txt"],
  ["no password", "name,email\na,b\n"],
  ["no name", "id,password\n1,b\n"],
  ["a row without a password", "name,password\na,b\nc,\n"],
  ["no rows", "name,password\n"],
  ["a quote that is not closed", 'name,password\n"a,b\n'],
])("%s", ([, text, path]) => {
  expect(inFile(text, path)).toBeUndefined();
});
