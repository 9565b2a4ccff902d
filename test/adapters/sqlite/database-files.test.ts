import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

import { openDatabaseFiles } from "../../../src/adapters/sqlite/index.ts";
import { EnvironmentError } from "../../../src/errors/errors.ts";

const execute = promisify(execFile);
const seed = { seedFiles: [], scale: 1, variable: "DATABASE_URL" };
const signal = new AbortController().signal;
let folder: string;
let arms: readonly [head: string, base: string];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  arms = [join(folder, "head"), join(folder, "base")];
  for (const arm of arms) await mkdir(join(arm, "data"), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const run = async (arm: string, name: string, script: string) => {
  const code = `import sqlite3; c = sqlite3.connect(${JSON.stringify(join(arm, name))}); c.executescript(${JSON.stringify(script)}); c.close()`;
  await execute("python3", ["-c", code]);
};
const notes = "CREATE TABLE notes (id INTEGER, text TEXT);";

test("each copy is as the commands left the files, in the folder of its arm", async () => {
  await using server = openDatabaseFiles({ workFolder: folder, signal });
  const [head, base] = arms;
  const kinds: string[] = [];
  const template = await server.seed(
    seed,
    async (kind, url) => {
      kinds.push(`${kind} ${url}`);
      await run(
        head,
        "data/app.db",
        kind === "migrate" ? notes : "INSERT INTO notes VALUES (1, 'a'), (2, 'b');",
      );
    },
    head,
  );
  expect(kinds).toEqual([`migrate sqlite:${head}`, `seed sqlite:${head}`]);
  const first = await template.copy(head);
  await run(head, "data/app.db", "DELETE FROM notes;");
  await run(head, "other.db", notes);
  expect(await first.readColumn("SELECT count(*) FROM notes", 10)).toEqual([0]);
  const second = await template.copy(head);
  expect(await readdir(head)).toEqual(["data"]);
  expect(await second.readColumn("SELECT text FROM notes ORDER BY 1", 1)).toEqual(["a"]);
  expect(await second.readTable("SELECT id, text AS word FROM notes ORDER BY 1", 1)).toEqual({
    columns: ["id", "word"],
    rows: [[1, "a"]],
  });
  const ofBase = await template.copy(base);
  expect(await ofBase.readColumn("SELECT id FROM notes ORDER BY 1", 10)).toEqual([1, 2]);
  const ours = await template.copy();
  expect(await ours.readColumn("SELECT id FROM notes WHERE id > 1", 10)).toEqual([2]);
});

test("says which figures there are, and SQLite's words for a query that fails", async () => {
  await using server = openDatabaseFiles({ workFolder: folder, signal });
  expect(server).toMatchObject({ version: undefined, statementStatistics: false, maxConnections: undefined });
  expect(server.cpuSeconds()).toBe(0);
  const [head] = arms;
  const template = await server.seed(seed, undefined, head);
  await using empty = await template.copy(head);
  const asked = (query: string) => empty.readColumn(query, 10);
  await expect(asked("SELECT 1")).rejects.toThrow("the app has created no SQLite file in its folder");
  await run(head, "b.db", notes);
  await run(head, "c.db", "CREATE TABLE other (id INTEGER); INSERT INTO other VALUES (7), (NULL);");
  expect(await asked("SELECT id FROM other ORDER BY id")).toEqual([null, 7]);
  expect(await asked("SELECT id FROM notes")).toEqual([]);
  await expect(asked("SELECT id FROM missing")).rejects.toThrow(/no such table: missing/);
  await expect(asked("SELECT id FROM missing")).rejects.toBeInstanceOf(EnvironmentError);
  await empty.resetStatements();
  expect([await empty.countStatements(), await empty.countConnections()]).toEqual([undefined, undefined]);
  await using watch = await empty.watch();
  await watch.begin();
  expect(await watch.read()).toEqual({ facts: { tables: [] }, unseen: [] });
});

test("infinity, which JSON has not, is a value like any other", async () => {
  await using server = openDatabaseFiles({ workFolder: folder, signal });
  const [head] = arms;
  const template = await server.seed(
    seed,
    async (kind) => {
      if (kind === "migrate") await run(head, "app.db", notes);
    },
    head,
  );
  await using copy = await template.copy(head);
  expect(await copy.readColumn("SELECT 9e999 UNION ALL SELECT -9e999 FROM notes", 10)).toEqual(["inf"]);
});

test("a template without an app's folder is nobody's", async () => {
  await using server = openDatabaseFiles({ workFolder: folder, signal });
  await expect(server.seed(seed)).rejects.toThrow("belong to an app's folder");
});
