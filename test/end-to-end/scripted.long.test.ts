import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { root } from "./act.ts";

vi.setConfig({ testTimeout: 600_000 });

const run = promisify(execFile);
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scripted-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A pull request whose head computes ten times as much for one of two routes. */
async function slower(): Promise<string> {
  const app = join(folder, "app");
  await cp(join(root, "test/end-to-end/scripted"), app, { recursive: true });
  await writeFile(join(app, "requirements.txt"), "fastapi==0.165.0\nlocust\nuvicorn[standard]\n");
  const git = (...words: string[]) =>
    run("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...words], { cwd: app });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "main.py", "work.py", "requirements.txt");
  await git("commit", "--quiet", "--message=base");
  await cp(join(app, "work.head.py"), join(app, "work.py"));
  await git("commit", "--quiet", "--all", "--message=head");
  return app;
}

async function compared(configuration: string) {
  const app = await slower();
  await mkdir(join(app, ".github"), { recursive: true });
  await writeFile(
    join(app, ".github", "loadtest.yml"),
    `app: main:app\ndatabase: none\nworkers: 1\nready-path: /docs\nmax-minutes: 1\n${configuration}`,
  );
  const results = join(folder, "results");
  const summary = join(folder, "summary.md");
  const options = {
    "results-directory": results,
    "base-ref": "HEAD~1",
    "fail-on": "never",
  };
  const argv = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const { stdout } = await run("node", [join(root, "dist", "cli.js"), "run", ...argv], {
    cwd: app,
    env: { ...process.env, TMPDIR: folder, GITHUB_STEP_SUMMARY: summary },
  });
  const { cells } = JSON.parse(await readFile(join(results, "figures.json"), "utf8"));
  return { cell: cells[0], markdown: await readFile(summary, "utf8"), stdout };
}

test("a k6 script with two scenarios is compared in whole runs", async () => {
  const { cell, markdown, stdout } = await compared(
    `script: visit.js\ninstall: ${join(root, ".tools", "target-app")}\n`,
  );
  // How soon it is certain is up to the machine; that the head answers far fewer is not.
  expect(["slower", "inconclusive", "invalid"], stdout).toContain(cell.verdict);
  expect(cell.requests).toBeLessThan(0.7 * cell.base.requests);
  expect(markdown).toMatch(/request \| `GET \/price` .* mean .* → .* ms/);
  expect(markdown).toMatch(/request \| `GET health`/);
  expect(markdown).toMatch(/check \| `buy: has a price` .* passed, base /);
  expect(markdown).toContain("Each turn was a whole run of the script");
});

test("a Locust file is compared with the Locust of the requirements", async () => {
  const { cell, markdown, stdout } = await compared(
    "script: locustfile.py\ninstall: requirements.txt\nvus: 2\nduration: 4s\n",
  );
  expect(["slower", "inconclusive", "invalid"], stdout).toContain(cell.verdict);
  expect(cell.requests).toBeLessThan(0.7 * cell.base.requests);
  expect(markdown).toMatch(/request \| `GET \/price` .* mean .* → .* ms/);
  expect(markdown).toMatch(/request \| `GET health`/);
  expect(markdown).toContain("2 Locust users for 4 s");
  expect(markdown).toMatch(/Software: .*Locust \d/);
});
