import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { readRepository, readScripts } from "../../../src/adapters/python/index.ts";

test.for([
  { name: ".env", isRead: false },
  { name: ".env.local", isRead: false },
  { name: ".env.production", isRead: false },
  { name: ".env.example", isRead: true },
  { name: ".env.sample", isRead: true },
  { name: ".env.local.example", isRead: true },
  { name: ".db.env.example", isRead: true },
  { name: "docker-compose.yml", isRead: true },
])(
  "$name, whose values would stand in a file that is committed, is read: $isRead",
  async ({ name, isRead }) => {
    const folder = await mkdtemp(join(tmpdir(), "repository-files-"));
    try {
      await writeFile(join(folder, name), "STRIPE_KEY=sk_live_1\n");
      await writeFile(join(folder, "main.py"), 'import os\nkey = os.environ["STRIPE_KEY"]\n');
      const paths = readRepository(folder).map(({ path }) => path);
      expect(paths).toContain("main.py");
      expect(paths.includes(name)).toBe(isRead);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

test("a development container's files are read beside the repository's own", async () => {
  const folder = await mkdtemp(join(tmpdir(), "development-files-"));
  try {
    const paths = [
      ".devcontainer/devcontainer.json",
      ".devcontainer/docker-compose.yml",
      ".devcontainer/key.pem",
      ".devcontainer.json",
      ".secret/compose.yml",
      "Procfile",
    ];
    for (const path of paths) {
      await mkdir(join(folder, path, ".."), { recursive: true });
      await writeFile(join(folder, path), "a");
    }
    const found = readRepository(folder).map(({ path }) => path);
    expect(found.toSorted()).toEqual([
      ".devcontainer.json",
      ".devcontainer/devcontainer.json",
      ".devcontainer/docker-compose.yml",
      "Procfile",
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("files that may be load tests are read, among tests, too", async () => {
  const folder = await mkdtemp(join(tmpdir(), "load-files-"));
  try {
    const paths = [
      "locustfile.py",
      "tests/load/locust_shop.py",
      "tests/perf/a.js",
      "k6/b.ts",
      "web/app.js",
      "node_modules/k6/index.js",
      "main.py",
    ];
    for (const path of paths) {
      await mkdir(join(folder, path, ".."), { recursive: true });
      await writeFile(join(folder, path), "");
    }
    const found = readScripts(folder).map(({ path }) => path);
    expect(found.toSorted()).toEqual([
      "k6/b.ts",
      "locustfile.py",
      "tests/load/locust_shop.py",
      "tests/perf/a.js",
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a folder is a virtual environment by what it holds, whatever its name", async () => {
  const folder = await mkdtemp(join(tmpdir(), "environment-folders-"));
  try {
    const paths = [
      "env/settings.py",
      "ours/pyvenv.cfg",
      "ours/bin/a.py",
      "conda/conda-meta/a",
      "conda/lib/a.py",
    ];
    for (const path of paths) {
      await mkdir(join(folder, path, ".."), { recursive: true });
      await writeFile(join(folder, path), "");
    }
    expect(readRepository(folder).map(({ path }) => path)).toEqual(["env/settings.py"]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
