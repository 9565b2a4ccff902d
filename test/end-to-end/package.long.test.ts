import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

import { root } from "./act.ts";

const run = promisify(execFile);
/** Outside of this repository, so that none of its packages is found. */
let home: string;
let app: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "package-"));
  app = join(home, "app");
  await cp(join(root, "test/samples/echo-starlette"), app, { recursive: true });
  await mkdir(join(home, "empty"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

test("the package works where there is nothing else", { timeout: 300_000 }, async () => {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:GITHUB_|INPUT_|CI$)/.test(name));
  const online = { ...Object.fromEntries(own), npm_config_cache: join(home, ".npm") };
  const env = { ...online, npm_config_offline: "true" };
  const packed = await run(process.execPath, [join(root, "scripts/pack.mjs"), home], { env });
  const [, path = "", megabytes = ""] =
    /^(\S+fastapi-loadtest\.tgz): version \S+, ([\d.]+) MB, unpacked [\d.]+ MB, \d+ files\n$/.exec(
      packed.stdout,
    ) ?? [];
  expect(path).toBe(join(home, "fastapi-loadtest.tgz"));
  process.stdout.write(packed.stdout); // its size
  expect(Number(megabytes)).toBeLessThan(2);

  // Offline: it asks for no package.
  const empty = join(home, "empty");
  await run("npm", ["install", "--no-audit", "--no-fund", path], { cwd: empty, env });
  const installed = join(empty, "node_modules");
  expect((await readdir(installed)).filter((name) => !name.startsWith("."))).toEqual([
    "fastapi-loadtest-action",
  ]);
  const { dependencies, version } = JSON.parse(
    await readFile(join(installed, "fastapi-loadtest-action/package.json"), "utf8"),
  );
  expect(dependencies).toBeUndefined();

  const npx = ["--prefix", empty, "fastapi-loadtest"];
  expect((await run("npx", [...npx, "--version"], { cwd: empty, env: online })).stdout).toBe(`${version}\n`);
  await run("git", ["init", "--quiet"], { cwd: app });
  const made = await run("npx", [...npx, "init"], { cwd: app, env: online });
  expect(made.stdout).toContain("  /echo, 1 worker\n");
  expect(await readFile(join(app, ".github/loadtest.yml"), "utf8")).toContain("app: server:app");
});
