import { mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { openResultsFolder } from "../../src/adapters/results-folder.ts";

let path = "";
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "results-"));
});
afterEach(() => rm(path, { recursive: true, force: true }));

test("writes whole documents and reads them back, also from folders below", async () => {
  const folder = openResultsFolder(join(path, "new"));
  await folder.write("plan.json", "{}");
  await folder.write("cells/b.json", "B");
  await folder.write("job-1/cells/a.json", "A");
  expect(await folder.read("plan.json")).toBe("{}");
  expect((await folder.readCells()).map(({ text }) => text).toSorted()).toEqual(["A", "B"]);
  expect(
    (await readdir(join(path, "new"), { recursive: true })).filter((name) => name.endsWith(".tmp")),
  ).toEqual([]);
});

test("an empty or absent folder has no results", async () => {
  const folder = openResultsFolder(join(path, "absent"));
  expect(await folder.read("plan.json")).toBeUndefined();
  expect(await folder.readCells()).toEqual([]);
});

test("clearing removes earlier results and nothing else", async () => {
  const folder = openResultsFolder(path);
  await folder.write("cells/a.json", "A");
  await writeFile(join(path, "mine.txt"), "kept");
  await folder.clear();
  expect(await readdir(path)).toEqual(["mine.txt"]);
});

test("a document of absurd size is refused, not read", async () => {
  const folder = openResultsFolder(path);
  await folder.write("cells/a.json", "");
  await truncate(join(path, "cells/a.json"), 300_000_000);
  await expect(folder.readCells()).rejects.toThrow(/300000000 bytes/);
});

test("a failed write says why and leaves what was there", async () => {
  const folder = openResultsFolder(path);
  await writeFile(join(path, "cells"), "a file where a folder should be");
  await expect(folder.write("cells/a.json", "A")).rejects.toThrow(/EEXIST|ENOTDIR/);
  expect(await readdir(path)).toEqual(["cells"]);
});
