import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { findFreePort } from "../../../src/adapters/server/index.ts";
import { hasProgram, openMysql } from "../../../src/adapters/services/index.ts";
import { mysqlService } from "../../../src/model/workload/service-presets.ts";

vi.setConfig({ testTimeout: 600_000 });

const run = promisify(execFile);
const client = "mariadb";
const isHere =
  (await hasProgram(mysqlService)) && (await hasProgram({ programs: [{ program: client, args: [] }] }));
const seed = { seedFiles: [], scale: 1, variable: "DATABASE_URL" };

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mysql-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function open() {
  const signal = new AbortController().signal;
  return await openMysql({ workFolder: folder, signal, cpus: undefined, freePort: findFreePort });
}

async function say(url: string, statements: string): Promise<void> {
  const { port, pathname } = new URL(url);
  const place = ["--no-defaults", "--protocol=tcp", "--host=127.0.0.1", `--port=${port}`, "--user=app"];
  await run(client, [...place, "--password=app", pathname.slice(1), "--execute", statements]);
}

test("each copy begins with what was filled in, and is nobody else's", async ({ skip }) => {
  skip(!isHere, "MariaDB and its client are not on this machine");
  const kinds: string[] = [];
  const server = await open();
  const template = await server.seed(seed, async (kind, url) => {
    kinds.push(kind);
    expect(new URL(url)).toMatchObject({ protocol: "mysql:", username: "app", password: "app" });
    if (kind === "migrate") await say(url, "CREATE TABLE notes (id INT PRIMARY KEY, title VARCHAR(20))");
    else await say(url, "INSERT INTO notes VALUES (1, 'a\\tb'), (2, NULL), (3, '007')");
  });
  expect(kinds).toEqual(["migrate", "seed"]);
  const [one, other] = await Promise.all([template.copy(), template.copy()]);
  expect(one.url).not.toBe(other.url);
  await say(one.url, "DELETE FROM notes");
  expect(await one.readColumn("SELECT id FROM notes", 10)).toEqual([]);
  expect(await other.readColumn('SELECT "id" FROM "notes" ORDER BY 1', 2)).toEqual([1, 2]);
  expect(await other.readColumn("SELECT title FROM notes ORDER BY id", 10)).toEqual(["a\tb", null, "007"]);
  expect(await other.readTable('SELECT id, title AS "the title" FROM notes ORDER BY id', 2)).toEqual({
    columns: ["id", "the title"],
    rows: [
      [1, "a\tb"],
      [2, null],
    ],
  });
  await expect(other.readColumn("SELECT nothing FROM notes", 10)).rejects.toThrow("Unknown column 'nothing'");
  expect(server.cpuSeconds()).toBeGreaterThan(0);
  const command = join(folder, "touched");
  await expect(one.readColumn(`SELECT 1 FROM "a" \\! touch ${command}`, 10)).rejects.toThrow();
  expect(existsSync(command)).toBe(false);
  await one[Symbol.asyncDispose]();
  await expect(one.readColumn("SELECT 1", 1)).rejects.toThrow("connect");
  expect(await other.readColumn("SELECT 1", 1)).toEqual([1]);
  await server[Symbol.asyncDispose]();
  await expect(other.readColumn("SELECT 1", 1)).rejects.toThrow("connect");
});

test("a command that fails leaves nothing behind", async ({ skip }) => {
  skip(!isHere, "MariaDB and its client are not on this machine");
  const server = await open();
  let address = "";
  const seeding = server.seed(seed, async (_, url) => {
    address = url;
    throw new Error("no such table");
  });
  await expect(seeding).rejects.toThrow("no such table");
  await expect(say(address, "SELECT 1")).rejects.toThrow("connect");
  await server[Symbol.asyncDispose]();
  expect(await readdir(folder)).toEqual([]);
});
