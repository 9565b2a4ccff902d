import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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
  /** Changes of the throughput and of the CPU time per request, as shares of the base's. */
  readonly change: number;
  readonly cpuChange: number;
}

async function judged(app: string, configuration: string): Promise<Judged> {
  await mkdir(join(app, ".github"), { recursive: true });
  await writeFile(join(app, ".github", "loadtest.yml"), configuration);
  const results = join(folder, "results");
  const options = {
    "results-folder": results,
    install: join(root, ".tools", "target-app"),
    base: "HEAD~1",
    "fail-on": "never",
  };
  const argv = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  await run("node", [join(root, "dist", "cli.js"), "run", ...argv], {
    cwd: app,
    env: { ...process.env, TMPDIR: folder },
  });
  const { cells } = JSON.parse(await readFile(join(results, "figures.json"), "utf8"));
  const { verdict, throughputEffect, cpuEffect } = cells[0];
  return { verdict, change: throughputEffect, cpuChange: cpuEffect };
}

const common = `app: main:app
database: none
endpoints: /price
workers: 1
ready-path: /docs
reach: "off"
diagnose: never
max-minutes: 1
`;

test("a Redis that both arms share hides what one for each arm shows", async ({ skip }) => {
  const redis = { name: "redis", ...servicePresets["redis"] };
  skip(!(await hasProgram({ programs: redis.programs ?? [] })), "Redis is not on this machine");
  const app = await forgetful();

  const own = await judged(app, `${common}services: redis\n`);
  // How soon it is certain, and whether a neighbour takes the CPU, is up to the machine; that the head takes several
  // times as long is not.
  expect(["slower", "inconclusive", "invalid"]).toContain(own.verdict);
  expect(own.change).toBeLessThan(-0.5);
  expect(own.cpuChange).toBeGreaterThan(1);

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
  expect(both.verdict).not.toBe("slower");
  expect(both.change).toBeGreaterThan(-0.3);
  expect(both.cpuChange).toBeLessThan(0.5);
});
