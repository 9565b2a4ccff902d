import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

import {
  findRequirements,
  readRequirementsFile,
  requirementsOfCommands,
} from "../../../src/adapters/python/requirements.ts";

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "loadtest-own-inputs-"));
});
afterAll(() => rm(parent, { recursive: true, force: true }));

type Ways = Readonly<Record<string, (folder: string) => Promise<{ readonly fingerprint: string }>>>;

/** As `install` may be given, of an app in `api`. */
const ways = {
  auto: (folder) => findRequirements(join(folder, "api"), "python3", new AbortController().signal),
  file: (folder) => readRequirementsFile(join(folder, "requirements/prod.txt")),
  commands: (folder) =>
    requirementsOfCommands(join(folder, "api"), ["pip install -r ../requirements/prod.txt ../lib"]),
} satisfies Ways;

const project = '[project]\nname = "x"\nversion = "1"\n';
const files = {
  "requirements/prod.txt": "-r base.txt\n-c limits.txt\n-e ../lib\n",
  "requirements/base.txt": "fastapi\n",
  "requirements/limits.txt": "jsonschema==4.17.3\n",
  "lib/pyproject.toml": project,
  "api/main.py": "app = 1\n",
};
const poetry = {
  "api/pyproject.toml": '[tool.poetry]\nname = "x"\nversion = "1"\npackage-mode = false\n',
  "api/poetry.lock": "# 1\n",
};
const pdm = { "api/pyproject.toml": project, "api/pdm.lock": "# 1\n" };
const pip = {
  "api/requirements.txt": "-r more.txt\n-c limits.txt\n",
  "api/more.txt": "fastapi\n",
  "api/limits.txt": "",
};

test.for<
  readonly [way: keyof typeof ways, given: Readonly<Record<string, string>>, changed: string, counts: boolean]
>([
  ["file", files, "requirements/prod.txt", true],
  ["file", files, "requirements/base.txt", true],
  ["file", files, "requirements/limits.txt", true],
  ["file", files, "lib/pyproject.toml", true],
  ["file", files, "api/main.py", false], // read at run time, from the arm's own folder
  ["commands", files, "requirements/prod.txt", true],
  ["commands", files, "requirements/base.txt", true],
  ["commands", files, "requirements/limits.txt", true],
  ["commands", files, "lib/pyproject.toml", true],
  ["commands", files, "api/main.py", true],
  ["auto", { ...files, ...poetry }, "api/poetry.lock", true],
  ["auto", { ...files, ...poetry }, "api/pyproject.toml", true],
  ["auto", { ...files, ...pdm }, "api/pdm.lock", true],
  ["auto", { ...files, ...pip }, "api/requirements.txt", true],
  ["auto", { ...files, ...pip }, "api/more.txt", true],
  ["auto", { ...files, ...pip }, "api/limits.txt", true],
  ["auto", { ...files, ...pip }, "requirements/prod.txt", false],
])("install by %s: case %#: a change counts where it should", async ([way, given, changed, counts]) => {
  const folder = await mkdtemp(join(parent, "case-"));
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(given)) await write(name, text);
  const before = await ways[way](folder);
  await write(changed, `${given[changed]}# changed\n`);
  const after = await ways[way](folder);
  expect(before.fingerprint !== after.fingerprint).toBe(counts);
});

test("code that is installed counts by its content: not by its folder, nor by what runs of the app leave there", async () => {
  const made = async (name: string) => {
    const folder = join(parent, name);
    await mkdir(join(folder, "shop/logs"), { recursive: true });
    const text = `${project}[build-system]\nrequires = []\nbuild-backend = "x"\n`;
    await writeFile(join(folder, "pyproject.toml"), text);
    await writeFile(join(folder, "shop/__init__.py"), "");
    return folder;
  };
  const fingerprintOf = async (folder: string) =>
    (await findRequirements(folder, "python3", new AbortController().signal)).fingerprint;
  const [head, base] = [await made("head"), await made("base")];
  const before = await fingerprintOf(head);
  expect(await fingerprintOf(base)).toBe(before);
  await promisify(execFile)("git", ["init", "--quiet"], { cwd: head });
  await writeFile(join(head, ".gitignore"), "exports/\n");
  await mkdir(join(head, "shop/exports"));
  for (const name of [
    "shop/logs/app.log",
    "shop/logs/app.log.1",
    "shop.db",
    "shop.db-wal",
    "README.md",
    "shop/exports/1.csv",
  ])
    await writeFile(join(head, name), "1");
  expect(await fingerprintOf(head)).toBe(before);
  await writeFile(join(head, "shop/prices.json"), "{}");
  expect(await fingerprintOf(head)).not.toBe(before);
});
