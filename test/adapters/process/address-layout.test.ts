import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";

import { canLayOut } from "../../../src/adapters/machine/index.ts";
import { runProcess } from "../../../src/adapters/process/child-process.ts";
import { isLaidOut, laidOut, laidOutIfThere } from "../../../src/adapters/process/placement.ts";

const folder = mkdtempSync(join(tmpdir(), "loadtest-layout-"));
afterAll(() => rm(folder, { recursive: true }));
const options = { logPath: join(folder, "trial.log"), signal: new AbortController().signal };
/** Containers may forbid it. */
const canBe = await canLayOut(options);

/** Where the C library, a new mapping and the stack of a Python process lie. */
async function placesWith(
  argv: (program: readonly [string, ...string[]]) => readonly [string, ...string[]],
  name: string,
) {
  const code = [
    "import mmap",
    "mapping = mmap.mmap(-1, 1 << 20)",
    "lines = open('/proc/self/maps').read().splitlines()",
    "print([next(line.split('-')[0] for line in lines if part in line) for part in ('libc', '[stack]', '[heap]')])",
  ];
  const logPath = join(folder, `${name}.log`);
  const exit = await runProcess({ argv: argv(["python3", "-S", "-c", code.join("\n")]), logPath });
  expect(exit.code).toBe(0);
  return readFileSync(logPath, "utf8").trim();
}

describe.skipIf(!canBe)("on a machine that can choose the layout of a process", () => {
  test("the same seed gives two processes the same one, and another seed another one", async () => {
    const seven = await placesWith((argv) => laidOut(argv, 7), "seven");
    expect(await placesWith((argv) => laidOut(argv, 7), "seven again")).toBe(seven);
    expect(await placesWith((argv) => laidOut(argv, 8_199), "another")).not.toBe(seven);
    expect(await placesWith((argv) => laidOut(argv, 4_294_967_295), "largest")).not.toBe(seven);
  });

  test("children inherit it", async () => {
    const read = "cat /proc/self/personality";
    const logPath = join(folder, "child.log");
    await runProcess({ argv: laidOut(["sh", "-c", `${read}; sh -c "${read}"; true`], 3), logPath });
    expect(readFileSync(logPath, "utf8").trim().split("\n")).toEqual(["00040000", "00040000"]);
  });

  test("the hard limit of the stack stays as it was", async () => {
    const limitsOf = async (argv: readonly [string, ...string[]], name: string) => {
      const logPath = join(folder, name);
      await runProcess({ argv, logPath });
      return /^Max stack size +(\S+) +(\S+)/m.exec(readFileSync(logPath, "utf8"))?.slice(1);
    };
    const read = ["cat", "/proc/self/limits"] as const;
    const usual = await limitsOf(read, "usual limits");
    expect(await limitsOf(laidOut(read, 0), "limits")).toEqual(["134217728", usual?.[1]]);
  });
});

test("our own process has the layout that the kernel chose", () => {
  expect(isLaidOut(process.pid)).toBe(false);
  expect(isLaidOut(2 ** 30)).toBe(false); // no such process
});

test.for<[what: string, program: string, isThere: boolean]>([
  ["on the path", "sh", true],
  ["by its place", "/bin/sh", true],
  ["not on the path", "no-such-program", false],
  ["not in the folder", "./sh", false],
])(
  "a program that is not there is started as it is, so that its absence is told: %s",
  async ([, program, isThere]) => {
    const argv = await laidOutIfThere([program, "-c", "true"], 1, { folder, path: process.env["PATH"] });
    expect(argv.slice(-3)).toEqual([program, "-c", "true"]);
    expect(argv[0] === "setarch").toBe(isThere);
  },
);

test("without the programs for it no layout can be chosen", async () => {
  vi.stubEnv("PATH", folder);
  expect(await canLayOut(options)).toBe(false);
  vi.unstubAllEnvs();
});
