import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";

import { root } from "./act.ts";

vi.setConfig({ testTimeout: 180_000 });

export const run = promisify(execFile);
/** That of one case, and an environment for all. */
export let folder = "";
export let venv = "";
beforeAll(async () => {
  venv = await mkdtemp(join(tmpdir(), "own-settings-venv-"));
  await run("python3", ["-m", "venv", venv]);
  const packages = ["fastapi", "uvicorn[standard]", "gunicorn", "uvicorn-worker", "asyncpg", "python-dotenv"];
  const more = ["psycopg[binary]", "sqlalchemy", "locust", "hypercorn"];
  const install = ["install", "--quiet", "--disable-pip-version-check"];
  await run(join(venv, "bin", "pip"), [...install, ...packages, ...more]);
}, 300_000);
afterAll(() => rm(venv, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "own-settings-test-"));
  await chmod(folder, 0o755); // Postgres runs as another user
  return () => rm(folder, { recursive: true, force: true });
});

/** An app that runs some lines before it serves. */
export const starting = (lines: string, head = "") => `import asyncio, os, socket, struct
from contextlib import asynccontextmanager
from fastapi import FastAPI, Response
from fastapi.responses import RedirectResponse
${head}

@asynccontextmanager
async def lifespan(app: FastAPI):
${lines.replaceAll(/^/gm, "    ")}
    yield

app = FastAPI(lifespan=lifespan)

@app.get("/nets")
async def nets():
    return [1]

@app.get("/old")
async def old():
    return RedirectResponse("/nets")
`;

/** Files and options of a team's, and what the tool prints. */
export interface Own {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  /** The case's folder is the home. */
  readonly isAtHome?: boolean;
  readonly exit: number;
  readonly says: readonly (string | RegExp)[];
  readonly saysNot?: readonly (string | RegExp)[];
}

export async function ran(
  { files = {}, options = {}, variables = {}, isAtHome }: Omit<Own, "name" | "exit" | "says">,
  verb = "run",
) {
  for (const [name, text] of Object.entries({ "main.py": starting("pass"), ...files })) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const ofRun = {
    ...{ vus: "2", duration: "2s", "base-ref": "none", diagnose: "never" },
    "results-directory": join(folder, "results"),
  };
  const endpoints = "script" in options || "config" in options ? {} : { endpoints: "/nets" };
  const words = {
    app: "main:app",
    install: venv,
    database: "none",
    workers: "1",
    ...endpoints,
    ...ofRun,
    ...options,
  };
  const argv = Object.entries(words).flatMap(([name, value]) => [`--${name}`, value]);
  const env = {
    ...process.env,
    TMPDIR: folder,
    GITHUB_STEP_SUMMARY: "",
    ...(isAtHome && { HOME: folder }),
    ...variables,
  };
  return await run("node", [join(root, "dist", "cli.js"), verb, ...argv], { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ exit: 0, text: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ exit: Number(code), text: `${stdout}${stderr}` }),
  );
}

export function isSaid(owns: readonly Own[]) {
  test.for(owns)("$name", async ({ exit: wanted, says, saysNot = [], ...own }) => {
    const { exit, text } = await ran(own);
    for (const each of says) expect(text).toMatch(each);
    for (const each of saysNot) expect(text).not.toMatch(each);
    expect(exit, text).toBe(wanted);
  });
}
