import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { readHistoryAtRef } from "../../../src/adapters/git/history-at-ref.ts";
import { readHistory } from "../../../src/history/trends/history.ts";
import { root } from "../../contract/files.ts";
import { commit, nights, textOf } from "../../history/trends/lines.ts";
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

const read = (ref: string, folder = repository.folder, mostBytes?: number) =>
  readHistoryAtRef(
    folder,
    ref,
    { logFolder: dirname(repository.folder), signal: new AbortController().signal },
    mostBytes,
  );

/** Takes an object out of the repository, as a broken disk does. */
async function lose(name: string): Promise<string> {
  const object = await repository.git("rev-parse", name);
  await rm(join(repository.folder, ".git/objects", object.slice(0, 2), object.slice(2)));
  return object;
}

const names = [commit(0), commit(1)].map(
  (each, index) => `loadtest-history:cells/${index === 0 ? "default" : "api%20v2"}/${each}.jsonl`,
);

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
      "is neither a folder nor a ref here; a branch has to be fetched first, e.g. `git fetch origin history:refs/remotes/origin/history` for origin/history",
    ],
    ["a b;c", "is neither a folder nor a ref here"],
    ["/nowhere", "is neither a folder nor a ref here"],
  ])("%s %s", async ([ref = "", problem]) => {
    expect(await read(ref)).toBe(problem);
  });

  test.for(["origin/loadtest-history", "loadtest-history", "refs/heads/loadtest-history"])(
    "that a shallow clone lacks is there after the command that the message for %s names",
    async (ref) => {
      await using clone = await repository.clone("--depth=1");
      const [, command = "", name = ""] =
        /`git (.*)` for (.*)$/.exec(String(await read(ref, clone.folder))) ?? [];
      await clone.git(...command.split(" "));
      expect(await read(name, clone.folder)).toHaveLength(2);
    },
  );

  test("that a shallow clone lacks is there after the commands of the documentation", async () => {
    const page = await readFile(join(root, "docs/history.md"), "utf8");
    const [, command = "", ref = ""] =
      /\n```console\ngit (.*)\nnode dist\/cli\.js trends --history (\S+)/.exec(page) ?? [];
    await using clone = await repository.clone("--depth=1");
    await clone.git(...command.split(" "));
    expect(await read(ref, clone.folder)).toHaveLength(2);
  });

  test("is none where there is no repository", async () => {
    const folder = await mkdtemp(join(tmpdir(), "no-repository-"));
    expect(await read("main", folder)).toBe("is not a folder, and there is no git repository here");
    await rm(folder, { recursive: true });
  });
});

describe("a history of which git cannot read all", () => {
  test("tells what is missing, and has the rest", async () => {
    const lost = await lose(names[0] ?? "");
    const texts = await read("loadtest-history");
    if (typeof texts === "string") throw new Error(texts);
    const { trends, warnings } = readHistory(texts);
    expect(trends[0]?.lines.map((line) => line.commit)).toEqual([commit(1)]);
    expect(warnings[0]).toMatch(/^loadtest-history may be incomplete: git said "error: .*"$/);
    expect(warnings[0]).toContain(`cells/default/${commit(0)}.jsonl': unable to read ${lost}`);
  });

  test("is refused when there is no rest", async () => {
    for (const name of names) await lose(name);
    expect(await read("loadtest-history")).toMatch(
      /^could not be read: git said "error: .* unable to read [0-9a-f]{40}", and 1 line before it$/,
    );
  });

  test("is refused when git gives up half-way", async () => {
    await lose("loadtest-history:cells/default");
    expect(await read("loadtest-history")).toMatch(
      /^could not be read: git said "fatal: unable to read tree \(?[0-9a-f]{40}\)?"$/,
    );
  });

  test("is refused in a partial clone that cannot fetch the rest", async () => {
    await repository.git("config", "uploadpack.allowFilter", "true");
    await using clone = await repository.clone("--filter=blob:none");
    await clone.git("remote", "set-url", "origin", join(dirname(repository.folder), "gone"));
    expect(await read("origin/loadtest-history", clone.folder)).toMatch(/^could not be read: git said "/);
  });

  test("is refused when it is too large, by its bytes", async () => {
    await repository.git("checkout", "--quiet", "loadtest-history");
    await repository.commit("wide", { "cells/default/wide.jsonl": "é".repeat(60_000) });
    expect(await read("loadtest-history", repository.folder, 100_000)).toBe(
      "holds more than 0.1 MB of lines",
    );
  });
});
