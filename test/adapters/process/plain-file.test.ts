import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { readPlainFile, textOfPlainFile } from "../../../src/adapters/process/plain-file.ts";
import { cpuMs } from "../../cpu-time.ts";

let folder = "";
const path = (name = "file") => join(folder, name);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "plain-file-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const limits = { largestBytes: 10 };

describe("T36: a file of somebody else's folder", () => {
  test("is read as far as it may go, or not at all", async () => {
    await writeFile(path(), "0123456789");
    expect(readPlainFile(path(), limits)).toEqual({ kind: "text", text: "0123456789" });
    appendFileSync(path(), "x");
    expect(readPlainFile(path(), limits)).toEqual({
      kind: "refused",
      reason: "has 11 bytes or more; at most 10 are allowed",
    });
    expect(textOfPlainFile(path(), limits)).toBeUndefined();
  });

  test("of Windows' shells is text, too", async () => {
    await writeFile(path(), Buffer.from("\ufeffa==1\r\n", "utf16le"));
    expect(textOfPlainFile(path(), { largestBytes: 20 })).toBe("a==1\r\n");
  });

  test("of 300 GB takes no time and no memory", async () => {
    await writeFile(path(), "");
    await truncate(path(), 300e9);
    const before = cpuMs();
    expect(readPlainFile(path(), limits)).toMatchObject({ kind: "refused" });
    expect(cpuMs() - before).toBeLessThan(100);
  });

  test("that is not there", () => {
    expect(readPlainFile(path("none"), limits)).toEqual({ kind: "missing" });
    expect(readPlainFile(path("none/none"), limits)).toEqual({ kind: "missing" });
  });

  test("that is a folder, a pipe or a device is not waited for", async () => {
    await mkdir(path("folder"));
    execFileSync("mkfifo", [path("pipe")]);
    await symlink("/dev/zero", path("zero"));
    for (const name of ["folder", "pipe", "zero"])
      expect([name, readPlainFile(path(name), limits)]).toEqual([
        name,
        { kind: "refused", reason: "is not a plain file" },
      ]);
  });

  test("behind a link is read only where links may be followed", async () => {
    await writeFile(path("target"), "text");
    await symlink(path("target"), path("link"));
    expect(textOfPlainFile(path("link"), limits)).toBe("text");
    expect(readPlainFile(path("link"), { ...limits, followsLinks: false })).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("ELOOP"),
    });
  });

  test.runIf(existsSync("/proc/self/maps"))("whose size says nothing is read to its end", () => {
    const text = textOfPlainFile("/proc/self/maps", { largestBytes: 10_000_000 }) ?? "";
    expect(text.length).toBeGreaterThan(4_096);
    expect(text.endsWith("\n")).toBe(true);
    expect(readPlainFile("/proc/self/maps", { largestBytes: 5_000 })).toMatchObject({ kind: "refused" });
  });
});
