import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ourRepository, root, textOf } from "./files.ts";

const git = (folder: string, ...args: readonly string[]) =>
  spawnSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: 50_000_000 }).stdout;
const [owner = "", name = ""] = ourRepository.split("/");
/** Files that say who owns the repository, and what the command itself needs. */
const places = git(root, "grep", "-la", "-e", ourRepository).trim().split("\n");
const needed = [
  "package.json",
  ...["owner", "lib/places", "lib/repository", "lib/run"].map((each) => `scripts/${each}.mjs`),
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "owner-"));
  for (const path of new Set([...places, ...needed]))
    cpSync(join(root, path), join(folder, path), { recursive: true, mode: 0 });
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  execFileSync("git", ["add", "--all", "--force"], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const give = (wanted: string) =>
  spawnSync(process.execPath, [join(folder, "scripts/owner.mjs"), wanted], {
    cwd: dirname(folder),
    encoding: "utf8",
  });

describe("another owner", () => {
  test("is everywhere after one command", () => {
    const { status, stdout } = give("acme-2");
    expect([status, stdout]).toEqual([0, `${ourRepository} is acme-2/${name} in ${places.length} files\n`]);
    expect(git(folder, "grep", "-na", "-e", ourRepository)).toBe("");
    for (const path of places) {
      const count = (text: string, words: string) => text.split(words).length;
      expect([path, count(readFileSync(join(folder, path), "utf8"), `acme-2/${name}`)]).toEqual([
        path,
        count(textOf(path), ourRepository),
      ]);
    }
    // And back, by what package.json says now.
    expect(give(owner).status).toBe(0);
    for (const path of places) expect(readFileSync(join(folder, path), "utf8") === textOf(path)).toBe(true);
  });

  test("is nowhere written in a pattern, which a command would not find", () => {
    const escaped = `${owner}[^a-z0-9]{1,5}${name}`;
    const found = git(root, "grep", "-naoE", "-e", escaped).trim().split("\n");
    const others = found.filter((line) => !line.endsWith(`:${ourRepository}`));
    expect(others).toEqual([]);
    expect(found.length).toBeGreaterThan(20);
  });

  test.for(["", "a b", "-acme", "acme-", "a--b", "acme/fork", "x".repeat(40)])(
    "%j is no name of an account",
    (wanted) => {
      const { status, stderr } = give(wanted);
      expect(status).toBe(2);
      expect(stderr).toContain(`${JSON.stringify(wanted)} is no name of an account`);
    },
  );
});
