import { describe, expect, test } from "vitest";

import { EnvironmentError, messageOf } from "../../../src/errors/errors.ts";
import { readFiles } from "../../../src/measure/preparation/files.ts";
import type { PreparedArm } from "../../../src/measure/preparation/prepared.ts";
import { withUsers, withUsersOfBoth } from "../../../src/measure/preparation/users.ts";
import type { Login } from "../../../src/model/endpoint/login.ts";
import type { QueriedTable } from "../../../src/ports/database.ts";
import { recordingPorts } from "../fake-ports.ts";
import { workloadOf } from "../run-measure.ts";

const login: Login = {
  place: "l.yml:1:1",
  headers: { X: "{name}", Y: { secret: "LOADTEST_Y" } },
  request: undefined,
  usersFrom: { kind: "csv", file: "/repo/users.csv" },
};
const read = (text: string | undefined, own: Login | undefined = login) =>
  readFiles(
    { ...workloadOf({}), login: own },
    { readTable: async () => (text === undefined ? { problem: "cannot be read" } : { text }) },
  );

describe("a file", () => {
  test("has an identity in each row, up to a hundred", async () => {
    expect((await read("name,key\nada,1\nbo,2\n")).login?.users).toEqual([
      { name: "ada", key: "1" },
      { name: "bo", key: "2" },
    ]);
    const many = Array.from({ length: 120 }, (_, index) => `user${index}`).join("\n");
    expect((await read(`name\n${many}`)).login?.users).toHaveLength(100);
  });

  test("must have what a command asks for in each row", async () => {
    const command = { text: "make {key}", header: "Authorization", scheme: "Bearer" };
    await expect(read("name\nada\n", { ...login, command })).rejects.toMatchObject({
      problems: ["l.yml:1:1: login: users: /repo/users.csv has no key in row 1, and {key} is used"],
    });
  });

  test("is not read without one", async () => {
    const { usersFrom: _, ...own } = login;
    expect((await read(undefined, own)).login).toEqual(own);
  });

  test.for<readonly [text: string | undefined, problem: string]>([
    [undefined, "cannot be read"],
    ["name\n", "has no rows after its header"],
    ["key\n1\n", "has no name in row 1, and {name} is used"],
    ["name,key\nada,1\n,2\n", "has no name in row 2, and {name} is used"],
  ])("%j is refused", async ([text, problem]) => {
    await expect(read(text)).rejects.toMatchObject({
      problems: [`l.yml:1:1: login: users: /repo/users.csv ${problem}`],
    });
  });
});

describe("a query", () => {
  const query = "SELECT name, key FROM users ORDER BY id";
  const asking: Login<string> = {
    ...{ place: "l.yml:1:1", headers: { X: "{key}" }, usersFrom: { kind: "sql", query } },
    request: { path: "/t", encoding: "form", fields: { u: "{name}" }, token: "t", header: "A", scheme: "" },
  };
  const tableOf = (...rows: readonly (readonly unknown[])[]): QueriedTable => ({
    columns: ["name", "key"],
    rows,
  });
  /** An arm whose database answers so. */
  const armWith = async (answer: QueriedTable | Error): Promise<PreparedArm> => {
    const { ports } = recordingPorts();
    const database = { kind: "private", seedFiles: ["a.sql"], scale: 1, variable: "D" } as const;
    const server = await ports.openDatabases(database, undefined);
    const { copy } = await server.seed(database);
    const readTable = async () => {
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const { app } = workloadOf({});
    const python = { binFolder: "", interpreter: "", version: "", packages: {} };
    return { app, python, template: { copy: async () => ({ ...(await copy()), readTable }) } };
  };
  const hiding = () => {
    const hidden: string[] = [];
    const secrets = { read: () => undefined, hide: async (value: string) => void hidden.push(value) };
    return { hidden, secrets };
  };

  test("gives an identity with each row; what they log in with is hidden, unless it is short", async () => {
    const ports = hiding();
    const arm = await armWith(tableOf(["ada-of-long-name", "k-of-ada"], ["bo", 7]));
    expect((await withUsers(asking, arm, ports)).users).toEqual([
      { name: "ada-of-long-name", key: "k-of-ada" },
      { name: "bo", key: "7" },
    ]);
    expect(ports.hidden).toEqual(["k-of-ada"]);
  });

  test("is not asked without one", async () => {
    const arm = await armWith(new EnvironmentError("seed", "nobody asks"));
    expect(await withUsers(undefined, arm, hiding())).toBe(arm);
    expect(await withUsersOfBoth(asking, arm, arm, hiding())).toEqual({ head: arm, found: arm });
  });

  test.for<readonly [QueriedTable | EnvironmentError, string]>([
    [tableOf(), "the query returned no rows; correct it, or seed the users that it looks for"],
    [
      tableOf(["ada", "k"], ["", "l"]),
      "the query has no name in row 2, and {name} is used; its columns are name, key",
    ],
    [tableOf(["ada", null]), "the query has no key in row 1, and {key} is used; its columns are name, key"],
    [
      { columns: ["id"], rows: [[1]] },
      "the query has no key in row 1, and {key} is used; its columns are id",
    ],
    [
      new EnvironmentError("seed", 'relation "users" does not exist'),
      'the query failed: relation "users" does not exist',
    ],
  ])("that answers %j is refused", async ([answer, problem]) => {
    await expect(withUsers(asking, await armWith(answer), hiding())).rejects.toMatchObject({
      problems: [`l.yml:1:1: login: users: ${problem}`],
    });
  });

  test("that fails by a fault of ours is no mistake in it", async () => {
    const faulty = await armWith(new Error("ours"));
    await expect(withUsers(asking, faulty, hiding())).rejects.toThrow("ours");
    const head = await withUsers(asking, await armWith(tableOf(["ada", "1"])), hiding());
    await expect(withUsersOfBoth(asking, head, faulty, hiding())).rejects.toThrow("ours");
  });

  test("without a database of ours is refused", async () => {
    const arm = { ...(await armWith(tableOf())), template: undefined };
    const error = await withUsers(asking, arm, hiding()).catch(messageOf);
    expect(error).toContain("users: a query needs a database that the run creates (database: postgres)");
  });

  test("gives each virtual user the same row in both arms", async () => {
    const head = await withUsers(
      asking,
      await armWith(tableOf(["ada", "1"], ["bo", "2"], ["cy", "3"])),
      hiding(),
    );
    const { template } = head;
    const same = await withUsersOfBoth(asking, head, { ...head, template, users: [] }, hiding());
    expect([same.head, same.found]).toEqual([head, head]);
    const other = await armWith(tableOf(["ada", "8"], ["bo", "9"]));
    const both = await withUsersOfBoth(asking, head, other, hiding());
    expect(both.head.users).toEqual([
      { name: "ada", key: "1" },
      { name: "bo", key: "2" },
    ]);
    expect(both.found).toMatchObject({
      users: [
        { name: "ada", key: "8" },
        { name: "bo", key: "9" },
      ],
    });
  });

  test("that the base cannot answer costs the comparison alone", async () => {
    const head = await withUsers(asking, await armWith(tableOf(["ada", "1"])), hiding());
    const base = await armWith(new EnvironmentError("seed", "no such table: users"));
    const both = await withUsersOfBoth(asking, head, base, hiding());
    expect(both.head).toBe(head);
    expect(both.found).toMatchObject({
      reason: expect.stringContaining(
        "the base's users could not be queried: l.yml:1:1: login: users: the query failed: no such table: users",
      ),
    });
  });
});
