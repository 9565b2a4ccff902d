import { expect, test } from "vitest";

import { readUsers } from "../../src/measure/login-users.ts";
import type { Login } from "../../src/model/endpoint/login.ts";
import { workloadOf } from "./run-measure.ts";

const login: Login = {
  place: "l.yml:1:1",
  headers: { X: "{name}", Y: { secret: "LOADTEST_Y" } },
  request: undefined,
  usersFile: "/repo/users.csv",
};
const read = (text: string | undefined, own: Login | undefined = login) =>
  readUsers(
    { ...workloadOf({}), login: own },
    { readTable: async () => (text === undefined ? { problem: "cannot be read" } : { text }) },
  );

test("each row is an identity, up to a hundred", async () => {
  expect((await read("name,key\nada,1\nbo,2\n")).login?.users).toEqual([
    { name: "ada", key: "1" },
    { name: "bo", key: "2" },
  ]);
  const many = Array.from({ length: 120 }, (_, index) => `user${index}`).join("\n");
  expect((await read(`name\n${many}`)).login?.users).toHaveLength(100);
});

test("what a command asks for must be in each row", async () => {
  const command = { text: "make {key}", header: "Authorization", scheme: "Bearer" };
  await expect(read("name\nada\n", { ...login, command })).rejects.toMatchObject({
    problems: ["l.yml:1:1: login: users: /repo/users.csv has no key in row 1, and {key} stands for it"],
  });
});

test("without a file nothing is read", async () => {
  const { usersFile: _, ...own } = login;
  expect((await read(undefined, own)).login).toEqual(own);
});

test.for<readonly [text: string | undefined, problem: string]>([
  [undefined, "cannot be read"],
  ["name\n", "has no rows below its first line"],
  ["key\n1\n", "has no name in row 1, and {name} stands for it"],
  ["name,key\nada,1\n,2\n", "has no name in row 2, and {name} stands for it"],
])("the file %j is refused", async ([text, problem]) => {
  await expect(read(text)).rejects.toMatchObject({
    problems: [`l.yml:1:1: login: users: /repo/users.csv ${problem}`],
  });
});
