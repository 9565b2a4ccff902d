import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { readHistoryAtRef } from "../../src/adapters/git-history.ts";
import { readHistory } from "../../src/core/trends/history.ts";
import { commit, nights, textOf } from "../core/trends/lines.ts";
import { makeRepository, type TestRepository } from "./git-fixture.ts";

const [first, second] = nights(2).map((line) => textOf([line]).text);
let repository: TestRepository;
beforeEach(async () => {
  repository = await makeRepository();
  await repository.commit("code", { "app.py": "x = 1\n", "api/x.py": "" });
  await repository.git("checkout", "--quiet", "--orphan", "loadtest-history");
  await repository.commit("history", {
    "loadtest-history.json": "{}",
    [`cells/default/${commit(0)}.jsonl`]: first ?? "",
    [`cells/api%20v2/${commit(1)}.jsonl`]: `${second}{"schemaVersion":9}\n`,
    "cells/default/deeper/x.jsonl": "no",
    "badges/default.json": "{}",
  });
  await repository.git("checkout", "--quiet", "main");
});
afterEach(() => repository[Symbol.asyncDispose]());

const read = (ref: string, folder = repository.folder) =>
  readHistoryAtRef(folder, ref, {
    logFolder: dirname(repository.folder),
    signal: new AbortController().signal,
  });

describe("a history at a ref", () => {
  test.for(["loadtest-history", "refs/heads/loadtest-history"])(
    "is read from %s, without a checkout",
    async (ref) => {
      const texts = await read(ref);
      if (typeof texts === "string") throw new Error(texts);
      expect(texts.map(({ name }) => name)).toEqual([
        `cells/api%20v2/${commit(1)}.jsonl`,
        `cells/default/${commit(0)}.jsonl`,
      ]);
      const { trends, warnings } = readHistory(texts);
      expect(trends[0]?.lines.map((line) => line.commit)).toEqual([commit(0), commit(1)]);
      expect(warnings).toEqual([expect.stringContaining("1 of 2 lines cannot be read")]);
      expect(await repository.git("status", "--short")).toBe("");
    },
  );

  test("is read from a folder below the top, and from a clone's remote branch", async () => {
    await using clone = await repository.clone();
    expect(await read("origin/loadtest-history", join(clone.folder, "api"))).toHaveLength(2);
  });

  test("is read whatever the machine's own settings say of colours and numbers", async () => {
    await repository.git("config", "grep.lineNumber", "true");
    await repository.git("config", "grep.column", "true");
    await repository.git("config", "color.ui", "always");
    expect(await read("loadtest-history")).toHaveLength(2);
  });

  test.for([
    ["main", "holds no cells/REPORT/COMMIT.jsonl"],
    [
      "origin/history",
      "is neither a folder nor a ref here; a branch has to be fetched first, e.g. `git fetch origin history`",
    ],
    [
      "a b;c",
      "is neither a folder nor a ref here; a branch has to be fetched first, e.g. `git fetch origin a b;c`",
    ],
  ])("%s %s", async ([ref = "", problem]) => {
    expect(await read(ref)).toBe(problem);
  });

  test("is none where there is no repository", async () => {
    const folder = await mkdtemp(join(tmpdir(), "no-repository-"));
    expect(await read("main", folder)).toBe("is no folder, and there is no git repository here");
    await rm(folder, { recursive: true });
  });
});
