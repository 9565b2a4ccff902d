import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { preparePythonEnvironment } from "../../src/adapters/python/index.ts";
import { measurementSchema } from "../../src/model/measurement/measurement.ts";
import { root } from "./act.ts";

vi.setConfig({ testTimeout: 300_000 }); // the first run on a machine installs SQLAlchemy

const run = promisify(execFile);
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "migrations-test-"));
  await run("chmod", ["711", folder]);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("base and head each get their own migrations", async () => {
  const shop = join(folder, "shop");
  await cp(join(root, "test/fixtures/python/shop"), shop, { recursive: true });
  const git = (...words: string[]) =>
    run("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...words], { cwd: shop });
  const added = "migrations/versions/0002_item_price.py";
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", ".");
  await git("rm", "--quiet", "--cached", added);
  await git("commit", "--quiet", "--message=base");
  await git("add", ".");
  await git("commit", "--quiet", "--message=head");
  const cacheFolder = join(tmpdir(), "fastapi-loadtest-tests", String(process.getuid?.() ?? 0));
  const { binFolder } = await preparePythonEnvironment(
    { importString: "shop.web:app", folder: shop, python: "python3", install: "auto", variables: {} },
    { cacheFolder, logFolder: folder, signal: new AbortController().signal, onStep: () => undefined },
  );
  const options = {
    install: join(binFolder, ".."),
    "database-url-style": "postgresql+asyncpg",
    "database-env": "ALEMBIC_URL=postgresql+psycopg://{user}:{password}@{host}:{port}/{database}",
    "migrate-command": "alembic upgrade head",
    "seed-command": "python -m shop.seed 10",
    endpoints: "/items/1",
    "ready-path": "/items/1",
    workers: "1",
    "base-ref": "HEAD~1",
    "max-minutes": "0.4",
    diagnose: "never",
    "results-directory": join(folder, "results"),
  };
  const argv = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const { stdout } = await run("node", [join(root, "dist", "cli.js"), "run", ...argv], {
    cwd: shop,
    env: { ...process.env, TMPDIR: folder },
  });
  expect(stdout).toContain("base: alembic upgrade head");
  const cells = join(folder, "results", "cells");
  const [name = ""] = await readdir(cells);
  const { replicates } = measurementSchema.parse(JSON.parse(await readFile(join(cells, name), "utf8")));
  const sizes = replicates.map(({ arms }) => [arms.base?.responseBytes, arms.head?.responseBytes]);
  const [without, withPrice] = [
    '{"item_id":1,"name":"item 1"}',
    '{"item_id":1,"name":"item 1","price_cents":0}',
  ];
  expect(sizes).toEqual(replicates.map(() => [without?.length, withPrice?.length]));
  expect(await readFile(join(folder, "results", "logs", "seed-head.log"), "utf8")).toContain("scale 0.01");
});
