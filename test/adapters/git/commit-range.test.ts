import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { openCommitRange } from "../../../src/adapters/git/index.ts";
import type { BisectAnswer } from "../../../src/model/bisection/bisection.ts";
import type { CommitRange } from "../../../src/ports/run.ts";
import { makeRepository, type TestRepository } from "./git-fixture.ts";

let repository: TestRepository;
let commits: string[];
beforeEach(async () => {
  repository = await makeRepository();
  commits = [];
  for (let index = 0; index <= 10; index += 1)
    commits.push(
      await repository.commit(`Change ${index}`, { "app.py": String(index), ".gitignore": ".env\n" }),
    );
});
afterEach(async () => {
  await repository[Symbol.asyncDispose]();
});

const open = (good: string, bad: string, from = repository) => {
  const beside = dirname(from.folder);
  const options = { workFolder: beside, logFolder: beside, signal: new AbortController().signal };
  return openCommitRange(from.folder, { good, bad }, options);
};
const textIn = (range: CommitRange, name: string, from = repository) =>
  readFile(`${range.at(from.folder)}/${name}`, "utf8");

/** Asks git until it has found the commit, and answers by what is in the file. */
async function search(range: CommitRange, guilty: number, skipped: readonly number[] = []) {
  const answers: BisectAnswer[] = [];
  for (;;) {
    const next = await range.next(answers);
    if (next.kind !== "test") return { next, asked: answers.length };
    await range.checkOut(next.commit);
    const index = Number(await textIn(range, "app.py"));
    expect(commits[index]).toBe(next.commit);
    // What an app writes into its folder is gone with the next commit.
    await writeFile(`${range.at(repository.folder)}/app.py`, "changed");
    await writeFile(`${range.at(repository.folder)}/written`, "by the app");
    const answer = skipped.includes(index) ? "skip" : index >= guilty ? "bad" : "good";
    answers.push({ commit: next.commit, answer });
  }
}

test.for([1, 2, 5, 9, 10])("git's order finds commit %i of 10", async (guilty) => {
  await using range = await open("HEAD~10", "main");
  expect(range).toMatchObject({ good: commits[0], bad: commits[10], commits: 10 });
  const { next, asked } = await search(range, guilty);
  expect(next).toEqual({ kind: "found", commit: commits[guilty] });
  expect(asked).toBeLessThanOrEqual(4);
  expect(await range.describe(commits[guilty] ?? "")).toMatch(/^a, \d{4}-\d\d-\d\d: Change \d+$/);
});

test("skipped commits are passed by, or named when nothing else is left", async () => {
  await using range = await open("HEAD~10", "main");
  expect((await search(range, 8, [4, 5, 6])).next).toEqual({ kind: "found", commit: commits[8] });
  const { next } = await search(range, 6, [5]);
  expect(next.kind === "among" && new Set(next.commits)).toEqual(new Set([commits[5], commits[6]]));
});

test("an app that removes git's folder of its checkout leads no git to a repository around it", async () => {
  await using outer = await makeRepository();
  await outer.commit("Begin", { "notes.txt": "old" });
  await outer.write("notes.txt", "not committed");
  const options = { workFolder: outer.folder, logFolder: outer.folder, signal: new AbortController().signal };
  await using range = await openCommitRange(repository.folder, { good: "HEAD~10", bad: "main" }, options);
  await rm(join(range.at(repository.folder), ".git"), { recursive: true });
  await expect(range.next([])).rejects.toThrow();
  await expect(range.checkOut(commits[3] ?? "")).rejects.toThrow();
  expect(await readFile(join(outer.folder, "notes.txt"), "utf8")).toBe("not committed");
  expect(await outer.git("symbolic-ref", "HEAD")).toContain("refs/heads/");
});

test("one commit needs no question", async () => {
  await using range = await open("main~1", "main");
  expect(await range.next([])).toEqual({ kind: "found", commit: commits[10] });
});

test("the user's repository stays as it is", async () => {
  await repository.write(".env", "SECRET=1");
  await repository.write("app.py", "not committed");
  const traces = async () => ({
    status: await repository.git("status", "--porcelain", "--branch"),
    refs: await repository.git("for-each-ref"),
    worktrees: await repository.git("worktree", "list", "--porcelain"),
    config: await repository.git("config", "--list", "--local"),
    objects: await repository.git("count-objects", "-v"),
    bisect: await stat(join(repository.folder, ".git/BISECT_LOG")).catch(() => "none"),
  });
  const before = await traces();
  let place: string;
  {
    await using range = await open("HEAD~10", "main");
    place = range.at(repository.folder);
    await search(range, 3);
    expect(await traces()).toEqual(before);
    await range.checkOut(commits[3] ?? "");
    expect([await textIn(range, "app.py"), await textIn(range, ".env")]).toEqual(["3", "SECRET=1"]);
    expect(range.at("/elsewhere")).toBe("/elsewhere");
  }
  expect(await traces()).toEqual(before);
  await expect(stat(place)).rejects.toThrow("ENOENT");
});

test("a shallow clone has the commits that it has", async () => {
  await using clone = await repository.clone("--depth", "5");
  await using range = await open("HEAD~4", "HEAD", clone);
  expect(range.commits).toBe(4);
  await expect(open("HEAD~7", "HEAD", clone)).rejects.toThrow(/good: "HEAD~7" is not a branch.*shallow/);
});

describe("is refused", () => {
  test.for<[good: string, bad: string, words: string | RegExp]>([
    ["main", "main", /^invalid input:\n {2}- bad: main is the same commit as good, [0-9a-f]{12}$/],
    ["main", "main~3", "good: main is not a commit before main~3, but after it; swap them"],
    ["gone", "main", 'good: "gone" is not a branch, tag or commit'],
    ["main~1", "mian", 'bad: "mian" is not a branch, tag or commit of the repository at'],
    ["--help", "main", 'good: "--help" is not a branch'],
  ])("from %s to %s", async ([good, bad, words]) => {
    await expect(open(good, bad)).rejects.toThrow(words);
  });

  test("where there is no repository", async () => {
    const options = {
      workFolder: "/tmp",
      logFolder: dirname(repository.folder),
      signal: new AbortController().signal,
    };
    await expect(
      openCommitRange(dirname(repository.folder), { good: "a", bad: "b" }, options),
    ).rejects.toThrow(/bisect: .* is not in the working tree of a git repository/);
  });
});
