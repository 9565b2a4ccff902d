import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { findFreePort } from "../../src/adapters/server/index.ts";
import { hasProgram, searchPath, startService } from "../../src/adapters/services/index.ts";
import { servicePresets } from "../../src/model/workload/service-presets.ts";
import { root } from "./act.ts";

vi.setConfig({ testTimeout: 600_000 });

const run = promisify(execFile);
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "services-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A pull request whose head no longer remembers what it computed. */
async function forgetful(): Promise<string> {
  const app = join(folder, "app");
  await cp(join(root, "test/end-to-end/cached"), app, { recursive: true });
  const git = (...words: string[]) =>
    run("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...words], { cwd: app });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "main.py", "store.py");
  await git("commit", "--quiet", "--message=base");
  await cp(join(app, "store.head.py"), join(app, "store.py"));
  await git("commit", "--quiet", "--all", "--message=head");
  return app;
}

interface Judged {
  readonly verdict: string;
  /** Change of the throughput, as a share of the base's. */
  readonly change: number;
  /** Requests to the head that computed what it does not remember, as a share of all. */
  readonly computed: number;
}

async function judged(app: string, configuration: string): Promise<Judged> {
  await mkdir(join(app, ".github"), { recursive: true });
  await writeFile(join(app, ".github", "loadtest.yml"), configuration);
  const results = join(folder, "results");
  const options = {
    "results-directory": results,
    install: join(root, ".tools", "target-app"),
    "base-ref": "HEAD~1",
    "fail-on": "never",
  };
  const argv = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  await run("node", [join(root, "dist", "cli.js"), "run", ...argv], {
    cwd: app,
    env: { ...process.env, TMPDIR: folder },
  });
  const { cells } = JSON.parse(await readFile(join(results, "figures.json"), "utf8"));
  const { verdict, throughputEffect } = cells[0];
  return { verdict, change: throughputEffect, computed: await computedShare(join(results, "logs")) };
}

/** By the words with which the head's servers ended. */
async function computedShare(logs: string): Promise<number> {
  const names = (await readdir(logs)).filter((name) => name.endsWith("-head.log"));
  const texts = await Promise.all(names.map((name) => readFile(join(logs, name), "utf8")));
  const ends = [...texts.join("\n").matchAll(/^computed (\d+) of (\d+)$/gm)];
  const sum = (group: number) => ends.reduce((total, match) => total + Number(match[group]), 0);
  return sum(1) / sum(2);
}

const common = `app: main:app
database: none
endpoints: /price
workers: 1
ready-path: /docs
only-affected: false
diagnose: never
min-change: 20%
max-minutes: 4
`;

test("a Redis that both arms share hides what one for each arm shows", async ({ skip }) => {
  const redis = { name: "redis", ...servicePresets["redis"] };
  skip(!(await hasProgram({ programs: redis.programs ?? [] })), "Redis is not on this machine");
  const app = await forgetful();

  const own = await judged(app, `${common}services: redis\n`);
  expect(own).toMatchObject({ verdict: "slower" });
  expect(own.change).toBeLessThan(-0.5);
  expect(own.computed).toBeGreaterThan(0.99);

  const { programs = [], address, appVariables, ready, readyWithinSeconds } = redis;
  if (address === undefined || appVariables === undefined || ready === undefined)
    throw new Error("no preset");
  await using shared = await startService(
    { name: "redis", programs, address, appVariables, ready, readyWithinSeconds: readyWithinSeconds ?? 10 },
    {
      appFolder: app,
      workFolder: join(folder, "shared"),
      path: searchPath(""),
      logPath: join(folder, "redis.log"),
      cpus: undefined,
      signal: new AbortController().signal,
      freePort: findFreePort,
    },
  );
  const both = await judged(app, `${common}app-env: { REDIS_URL: "${shared.variables["REDIS_URL"]}" }\n`);
  // The base has computed for the head, which looks as quick as ever.
  expect(both).toMatchObject({ verdict: "unchanged" });
  expect(both.computed).toBeLessThan(0.01);
});
