import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openDatabaseServer } from "../../../src/adapters/postgres/database-server.ts";
import type { DatabaseServer } from "../../../src/ports/database.ts";

const run = promisify(execFile);

/** Folders with all programs of a version: this machine's, and those that the variable names. */
const installed = "/usr/lib/postgresql";
const folders = [
  ...(existsSync(installed) ? readdirSync(installed).map((major) => join(installed, major, "bin")) : []),
  ...(process.env["LOADTEST_POSTGRES_FOLDERS"] ?? "").split(delimiter),
].filter((folder) => existsSync(join(folder, "pg_dump")) && existsSync(join(folder, "initdb")));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-dumps-"));
  await chmod(folder, 0o711);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.for(folders)("%s", (programs) => {
  let server: DatabaseServer;
  const steps: string[] = [];

  beforeAll(async () => {
    vi.stubEnv("PATH", `${programs}${delimiter}${process.env["PATH"]}`);
    const seed = { seedFiles: [], scale: 1, variable: "DATABASE_URL" };
    server = await openDatabaseServer(
      { kind: "private", ...seed },
      {
        ...{ workFolder: folder, toolsFolder: join(folder, "tools"), signal: new AbortController().signal },
        onStep: (text) => steps.push(text),
      },
    );
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    vi.unstubAllEnvs();
  });

  const seeded = async (path: string) =>
    await (await server.seed({ seedFiles: [path], scale: 1, variable: "DATABASE_URL" })).copy();
  /** Some packages of Postgres lack the extensions: their types are texts then. */
  const everything = async () => {
    await using empty = await (
      await server.seed({ seedFiles: [], scale: 1, variable: "DATABASE_URL" })
    ).copy();
    const asked = "SELECT name FROM pg_available_extensions WHERE name IN ('citext', 'hstore')";
    const own = resolve("test/adapters/postgres/dumped.sql");
    if ((await empty.readColumn(asked, 2)).length === 2) return own;
    const text = await readFile(own, "utf8");
    const without = join(folder, "without.sql");
    await writeFile(
      without,
      text.replaceAll(/^CREATE EXTENSION .*/gm, "").replaceAll(/\b(?:CITEXT|HSTORE)\b/g, "TEXT"),
    );
    return without;
  };
  const dump = async (url: string, ...options: readonly string[]) =>
    (await run(join(programs, "pg_dump"), [...options, url], { encoding: "buffer", maxBuffer: 1e9 })).stdout;
  /** Without what each call makes anew. */
  const comparable = (text: Buffer) => text.toString().replaceAll(/^\\(?:un)?restrict .*$/gm, "");

  test("a dump of a database with everything in it is restored as it was", async () => {
    await using first = await seeded(await everything());
    const plain = await dump(first.url);
    const file = (name: string) => join(folder, name);
    await writeFile(file("plain.sql"), plain);
    await writeFile(file("packed.sql.gz"), gzipSync(plain));
    await writeFile(file("custom.dump"), await dump(first.url, "--format=custom"));
    await writeFile(file("tar.dump"), await dump(first.url, "--format=tar"));
    await writeFile(file("inserts.sql"), await dump(first.url, "--inserts", "--rows-per-insert=100"));
    await writeFile(file("create.sql"), await dump(first.url, "--create", "--clean", "--if-exists"));
    await writeFile(file("clean.sql"), await dump(first.url, "--clean", "--if-exists"));
    for (const name of [
      "plain.sql",
      "packed.sql.gz",
      "custom.dump",
      "tar.dump",
      "inserts.sql",
      "create.sql",
      "clean.sql",
    ]) {
      await using again = await seeded(file(name));
      expect(comparable(await dump(again.url)), name).toBe(comparable(plain));
    }
  });
});
