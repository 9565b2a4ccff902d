import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

import { root } from "../contract/files.ts";

const run = promisify(execFile);

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "causes-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const appOf = (wait: string) => `import asyncio
import time

from fastapi import FastAPI

app = FastAPI()


@app.get("/orders")
async def orders() -> dict[str, int]:
    ${wait}
    return {"orders": 1}
`;

async function git(...args: readonly string[]): Promise<void> {
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
  await run("git", ["-C", join(folder, "repo"), ...who, ...args]);
}

/** A repository with the app in the folder `api`; its head waits in another way than its branch `main`. */
async function makeRepository(): Promise<void> {
  await mkdir(join(folder, "repo", "api"), { recursive: true });
  const app = join(folder, "repo", "api", "main.py");
  await git("init", "--quiet", "--initial-branch=main");
  await writeFile(app, appOf("await asyncio.sleep(0.05)"));
  await git("add", "--all");
  await git("commit", "--quiet", "--message=Wait");
  await git("switch", "--quiet", "--create", "feature");
  await writeFile(app, appOf("time.sleep(0.05)"));
  await git("commit", "--quiet", "--all", "--message=Block");
}

/** Runs the bundle as a GitHub runner would, but for the things that only GitHub has. */
async function loadtest(options: Readonly<Record<string, string>>) {
  const argv = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    TMPDIR: folder,
    LOADTEST_K6: process.env["LOADTEST_K6"],
    GITHUB_ACTIONS: "true",
  };
  const { stdout } = await run("node", [join(root, "dist", "cli.js"), "run", ...argv], { env });
  return stdout;
}

test("a head that blocks the loop is told with its line, as new and in the diff", {
  timeout: 900_000,
}, async () => {
  await makeRepository();
  const output = await loadtest({
    app: "main:app",
    "working-directory": join(folder, "repo", "api"),
    install: join(root, ".tools", "target-app"),
    "ready-path": "/orders",
    endpoints: "/orders",
    workers: "1",
    database: "none",
    "base-ref": "main",
    "max-minutes": "0.5",
    "fail-on": "never",
    "results-directory": join(folder, "results"),
  });
  const why = output.split("\n").filter((line) => line.startsWith("Why: "));
  // Where the hypervisor has the CPU nothing may be judged, and no cause is looked for.
  if (why.length === 0 && output.includes("steal: ")) return;
  expect(why, output).toHaveLength(1);
  expect(why[0]).toMatch(/\/orders blocks the event loop for \d/);
  expect(why[0]).toContain("at main.py:11 (time.sleep(0.05))");
  expect(why[0]).toContain("– new in this pull request. ");
  expect(output).toMatch(
    /^::warning title=Load test%3A blocking call on the event loop,file=api\/main\.py,line=11::/m,
  );
  const markdown = await readFile(join(folder, "results", "report.md"), "utf8");
  expect(markdown).toContain("at `main.py:11` (`time.sleep(0.05)`)");
});
