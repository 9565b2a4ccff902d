import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { machineMark, readProcess } from "../../../src/adapters/process/index.ts";
import { openResultsFolder } from "../../../src/adapters/results/results-directory.ts";

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
  expect([...(await folder.readCells())].map(({ text }) => text).toSorted()).toEqual(["A", "B"]);
  expect(
    (await readdir(join(path, "new"), { recursive: true })).filter((name) => name.endsWith(".tmp")),
  ).toEqual([]);
});

test("an empty or absent folder has no results", async () => {
  const folder = openResultsFolder(join(path, "absent"));
  expect(await folder.read("plan.json")).toBeUndefined();
  expect([...(await folder.readCells())]).toEqual([]);
});

test("clearing removes earlier results and nothing else", async () => {
  const folder = openResultsFolder(path);
  await folder.write("cells/a.json", "A");
  await writeFile(join(path, "mine.txt"), "kept");
  await folder.clear();
  expect((await readdir(path)).toSorted()).toEqual([".running", "mine.txt"]);
});

test("a new folder is in no commit, and one that somebody made stays as it is", async () => {
  const made = join(path, "made");
  await openResultsFolder(made).clear();
  await openResultsFolder(made).write("cells/a.json", "A");
  await openResultsFolder(path).make();
  execFileSync("git", ["init", "--quiet"], { cwd: path });
  const untracked = execFileSync("git", ["status", "--porcelain", "--untracked-files=all"], { cwd: path });
  expect(String(untracked)).toBe("");
  expect(await readdir(path)).not.toContain(".gitignore");
});

test("clearing a folder below leaves the others", async () => {
  const folder = openResultsFolder(path);
  await folder.write("one/cells/a.json", "A");
  await folder.write("two/cells/a.json", "A");
  await folder.clear("one");
  expect([...(await folder.readCells())].map(({ name }) => name)).toEqual([join(path, "two/cells/a.json")]);
});

test("T15: is not shared by two runs, but one that was killed does not hold it", async () => {
  const machine = machineMark();
  const other = spawn("sleep", ["60"]);
  const start = readProcess(other.pid ?? 0)?.start;
  await writeFile(join(path, ".running"), `${machine} ${other.pid}.${start}`);
  await expect(openResultsFolder(path).clear()).rejects.toThrow(
    `results-directory: process ${other.pid} is writing its results to ${path}`,
  );
  other.kill("SIGKILL");
  await once(other, "exit");
  await openResultsFolder(path).clear();
  await openResultsFolder(path).clear("below"); // of the same run
  expect(await readdir(path)).toEqual([".running"]);
});

test("a folder that cannot be written is the machine's fault, not ours", async () => {
  await writeFile(join(path, "file"), "");
  await expect(openResultsFolder(join(path, "file", "below")).clear()).rejects.toThrow(
    /cannot be written: ENOTDIR/,
  );
});

test.runIf(existsSync("/proc/self"))(
  "a folder in which nothing can be made is told, and not tried for ever",
  async () => {
    await expect(openResultsFolder("/proc/loadtest/results").clear()).rejects.toThrow(
      /^\/proc\/loadtest\/results\/.gitignore cannot be written: ENOENT/,
    );
  },
);

test("a document of absurd size is refused, not read", async () => {
  const folder = openResultsFolder(path);
  await folder.write("cells/a.json", "");
  await truncate(join(path, "cells/a.json"), 300_000_000);
  await folder.write("cells/b.json", "B");
  expect([...(await folder.readCells())]).toEqual([
    {
      name: join(path, "cells/a.json"),
      text: "",
      problem: "has 300000000 bytes or more; at most 20000000 are allowed",
    },
    { name: join(path, "cells/b.json"), text: "B" },
  ]);
  await folder.write("plan.json", "");
  await truncate(join(path, "plan.json"), 300_000_000);
  await expect(folder.read("plan.json")).rejects.toThrow("results-directory: plan.json has 300000000 bytes");
});

test("a folder that an app has put in the place of the owner's mark keeps the exit status as it is", async () => {
  const results = openResultsFolder(join(path, "claimed"));
  const before = process.listeners("exit");
  await results.clear();
  const [atEnd] = process.listeners("exit").filter((each) => !before.includes(each));
  const mark = join(path, "claimed", ".running");
  await rm(mark);
  await mkdir(join(mark, "below"), { recursive: true });
  expect(() => atEnd?.(0)).not.toThrow();
  expect(await readdir(join(path, "claimed"))).not.toContain(".running");
});

test("T36: a link or a pipe in the place of a document is not read", async () => {
  const folder = openResultsFolder(path);
  await folder.write("cells/a.json", "A");
  await symlink("/dev/zero", join(path, "cells", "b.json"));
  execFileSync("mkfifo", [join(path, "cells", "c.json")]);
  expect([...(await folder.readCells())].map(({ text }) => text)).toEqual(["A"]);
});

test("F18: a failed write says why, how much room there is, and leaves what was there", async () => {
  const folder = openResultsFolder(path);
  await writeFile(join(path, "cells"), "a file where a folder should be");
  await expect(folder.write("cells/a.json", "A")).rejects.toMatchObject({
    name: "EnvironmentError",
    phase: "write results",
    message: expect.stringMatching(/cells\/a\.json cannot be written: (?:EEXIST|ENOTDIR)/),
  });
  await expect(folder.write(`${"x".repeat(300)}.json`, "A")).rejects.toThrow(
    /cannot be written: ENAMETOOLONG.*; \d+ bytes are free there/,
  );
  expect(await readdir(path)).toEqual(["cells"]);
});
