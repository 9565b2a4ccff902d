import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { refuseStoredCredentials } from "../../../src/adapters/git/index.ts";

let folder: string;
let warned: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-credentials-"));
  warned = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function look(files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text.replaceAll("{folder}", folder));
  }
  const [HOME, RUNNER_TEMP] = [join(folder, "home"), join(folder, "temp")];
  const environment = { GITHUB_ACTIONS: "true", HOME, RUNNER_TEMP };
  const folders = [join(folder, "repo"), join(folder, "apps")] as const;
  return () => refuseStoredCredentials({ environment, folders, warn: (text) => warned.push(text) });
}

const header = "extraheader = AUTHORIZATION: basic eDp5";

test.for<readonly [what: string, files: Readonly<Record<string, string>>, told: string]>([
  ["the repository's own", { "repo/.git/config": header }, ".git/config"],
  [
    "a file that it includes for this folder",
    {
      "repo/.git/config":
        '[includeIf "gitdir:{folder}/repo/.git"]\npath = {folder}/temp/git-credentials.config',
      "temp/git-credentials.config": header,
    },
    "temp/git-credentials.config",
  ],
  [
    "that of a submodule",
    { "repo/.git/config": "", "repo/.git/modules/one/config": header },
    ".git/modules/one/config",
  ],
  [
    "that of the repository of a worktree",
    {
      "repo/.git": "gitdir: {folder}/main/.git/worktrees/repo\n",
      "main/.git/worktrees/repo/commondir": "../..\n",
      "main/.git/config": header,
    },
    "main/.git/config",
  ],
  ["the user's", { "home/.gitconfig": `[include]\npath = ~/more\n`, "home/more": header }, "home/more"],
  [
    "that of a submodule below a folder",
    { "repo/.git/config": "", "repo/.git/modules/libs/one/config": header },
    ".git/modules/libs/one/config",
  ],
  ["another checkout in the workspace", { "repo/tools/.git/config": header }, "tools/.git/config"],
  ["one in a folder of checkouts", { "repo/all/tools/.git/config": header }, "all/tools/.git/config"],
  ["the app's own repository elsewhere", { "apps/.git/config": header }, "apps/.git/config"],
  [
    "a file that a checkout left for the job",
    { "temp/git-credentials-0a1b-2c.config": header },
    "temp/git-credentials-0a1b-2c.config",
  ],
  ["a list of passwords", { "home/.netrc": "machine github.com password x" }, "~/.netrc"],
])("T12: a credential in %s ends the run", async ([, files, told]) => {
  expect(await look(files)).toThrow(told);
  expect(warned).toEqual([]);
});

test("files that include each other, and pipes, are read once or not at all", async () => {
  const start = await look({ "repo/.git/config": "[include]\npath = config\npath = /dev/zero\npath = gone" });
  expect(start).not.toThrow();
});

test("a login of a registry is told", async () => {
  (await look({ "home/.docker/config.json": '{"auths":{"x":{"auth":"eDp5"}}}' }))();
  expect(warned).toEqual([expect.stringContaining("~/.docker/config.json")]);
});
