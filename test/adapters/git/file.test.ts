import { symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findFile } from "../../../src/adapters/git/changes.ts";
import { parseChangedLines } from "../../../src/diagnosis/reach/changed-files.ts";
import { makeRepository, type TestRepository } from "./git-fixture.ts";

let repository: TestRepository;
let base: string;
beforeEach(async () => {
  repository = await makeRepository();
  base = await repository.commit("base", { "api/app.py": "a\nb\nc\n", "api/ü b.py": "a\n", "top.py": "a\n" });
  await repository.commit("head", { "api/app.py": "a\nB\nc\nd\n" });
});
afterEach(() => repository[Symbol.asyncDispose]());

const lookUp = (file: string, from: string | undefined = base) =>
  findFile(join(repository.folder, "api"), file, from, {
    logFolder: dirname(repository.folder),
    signal: new AbortController().signal,
  });

describe("a file of the repository", () => {
  test("has a path from the top, and the lines that changed since the base", async () => {
    const found = await lookUp("app.py");
    expect(found?.path).toBe("api/app.py");
    expect(parseChangedLines(found?.diff ?? "")).toEqual([
      { first: 2, last: 2 },
      { first: 4, last: 4 },
    ]);
  });

  test("counts what is not committed yet", async () => {
    await repository.write("api/app.py", "A\nB\nc\nd\n");
    expect(parseChangedLines((await lookUp("app.py"))?.diff ?? "")[0]).toEqual({ first: 1, last: 2 });
  });

  test("may be unchanged, and have any name", async () => {
    expect(await lookUp("ü b.py")).toEqual({ path: "api/ü b.py", diff: "", text: "a\n" });
  });

  test("has no diff without a base, or from one that git does not have", async () => {
    expect(
      await findFile(join(repository.folder, "api"), "app.py", undefined, {
        logFolder: dirname(repository.folder),
        signal: new AbortController().signal,
      }),
    ).toEqual({ path: "api/app.py", diff: undefined, text: "a\nB\nc\nd\n" });
    expect(await lookUp("app.py", "f".repeat(40))).toEqual({
      path: "api/app.py",
      diff: undefined,
      text: "a\nB\nc\nd\n",
    });
  });

  test("runs no program that the repository names for diffs", async () => {
    await repository.write(".gitattributes", "*.py diff=evil\n");
    await repository.git("config", "diff.evil.command", `touch ${repository.folder}/ran`);
    await repository.git("config", "diff.evil.textconv", `touch ${repository.folder}/ran;cat`);
    expect((await lookUp("app.py"))?.diff).toContain("+B");
    expect(await lookUp("../ran")).toBeUndefined();
  });
});

test.for(["missing.py", "*.py", ":(glob)*.py", "--output=x", "", "."])(
  "%j is no file of it",
  async (file) => {
    expect(await lookUp(file)).toBeUndefined();
  },
);

test("neither is one that nobody committed, nor a link", async () => {
  await repository.write("api/new.py", "a\n");
  await symlink("app.py", join(repository.folder, "api", "link.py"));
  expect([await lookUp("new.py"), await lookUp("link.py")]).toEqual([undefined, undefined]);
});
