import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ownerMark } from "../../../src/adapters/process/process-owner.ts";
import { hasProcfs } from "../../../src/adapters/process/procfs.ts";
import { makeWorkFolder, markOf, removeAbandonedFolders } from "../../../src/adapters/process/work-folder.ts";

let parent = "";
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "work-folders-"));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

/** No process has this pid: it is above what Linux gives out. */
const goneOwner = "4194304.1";

/** A folder of that name, whose file says that. */
async function folderOf(name: string, owner: string | undefined): Promise<string> {
  const folder = join(parent, name);
  await mkdir(join(folder, "postgres-x"), { recursive: true });
  await writeFile(join(folder, "postgres-x", "data"), "1");
  if (owner !== undefined) await writeFile(join(folder, "owner"), owner);
  return folder;
}

test.runIf(hasProcfs)("F6: the folder of a run that was killed is removed by the next", async () => {
  const folder = await folderOf("fastapi-loadtest-a", markOf(goneOwner));
  await removeAbandonedFolders(parent);
  expect(existsSync(folder)).toBe(false);
});

test("F6: that of a run which lives is not", async () => {
  const own = await makeWorkFolder(parent);
  expect(basename(own)).toMatch(/^fastapi-loadtest-/);
  await removeAbandonedFolders(parent);
  expect(existsSync(own)).toBe(true);
});

test.for<readonly [string, name: string, owner: string | undefined]>([
  ["of another namespace of pids", "fastapi-loadtest-a", markOf(goneOwner).replace(/pid:\[\d+\]/, "pid:[1]")],
  ["of another machine", "fastapi-loadtest-a", markOf(goneOwner).replace(/\S+$/, "another-boot")],
  ["of a machine that does not tell", "fastapi-loadtest-a", `${goneOwner} ? ?`],
  ["without an owner", "fastapi-loadtest-a", undefined],
  ["whose owner is no mark", "fastapi-loadtest-a", markOf("x.y")],
  ["with a mark and more", "fastapi-loadtest-a", `${markOf(goneOwner)} `.repeat(50)],
  ["of another name", "somebody-elses", markOf(goneOwner)],
  ["of the owner's pid, started at another time", "fastapi-loadtest-a", `${ownerMark()} pid:[1]`],
])("F6: a folder %s stays", async ([, name, owner]) => {
  const folder = await folderOf(name, owner);
  await removeAbandonedFolders(parent);
  expect(existsSync(folder)).toBe(true);
});

test("F6: a link is not followed, and a link as the owner's file is not read", async () => {
  const target = await folderOf("target", markOf(goneOwner));
  await symlink(target, join(parent, "fastapi-loadtest-link"));
  const other = await folderOf("fastapi-loadtest-b", undefined);
  await symlink(join(target, "owner"), join(other, "owner"));
  await removeAbandonedFolders(parent);
  expect([existsSync(join(target, "postgres-x", "data")), existsSync(other)]).toEqual([true, true]);
});

test("F6: a pipe as the owner's file is not waited for", async () => {
  const folder = await folderOf("fastapi-loadtest-a", undefined);
  execFileSync("mkfifo", [join(folder, "owner")]);
  await removeAbandonedFolders(parent);
  expect(existsSync(folder)).toBe(true);
});

test.runIf(process.getuid?.() === 0)("F6: another user's folder stays", async () => {
  const folder = await folderOf("fastapi-loadtest-a", markOf(goneOwner));
  await chown(folder, 65_534, 65_534);
  await removeAbandonedFolders(parent);
  expect(existsSync(folder)).toBe(true);
});
