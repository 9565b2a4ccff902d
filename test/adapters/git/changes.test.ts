import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { changesSince } from "../../../src/adapters/git/changes.ts";
import { makeRepository, type TestRepository } from "./git-fixture.ts";

let repository: TestRepository;
let base: string;
beforeEach(async () => {
  repository = await makeRepository();
  base = await repository.commit("base", { "api/app.py": "a\nb\nc\n", "old.py": "a\n", "ü b.txt": "a\n" });
});
afterEach(() => repository[Symbol.asyncDispose]());

const since = (from: string, folder = join(repository.folder, "api")) =>
  changesSince(folder, from, {
    logFolder: dirname(repository.folder),
    signal: new AbortController().signal,
  });

test("nothing has changed", async () => {
  expect(await since(base)).toMatchObject({ prefix: "api", files: [] });
});

test("changed, new, gone, renamed and unknown files, by their paths from the top", async () => {
  await repository.git("mv", "old.py", "moved.py");
  await repository.commit("head", {
    "api/app.py": "a\nB\nc\nd\n",
    "ü b.txt": "b\n",
    ".gitignore": "*.log\n",
  });
  await repository.write("api/new.py", "a\n");
  await repository.write("api/run.log", "a\n");
  const changes = await since(base);
  const files = new Map(changes?.files.map(({ path, ...more }) => [path, more]));
  expect([...files.keys()].toSorted()).toEqual([
    ".gitignore",
    "api/app.py",
    "api/new.py",
    "moved.py",
    "old.py",
    "ü b.txt",
  ]);
  expect(files.get("api/app.py")?.lines).toEqual({
    base: [{ first: 2, last: 2 }],
    head: [
      { first: 2, last: 2 },
      { first: 4, last: 4 },
    ],
  });
  expect(files.get("moved.py")?.lines).toEqual({ base: [], head: [{ first: 1, last: 1 }] });
  expect(files.get("old.py")?.lines).toEqual({ base: [{ first: 1, last: 1 }], head: [] });
  expect(files.get("api/new.py")?.isUntracked).toBe(true);
});

test("too many files, a commit that is not there, and a folder of no repository", async () => {
  expect(await since("0".repeat(40))).toBeUndefined();
  expect(await since(base, dirname(repository.folder))).toBeUndefined();
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}.py`, "a\n"]));
  await repository.commit("many", many);
  expect(await since(base)).toBeUndefined();
});
