import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { root } from "./act.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "no-home-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const unnamedUser = 54_321;

/** As in a container that is started for a user of whom the system knows nothing but the number. */
test.for([
  ["help", 0],
  ["run", 2],
  ["plan", 2],
  ["measure", 2],
  ["report", 2],
  ["announce", 0],
  ["post", 0],
  ["check", 2],
  ["explain", 2],
  ["again 1-x", 2],
  ["bisect --good a --bad b", 2],
] as const)(
  "without a home, and for a user without a name, %s ends with %i, never as slower",
  ([words, status]) => {
    const isRoot = process.getuid?.() === 0;
    const ended = spawnSync(process.execPath, [join(root, "dist/cli.js"), ...words.split(" ")], {
      cwd: folder,
      env: { PATH: process.env["PATH"] },
      encoding: "utf8",
      timeout: 60_000,
      ...(isRoot && { uid: unnamedUser, gid: unnamedUser }),
    });
    expect(ended.stderr + ended.stdout).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(ended.status).toBe(status);
  },
);
