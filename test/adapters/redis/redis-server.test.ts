import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { findRedisProgram, startRedis } from "../../../src/adapters/redis/index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-redis-"));
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A program of that name before all others; it has the port at its second place, as `redis-server` does. */
async function install(code: string): Promise<void> {
  const program = join(folder, "redis-server");
  await writeFile(program, `#!${process.execPath}\n${code}\n`);
  await chmod(program, 0o755);
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
}

const start = async (signal = new AbortController().signal) => {
  const server = createServer();
  const port = await new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    }),
  );
  return await startRedis({ port, folder, logPath: join(folder, "redis.log"), cpus: undefined, signal });
};

const answering = `
const port = Number(process.argv[3]);
if (process.argv[2] !== "--port" || !process.argv.includes("--save")) process.exit(9);
require("node:net").createServer((socket) => socket.on("data", () => socket.write("+PONG\\r\\n"))).listen(port, "127.0.0.1");
`;

test("a server is there once it answers, and gone afterwards", async () => {
  await install(answering);
  let again: (() => Promise<Response>) | undefined;
  {
    await using server = await start();
    again = () => fetch(`http://127.0.0.1:${server.port}`);
  }
  await expect(again()).rejects.toThrow();
});

test.for([
  ["never listens", "setInterval(() => {}, 1_000)"],
  ["never answers", "require('node:net').createServer().listen(Number(process.argv[3]), '127.0.0.1')"],
])("waiting for one that %s can be cancelled", async ([, code = ""]) => {
  await install(code);
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(new Error("cancelled by the user")), 500);
  await expect(start(cancel.signal)).rejects.toThrow("cancelled by the user");
});

test("one that never answers is given up after ten seconds", async () => {
  await install("require('node:net').createServer().listen(Number(process.argv[3]), '127.0.0.1')");
  await expect(start()).rejects.toThrow("Redis did not answer in time");
});

test("one that ends tells its words", async () => {
  await install("console.log('no memory'); process.exit(4)");
  const failure = await start().catch((error: unknown) => error);
  expect(failure).toMatchObject({
    phase: "start app",
    message: "Redis ended with code 4 while it started",
    logTail: expect.stringContaining("no memory"),
  });
});

test("without a program the remedy is told", async () => {
  vi.stubEnv("PATH", "/nowhere");
  expect(await findRedisProgram()).toBeUndefined();
  await expect(start()).rejects.toThrow(
    "redis-env is set, but neither redis-server nor valkey-server is on PATH; install one before, e.g. sudo apt-get install --yes redis-server",
  );
});
