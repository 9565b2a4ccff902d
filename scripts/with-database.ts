// Runs a command with DATABASE_URL set to a fresh, seeded Postgres that is gone afterwards.
import { spawn } from "node:child_process";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { openDatabaseServer } from "../src/adapters/postgres/index.ts";

const [program, ...args] = process.argv.slice(2);
if (program === undefined) throw new Error("usage: with-database PROGRAM [ARGUMENT ...]");

const workFolder = await mkdtemp(join(tmpdir(), "fastapi-loadtest-"));
await chmod(workFolder, 0o711); // Postgres may run as another user and must reach its own folder below
const cancel = new AbortController();
process.on("SIGINT", () => cancel.abort()).on("SIGTERM", () => cancel.abort());

try {
  const names = (await readdir("sql")).filter((name) => name.endsWith(".sql")).toSorted();
  const seedFiles = names.map((name) => resolve("sql", name));
  const seed = { seedFiles, scale: 0.01, variable: "DATABASE_URL" };
  await using server = await openDatabaseServer(
    { kind: "private", ...seed },
    { workFolder, toolsFolder: resolve(".tools"), signal: cancel.signal, onStep: () => undefined },
  );
  const template = await server.seed(seed);
  await using database = await template.copy();
  process.exitCode = await runWith(program, args, database.url);
} finally {
  await rm(workFolder, { recursive: true, force: true });
}

function runWith(name: string, words: readonly string[], url: string): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(name, words, { stdio: "inherit", env: { ...process.env, DATABASE_URL: url } });
    child.once("error", fail);
    child.once("close", (code) => done(code ?? 1));
  });
}
