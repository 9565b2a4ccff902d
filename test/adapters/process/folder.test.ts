import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { makeCacheFolder, makeFolder } from "../../../src/adapters/process/work-folder.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "folder-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a folder is made with those above it, and may be there", async () => {
  for (let time = 0; time < 2; time++) await makeFolder(join(folder, "a", "b", "c"));
  expect((await stat(join(folder, "a", "b", "c"))).isDirectory()).toBe(true);
});

test("a folder cannot be made below a file", async () => {
  await writeFile(join(folder, "file"), "");
  await expect(makeFolder(join(folder, "file", "below"))).rejects.toThrow("ENOTDIR");
});

test.runIf(existsSync("/proc/self"))("where nothing can be made, trying ends", async () => {
  await expect(makeFolder("/proc/loadtest/below")).rejects.toThrow("ENOENT");
});

test("a file in the place of a cache gives way, and a folder stays as it is", async () => {
  const cache = join(folder, "cache");
  await writeFile(cache, "");
  await makeCacheFolder(cache);
  await writeFile(join(cache, "kept"), "");
  await makeCacheFolder(cache);
  expect(await readdir(cache)).toEqual(["kept"]);
});
