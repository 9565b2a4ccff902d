import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { readLocked } from "../../../src/adapters/python/install-locked.ts";

const hash = `sha256:${"0".repeat(64)}`;
const locked = (name: string, more = "") =>
  `[[package]]\nname = "${name}"\nversion = "1.0"\npython-versions = ">=3.6"\nfiles = [{file = "x.whl", hash = "${hash}"}]\n${more}\n`;
const poetry = `[tool.poetry.dependencies]
python = "^3.9"
passlib = { version = "*", extras = ["bcrypt"] }
Old = { version = "*", python = "<3.5" }
driver = { version = "*", optional = true }
[tool.poetry.extras]
pg = ["driver (>=1)"]
[tool.poetry.group.prod.dependencies]
gunicorn = "*"
[tool.poetry.group.dev.dependencies]
pytest = "*"
`;
const poetryLock = [
  locked(
    "passlib",
    `[package.dependencies]\nbcrypt = {version = ">=3", optional = true, markers = "extra == \\"bcrypt\\""}\nargon = {version = "*", optional = true, markers = "extra == \\"argon\\""}\n[package.extras]\nbcrypt = ["bcrypt (>=3)"]\nargon = ["argon"]`,
  ),
  locked(
    "bcrypt",
    `[package.dependencies]\nWin_Only = {version = "*", markers = "sys_platform == \\"win32\\""}`,
  ),
  ...["argon", "win-only", "old", "driver", "gunicorn", "pytest"].map((name) => locked(name)),
].join("");
const pdm = '[project]\nname = "a"\ndependencies = ["h11>=0.1", "gone; python_version < \'3\'"]\n';
const pdmLock =
  `[[package]]\nname = "h11"\nversion = "1.0"\nrequires_python = ">=3.8"\ndependencies = ["idna"]\nfiles = [{file = "x", hash = "${hash}"}]\n` +
  '[[package]]\nname = "idna"\nversion = "2.0"\nfiles = []\n';

test.for<
  readonly [
    what: string,
    lockFile: "poetry.lock" | "pdm.lock",
    texts: readonly [project: string, lock: string],
    chosen: readonly string[],
    lines: readonly string[],
    missing: readonly string[],
  ]
>([
  ["along what each needs", "poetry.lock", [poetry, poetryLock], [], ["bcrypt", "passlib"], []],
  [
    "groups and extras that were chosen",
    "poetry.lock",
    [poetry, poetryLock],
    ["prod", "pg"],
    ["bcrypt", "driver", "gunicorn", "passlib"],
    [],
  ],
  [
    "without what the lock file itself says is of another system",
    "poetry.lock",
    [
      '[tool.poetry.dependencies]\nloguru = "*"\n',
      `${locked("loguru", '[package.dependencies]\nwin32-setctime = ">=1"')}${locked("win32-setctime", "marker = \"sys_platform == 'win32'\"")}`,
    ],
    [],
    ["loguru"],
    [],
  ],
  [
    "with what only another group has a condition for",
    "poetry.lock",
    [
      '[tool.poetry.dependencies]\ntyping = "*"\nold = "*"\n',
      `${locked("typing", 'groups = ["main", "dev"]\nmarkers = {dev = "sys_platform == \'win32\'"}')}${locked("old", 'groups = ["main"]\nmarkers = {main = "sys_platform == \'win32\'"}')}`,
    ],
    [],
    ["typing"],
    [],
  ],
  ["what is not there", "poetry.lock", [poetry, locked("bcrypt")], [], [], ["passlib"]],
])("a lock file's packages: %s", async ([, lockFile, [project, lock], chosen, names, missing]) => {
  const read = await readOf(lockFile, project, lock, chosen);
  expect(read).toEqual({
    lines: names.map((name) => `${name}==1.0 --hash=${hash}`),
    missing,
    isFresh: false,
    isWhole: missing.length === 0,
  });
});

test("PDM's are read alike, and without hashes for all there are none", async () => {
  expect(await readOf("pdm.lock", pdm, pdmLock, [])).toEqual({
    lines: ["h11==1.0", "idna==2.0"],
    missing: [],
    isFresh: false,
    isWhole: false,
  });
});

// The hashes are Poetry 2.5.1's own.
test.for<readonly [what: string, project: string, hash: string]>([
  [
    "Poetry's own tables",
    '[tool.poetry.dependencies]\npython = "^3.9"\nh11 = "^0.14"\n[tool.poetry.group.dev.dependencies]\npytest = "*"\n',
    "40278667331e89fcf9e5039ea54ec3f023595bc92c7442be4cf108adaf30b1cd",
  ],
  [
    "a project's table and groups",
    '[project]\nname = "a"\nversion = "1"\nrequires-python = ">=3.10"\ndependencies = ["h11>=0.14"]\n[tool.poetry]\npackage-mode = false\n[dependency-groups]\ndev = ["pytest"]\n',
    "8932f461e2f19868a53abcdde26b2ba6084173c2a5482c50ce495d30c14fbad4",
  ],
  [
    "both",
    '[project]\nname = "a"\nversion = "1"\ndependencies = ["h11>=0.14"]\n[tool.poetry.group.prod.dependencies]\ngunicorn = "*"\n',
    "5fac2570b751e2b4e4bfcbed7cff2b76a1790c3f98aca8b515ae141147b6ebda",
  ],
])("Poetry's lock file is known to be of a project: %s", async ([, project, made]) => {
  const metadata = `[metadata]\ncontent-hash = "${made}"\n`;
  const isFresh = async (text: string) =>
    (await readOf("poetry.lock", text, `${locked("h11")}${metadata}`, [])).isFresh;
  expect(await isFresh(project)).toBe(true);
  expect(await isFresh(project.replaceAll("h11", "h12"))).toBe(false);
});

test("packages from another index than the usual one are for Poetry to get", async () => {
  const own = '[package.source]\ntype = "legacy"\nurl = "https://index.example"\nreference = "own"\n';
  const { lines, isWhole } = await readOf("poetry.lock", poetry, poetryLock + locked("more", own), []);
  expect([lines.length, isWhole]).toEqual([2, false]);
});

async function readOf(
  lockFile: "poetry.lock" | "pdm.lock",
  project: string,
  lock: string,
  chosen: readonly string[],
) {
  const folder = await mkdtemp(join(tmpdir(), "locked-test-"));
  try {
    await writeFile(join(folder, "pyproject.toml"), project);
    await writeFile(join(folder, lockFile), lock);
    return await readLocked(folder, lockFile, chosen, "python3", new AbortController().signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
