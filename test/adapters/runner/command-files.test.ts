import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { guardCommandFiles } from "../../../src/adapters/runner/command-files.ts";

const both = ["GITHUB_ENV", "GITHUB_PATH"] as const;
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "command-files-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.for<[string, (path: string, elsewhere: string) => void]>([
  ["appends to it", (path) => writeFileSync(path, "BASH_ENV=/tmp/evil\n", { flag: "a" })],
  ["empties it", (path) => writeFileSync(path, "")],
  ["removes it", (path) => unlinkSync(path)],
  ["fills it without end", (path) => writeFileSync(path, "x".repeat(2_000_000))],
  [
    "puts a folder there",
    (path) => {
      unlinkSync(path);
      mkdirSync(join(path, "below"), { recursive: true });
    },
  ],
  [
    "puts a link there",
    (path, elsewhere) => {
      unlinkSync(path);
      symlinkSync(elsewhere, path);
    },
  ],
])("T10: an app that finds GITHUB_ENV and %s changes nothing for later steps", ([, write]) => {
  const [env, path, elsewhere] = ["env", "path", "elsewhere"].map((name) => join(folder, name));
  if (env === undefined || path === undefined || elsewhere === undefined) throw new Error("no paths");
  writeFileSync(env, "OURS=1\n");
  writeFileSync(path, "");
  writeFileSync(elsewhere, "somebody's");
  const warnings: string[] = [];
  const restore = guardCommandFiles(both, { GITHUB_ENV: env, GITHUB_PATH: path }, (text) =>
    warnings.push(text),
  );
  write(env, elsewhere);
  restore();
  const warning = "the measured app wrote to GITHUB_ENV, which the runner reads; the change was undone";
  expect(warnings).toEqual([warning]);
  expect(readFileSync(env, "utf8")).toBe("OURS=1\n");
  expect(lstatSync(env).isFile()).toBe(true);
  expect(readFileSync(elsewhere, "utf8")).toBe("somebody's");
  restore();
  expect(warnings).toEqual([warning]);
});

test("where there are no such files, none is made", () => {
  const warnings: string[] = [];
  const variables = { GITHUB_ENV: join(folder, "env"), GITHUB_PATH: "" };
  const restore = guardCommandFiles(both, variables, (text) => warnings.push(text));
  restore();
  rmSync(folder, { recursive: true });
  restore();
  expect(warnings).toEqual([]);
});
