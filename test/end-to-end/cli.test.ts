import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { root } from "./act.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cli-test-"));
  await chmod(folder, 0o711); // as the system's own: Postgres may run as another user
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const sql = ["01-schema", "02-seed", "03-indexes", "04-verify"].map((name) =>
  join(root, "sql", `${name}.sql`),
);
const targetApp = {
  app: "app.asgi:app",
  "app-folder": join(root, "target-app"),
  install: join(root, ".tools", "target-app"),
  "ready-path": "/health",
  seed: sql.join("\n"),
  workers: "1",
  duration: "1s",
  warmup: "0s",
};

/** Starts the bundle as a user would. Its temporary files lie in a folder of the test's. */
function start(verb: string, options: Record<string, string>) {
  const given = { "results-folder": join(folder, "results"), ...options };
  const argv = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    TMPDIR: folder,
    LOADTEST_K6: process.env["LOADTEST_K6"],
  };
  const child = spawn("node", [join(root, "dist", "cli.js"), verb, ...argv], { env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, ended, output: () => output };
}

async function run(verb: string, options: Record<string, string>) {
  const { ended, output } = start(verb, options);
  return { status: await ended, output: output() };
}

/** Processes whose environment or arguments name the test's folder: what a run has left behind. */
async function leftovers(): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found: string[] = [];
  for (const pid of pids) {
    const texts = await Promise.all(
      ["environ", "cmdline"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "")),
    );
    if (texts.some((text) => text.includes(folder))) found.push(texts[1]?.replaceAll("\0", " ") ?? pid);
  }
  return found;
}

describe("bad input", () => {
  const noStart = () => expect(existsSync(join(folder, "results"))).toBe(false);

  test("is told all at once, and nothing is started", async () => {
    const options = { workers: "1,,2", duration: "soon", endpoints: "items", seed: "missing.sql", app: "x" };
    const { status, output } = await run("run", { ...targetApp, ...options, nonsense: "1" });
    expect(status).toBe(2);
    expect(output.split("\n").filter((line) => line.startsWith("  - "))).toHaveLength(6);
    noStart();
  });

  test("an app that cannot be imported", async () => {
    const { status, output } = await run("run", { ...targetApp, app: "app.nothing:app" });
    expect(output).toMatch(/app: "app\.nothing:app" cannot be imported .*ModuleNotFoundError/);
    expect(status).toBe(2);
    expect(await leftovers()).toEqual([]);
  });

  test("a port that is taken", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    const { status, output } = await run("run", { ...targetApp, port });
    await new Promise((resolve) => server.close(resolve));
    expect(output).toMatch(new RegExp(`port: .*${port}`));
    expect(status).toBe(2);
  });
});

test("an app whose settings are wrong, in its own words", async () => {
  const { status, output } = await run("run", { ...targetApp, "app-env": "POOL_SIZE=0" });
  expect(output).toMatch(/app: .*pool_size.*greater than or equal to 1/i);
  expect(status).toBe(2);
});

describe("an environment that fails", () => {
  test("a database that does not answer, in the server's words", async () => {
    const url = "postgresql://u:hunter2@127.0.0.1:1/postgres";
    const { status, output } = await run("run", { ...targetApp, "database-url": url });
    expect(output).toMatch(/ECONNREFUSED/);
    expect(output).not.toContain("hunter2");
    expect(status).toBe(3);
    expect(await readFile(join(folder, "results", "report.md"), "utf8")).toContain("ECONNREFUSED");
  });
});

test("a run leaves a table, documents and nothing else", async () => {
  const { status, output } = await run("run", { ...targetApp, endpoints: "/async_select?user_id=1" });
  expect(output).toContain("/async_select?user_id=1");
  expect(status).toBe(0);
  expect((await readdir(join(folder, "results"))).toSorted()).toEqual([
    "cells",
    "figures.json",
    "logs",
    "plan.json",
    "report.html",
    "report.md",
  ]);
  expect(await readdir(folder)).toEqual(["results"]);
  expect(await leftovers()).toEqual([]);
  const [first] = JSON.parse(await readFile(join(folder, "results", "figures.json"), "utf8")).cells;
  expect(first.throughputRequestsPerSecond).toBeGreaterThan(10);
  expect(first.statementsPerRequest).toBeCloseTo(3, 0); // BEGIN, SELECT, COMMIT
});

describe("Ctrl-C", () => {
  const moments = ["starting PostgreSQL", "seeding", "starting the app", "under load"];

  test.for(moments)(
    "while %s: children gone, results on disk, 130, within 7 s",
    { timeout: 60_000 },
    async (moment) => {
      const endpoints = "/health\n/async_select?user_id=1";
      const running = start("run", {
        ...targetApp,
        endpoints,
        duration: moment === "under load" ? "30s" : "1s",
      });
      await said(running, moment);
      const asked = performance.now();
      running.child.kill("SIGINT");
      expect(await running.ended).toBe(130);
      expect(performance.now() - asked).toBeLessThan(7_000);
      expect(await leftovers()).toEqual([]);
      expect(existsSync(join(folder, "results", "plan.json"))).toBe(true);
      expect(await readdir(folder)).toEqual(["results"]);
    },
  );
});

async function said(
  { child, output }: { child: ChildProcess; output(): string },
  words: string,
): Promise<void> {
  while (!output().includes(words)) {
    if (child.exitCode !== null) throw new Error(`ended before "${words}":\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
