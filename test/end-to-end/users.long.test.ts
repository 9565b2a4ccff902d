import { execFile } from "node:child_process";
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { root } from "./act.ts";
import { runProgram } from "./program.ts";

vi.setConfig({ testTimeout: 600_000 });

const execute = promisify(execFile);
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "users-test-"));
  await cp(join(root, "test/end-to-end/members"), folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const usual = `app: main:app
install: ${join(root, ".tools/target-app")}
database: sqlite
seed-command: python seed.py
ready-path: /docs
endpoints: /me
workers: 1
vus: 3
only-affected: false
diagnose: never
max-minutes: 1
fail-on: never
`;

async function run(file: string) {
  await writeFile(join(folder, "loadtest.yml"), usual + file);
  return await runProgram(folder, ["run", "--config", "loadtest.yml", "--base-ref", "HEAD~1"]);
}

async function twoCommits(): Promise<void> {
  const git = (...words: string[]) =>
    execute("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...words], { cwd: folder });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "main.py", "seed.py");
  await git("commit", "--quiet", "--message=base");
  await appendFile(join(folder, "main.py"), "\n# head\n");
  await git("commit", "--quiet", "--all", "--message=head");
}

async function logs(): Promise<readonly (readonly [name: string, text: string])[]> {
  const below = join(folder, "loadtest-results");
  const entries = await readdir(below, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return await Promise.all(files.map(async (path) => [path, await readFile(path, "utf8")] as const));
}

test.for([
  ["a query", '{ sql: "SELECT name, token FROM members ORDER BY id" }'],
  ["a command", "{ command: python seed.py print }"],
] as const)("users of %s are as many in both arms, and their tokens are hidden", async ([, users]) => {
  await twoCommits();
  const login = `login:\n  headers: { Authorization: "Bearer {token}" }\n  users: ${users}\n`;
  const { status, output } = await run(login);
  expect(status, output).toBe(0);
  const all = await logs();
  const { cells } = JSON.parse(all.find(([name]) => name.endsWith("figures.json"))?.[1] ?? "");
  expect(cells, output).toMatchObject([{ status: "measured", failures: 0 }]);
  for (const arm of ["base", "head"]) {
    const text = all.flatMap(([name, each]) => (name.endsWith(`-${arm}.log`) ? [each] : [])).join("\n");
    const served = new Set([...text.matchAll(/^served .*$/gm)].map(([line]) => line));
    expect([...served].toSorted(), arm).toEqual(["ada", "bo", "cy"].map((name) => `served ${name} with ***`));
  }
  for (const [name, text] of [...all, ["output", output] as const])
    expect(/\b[0-9a-f]{32}\b/.test(text) && name.endsWith(".log"), name).toBe(false);
});

test.for([
  ["{ sql: SELECT name FROM nobody }", 2, "the query failed: ", "no such table: nobody"],
  [
    "{ sql: SELECT * FROM members WHERE id > 9 }",
    2,
    "the query returned no rows; correct it",
    "(loadtest.yml",
  ],
  ["{ sql: SELECT name FROM members }", 2, "the query has no token in row 1, and {token} is used", "name"],
  ["{ command: python --version }", 3, "its output has no rows after its header; it must print", "CSV"],
  ["{ command: python missing.py }", 3, 'users: command "python missing.py" ended with', "missing.py"],
] as const)("users of %s are told", async ([users, expected, said, more]) => {
  await twoCommits();
  const { status, output } = await run(
    `login:\n  headers: { Authorization: "Bearer {token}" }\n  users: ${users}\n`,
  );
  expect([status, output]).toEqual([expected, expect.stringContaining(said)]);
  expect(output).toContain(more.startsWith("(") ? "login: users: " : more);
});
