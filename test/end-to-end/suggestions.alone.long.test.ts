import { execFile } from "node:child_process";
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

import { explainSchema } from "../../src/report/explain/explain-schema.ts";
import { root } from "./act.ts";
import { runProgram } from "./program.ts";

const main = `import asyncio
import os
import subprocess
import time
from contextlib import asynccontextmanager

from fastapi import FastAPI
from psycopg_pool import AsyncConnectionPool

pool = AsyncConnectionPool(
    os.environ["DATABASE_URL"],
    min_size=2,
    max_size=2,
    open=False,
)


@asynccontextmanager
async def lifespan(app):
    await pool.open(wait=True)
    yield


app = FastAPI(lifespan=lifespan)


async def fetch(statement, *values):
    async with pool.connection() as connection:
        return await (await connection.execute(statement, values)).fetchall()


@app.get("/pool")
async def of_pool():
    await fetch("SELECT pg_sleep(0.02)")
    return {}


@app.get("/blocking")
async def of_blocking():
    time.sleep(0.01)
    return {}


@app.get("/thread")
async def of_thread():
    subprocess.run(["sleep", "0.1"])
    return {}


@app.get("/index")
async def of_index():
    return {"n": len(await fetch("SELECT id FROM orders WHERE customer_id = %s", 7))}


@app.get("/health")
async def health():
    return {}
`;
const schema = `CREATE TABLE orders (id serial PRIMARY KEY, customer_id integer NOT NULL, note text NOT NULL);
INSERT INTO orders (customer_id, note) SELECT i % 5000, repeat('a', 50) FROM generate_series(1, 100000) AS i;
`;
const configOf = (endpoint: string) => `app: main:app
install: ${join(root, ".tools", "target-app")}
ready-path: /health
seed: schema.sql
workers: [1]
endpoints: [${endpoint}]
duration: 4s
max-minutes: 2
soak: 0s
count-instructions: never
`;

const isLong = process.env["LOADTEST_LONG"] !== undefined;

/** The speed that a cause's share of the time leaves room for is reached by so much of it at least. */
const leastShare = 0.5;

test.runIf(isLong).for<[endpoint: string, patch: RegExp]>([
  ["/pool", /^--- a\/main\.py\n\+\+\+ b\/main\.py\n@@ -12 \+12 @@\n- {4}max_size=2,\n\+ {4}max_size=8,$/],
  ["/blocking", /\n- {4}time\.sleep\(0\.01\)\n\+ {4}await asyncio\.sleep\(0\.01\)$/],
  [
    "/thread",
    /\n- {4}subprocess\.run\(\["sleep", "0\.1"\]\)\n\+ {4}await asyncio\.to_thread\(subprocess\.run, \["sleep", "0\.1"\]\)$/,
  ],
  ["/index", /^CREATE INDEX ON orders \(customer_id\);$/],
])(
  "%s is faster with what is suggested, as predicted",
  { timeout: 600_000 },
  async ([endpoint, expected]) => {
    const folder = await mkdtemp(join(tmpdir(), "suggestions-"));
    const git = (...args: string[]) =>
      promisify(execFile)("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], {
        cwd: folder,
      });
    const commit = async () => {
      await git("add", "--all");
      await git("commit", "--quiet", "--message=Change");
    };
    const cellOf = async () =>
      explainSchema.parse(JSON.parse((await runProgram(folder, ["explain"])).output));
    try {
      await writeFile(join(folder, "main.py"), main);
      await writeFile(join(folder, "schema.sql"), schema);
      await writeFile(join(folder, "loadtest.yml"), configOf(endpoint));
      await git("init", "--quiet", "--initial-branch=main");
      await commit();

      const run = ["run", "--config", "loadtest.yml"];
      const first = await runProgram(folder, [...run, "--base-ref", "none", "--diagnose", "always"]);
      expect(first.status, first.output).toBe(0);
      const before = await cellOf();
      const cause = before.causes.find(({ quoted }) => quoted.patch !== undefined);
      expect(cause?.quoted.patch, first.output).toMatch(expected);

      const patch = cause?.quoted.patch ?? "";
      await git("checkout", "--quiet", "-b", "suggested");
      if (patch.startsWith("CREATE")) await appendFile(join(folder, "schema.sql"), `${patch}\n`);
      else {
        await writeFile(join(folder, ".git", "patch"), `${patch}\n`);
        await git("apply", "--unidiff-zero", ".git/patch");
      }
      await commit();
      const second = await runProgram(folder, [...run, "--base-ref", "main", "--no-only-affected"]);
      expect(second.status, second.output).toBe(0);
      const [cell] = (await cellOf()).cells;
      expect(cell?.verdict, second.output).toBe("faster");
      // Without the share of the time that the cause takes, as many users get so many more replies.
      const predicted = 1 / (1 - Math.min(0.9, cause?.weight ?? 0)) - 1;
      expect(cell?.throughput?.change, `${cause?.weight}`).toBeGreaterThan(leastShare * predicted);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
