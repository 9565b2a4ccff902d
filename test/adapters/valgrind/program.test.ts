import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";

import { openCounters } from "../../../src/adapters/valgrind/index.ts";

const folder = mkdtempSync(join(tmpdir(), "loadtest-valgrind-"));
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

function program(name: string, lines: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

const problemWith = (path: string | undefined) =>
  openCounters({ path, workFolder: folder, signal: new AbortController().signal }).countingProblem();

describe.runIf(process.platform === "linux")("Valgrind", () => {
  test("is looked for on PATH", async () => {
    vi.stubEnv("PATH", folder);
    expect(await problemWith(undefined)).toBe("Valgrind is not installed");
  });

  test.each([
    ["old", "echo valgrind-3.18.1"],
    ["another", "echo hello"],
    ["failing", "exit 1"],
  ])("of a program that is %s is none", async (name, lines) => {
    const path = program(name, lines);
    program("vgdb", "");
    expect(await problemWith(path)).toBe(`${path} is not Valgrind 3.19 or newer with vgdb`);
  });

  test("that is not there is none", async () => {
    const path = join(folder, "nowhere", "valgrind");
    expect(await problemWith(path)).toBe(`${path} is not Valgrind 3.19 or newer with vgdb`);
  });

  test.each(["3.19.0", "3.25.1"])(
    "%s will do, and counts whatever the first attempt showed",
    async (version) => {
      const path = program("fit", `echo valgrind-${version}`);
      program("vgdb", "");
      expect(await problemWith(path)).toBeUndefined();
      const signal = new AbortController().signal;
      await using counter = await openCounters({ path, workFolder: folder, signal }).openCounter();
      const command = { argv: ["uvicorn", "main:app"] as const, folder, variables: { A: "b" }, cpus: "1" };
      const watched = counter.watch({
        ...command,
        ...{ baseUrl: "http://127.0.0.1:1", readyPath: "/", readyWithinSeconds: 1 },
      });
      expect(watched.argv[0]).toBe(path);
      expect(watched.argv.slice(-2)).toEqual(["uvicorn", "main:app"]);
      expect([watched.variables["A"], watched.cpus]).toEqual(["b", undefined]);
      await expect(counter.read()).rejects.toThrow("Valgrind wrote no counts");
    },
  );
});

test("a counter that cannot be had says why", async () => {
  vi.stubEnv("PATH", folder);
  const { openCounter } = openCounters({
    path: undefined,
    workFolder: folder,
    signal: new AbortController().signal,
  });
  await expect(openCounter()).rejects.toThrow(/not installed|on Linux only/);
});
