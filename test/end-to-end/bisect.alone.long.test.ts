import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

import { root } from "./act.ts";
import { runProgram } from "./program.ts";

const config = `app: main:app
install: ${join(root, ".tools", "target-app")}
database: none
workers: [1]
endpoints: [/price]
`;

/** A commit of an app whose one endpoint needs this much CPU time. */
const appOf = (
  rounds: number,
  index: number,
  isBroken = false,
) => `${isBroken ? "import nowhere\n" : ""}from fastapi import FastAPI

app = FastAPI()


@app.get("/price")
async def price() -> int:
    return sum(i * i for i in range(${rounds})) + ${index}
`;

interface History {
  /** The first slower commit; absent: none is. */
  readonly guilty?: number;
  readonly broken?: readonly number[];
}

/** Each takes some minutes. */
const isLong = process.env["LOADTEST_LONG"] !== undefined;

test.runIf(isLong).for<[what: string, history: History, words: RegExp, status: number]>([
  [
    "one among some that cannot be started",
    { guilty: 5, broken: [2, 3] },
    /could not be measured and is skipped: .*nowhere(?:.|\n)*\nThe change began with \w{10}\.\n {2}Ana, .*: Commit 5\n/,
    0,
  ],
  ["none", {}, /\nThe ends do not differ: there is no change of 20% or more from \w+ to \w+\.\n/, 0],
])(
  "the commit is found: %s",
  { timeout: 1_800_000 },
  async ([, { guilty = 99, broken = [] }, words, status]) => {
    const folder = await mkdtemp(join(tmpdir(), "bisect-"));
    const git = (...args: string[]) =>
      promisify(execFile)("git", ["-c", "user.name=Ana", "-c", "user.email=a@example.invalid", ...args], {
        cwd: folder,
      });
    const write = async (path: string, text: string) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    };
    try {
      await git("init", "--quiet", "--initial-branch=main");
      await write(".github/loadtest.yml", config);
      for (let index = 0; index <= 6; index += 1) {
        await write("main.py", appOf(index >= guilty ? 60_000 : 30_000, index, broken.includes(index)));
        await git("add", "--all");
        await git("commit", "--quiet", `--message=Commit ${index}`);
        if (index === 0) await git("tag", "v1");
      }
      const command = ["bisect", "--good", "v1", "--bad", "main", "--min-change", "20%"];
      const found = await runProgram(folder, command);
      expect(found.output).toMatch(words);
      expect(found.status).toBe(status);
      const { stdout } = await git("status", "--porcelain");
      expect(stdout).toBe("");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
