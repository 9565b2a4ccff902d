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
  folder = await mkdtemp(join(tmpdir(), "footprint-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const appOf = (remembered: string, table = "{}") => `from fastapi import FastAPI

app = FastAPI()
table = ${table}
seen: list[str] = []


def remember(number: int) -> int:
    ${remembered}
    return len(text)


@app.get("/orders")
async def orders() -> dict[str, int]:
    return {"orders": remember(len(seen))}
`;

async function git(...args: readonly string[]): Promise<void> {
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
  await run("git", ["-C", join(folder, "repo"), ...who, ...args]);
}

/** A repository with the app in the folder `api`, in two versions. */
async function makeRepository(base: string, head: string): Promise<void> {
  await mkdir(join(folder, "repo", "api"), { recursive: true });
  const app = join(folder, "repo", "api", "main.py");
  await git("init", "--quiet", "--initial-branch=main");
  await writeFile(app, base);
  await git("add", "--all");
  await git("commit", "--quiet", "--message=Before");
  await git("switch", "--quiet", "--create", "feature");
  await writeFile(app, head);
  await git("commit", "--quiet", "--all", "--message=After");
}

/** What a run against the base prints. */
async function compared(more: Readonly<Record<string, string>>): Promise<string> {
  const options = {
    app: "main:app",
    "working-directory": join(folder, "repo", "api"),
    install: join(root, ".tools", "target-app"),
    "ready-path": "/orders",
    endpoints: "/orders",
    workers: "1",
    database: "none",
    "base-ref": "main",
    // Whatever the machine's mood, a cell must end early.
    "min-change": "30%",
    "fail-on": "never",
    "results-directory": join(folder, "results"),
    ...more,
  };
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

/** A pair of servers must live for most of a minute first: `npm run test:weekly`. */
test.runIf(process.env["LOADTEST_LONG"] !== undefined)(
  "the line that keeps memory is told, with its bytes per request, as in the diff",
  { timeout: 1_200_000 },
  async () => {
    await makeRepository(
      appOf('text = str(number) + "x" * 2_000'),
      appOf('seen.append(text := str(number) + "x" * 2_000)'),
    );
    // Minutes must be left for the pair that gets old.
    const stdout = await compared({ "max-minutes": "4", soak: "45s" });
    expect(stdout).toMatch(/Peak memory went from \S+ to \S+ MB/);
    expect(stdout).toMatch(/Memory grows over time: by /);
    const why = stdout.split("\n").filter((line) => line.includes("bytes per request in memory at"));
    expect(why.length, stdout).toBeGreaterThan(0);
    expect(why[0]).toMatch(
      /remember\(\) keeps 2,\d{3} (?:more )?bytes per request in memory at main\.py:9\b/,
    );
    expect(why[0]).toContain("– changed in this pull request. ");
    expect(stdout).toMatch(/^::warning title=Load test%3A growing memory,file=api\/main\.py,line=9::/m);
    const markdown = await readFile(join(folder, "results", "report.md"), "utf8");
    expect(markdown).toContain("bytes per request in memory at `main.py:9`");
  },
);

/** Both servers must start a few times: `npm run test:weekly`. */
test.runIf(process.env["LOADTEST_LONG"] !== undefined)(
  "the line that slows the start is told, and what it takes of memory",
  { timeout: 600_000 },
  async () => {
    const remembered = 'text = str(number) + "x" * 2_000';
    await makeRepository(
      appOf(remembered),
      appOf(remembered, "{number: str(number) for number in range(1_500_000)}"),
    );
    const stdout = await compared({ "max-minutes": "2", soak: "0s" });
    expect(stdout).toMatch(/Starting the server takes \S+ s of CPU instead of \S+ s/);
    expect(stdout).toMatch(/Memory when ready went from \S+ to \S+ MB/);
    const why = stdout.split("\n").filter((line) => line.includes("worker's start"));
    expect(why[0], stdout).toMatch(/starting a worker takes \S+ s more CPU at main\.py:4/i);
    expect(why[0]).toContain("– changed in this pull request. ");
    expect(stdout).toMatch(/^::warning title=Load test%3A slower start,file=api\/main\.py,line=4::/m);
  },
);
