import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { isWorkflowCommand } from "../text/workflow-command.ts";
import { action, root } from "./files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "print-results-"));
  mkdirSync(join(folder, "cells"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function print() {
  const { status, stdout } = spawnSync("bash", [join(root, "scripts/print-results.sh")], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], RESULTS_DIRECTORY: folder },
    maxBuffer: 10_000_000,
  });
  return { status, stdout };
}

test("F23: results that could not be uploaded are in the log, and can be had from it", () => {
  writeFileSync(join(folder, "plan.json"), '{"cells":[]}');
  writeFileSync(join(folder, "cells", "a-w1.json"), '"::error::x ##[error]y"');
  writeFileSync(join(folder, "secret"), "not asked for");
  symlinkSync("/etc/passwd", join(folder, "cells", "link.json"));
  const { status, stdout } = print();
  expect(status).toBe(0);
  expect(stdout.split("\n").filter(isWorkflowCommand)).toEqual([]);
  const [, lines = ""] = stdout.split("-----\n");
  const unpacked = mkdtempSync(join(folder, "unpacked-"));
  // As the log says, from what GitHub lets people download: with the time before each line.
  const timed = lines.replaceAll(/^(?=.)/gm, "2026-11-21T23:00:00.0000000Z ");
  writeFileSync(join(unpacked, "..", "results.txt"), timed);
  const recipe = /^ {2}(sed .*)$/m.exec(stdout)?.[1] ?? "";
  const unpack = recipe.replace("results.txt", "../results.txt");
  expect(spawnSync("bash", ["-c", unpack], { cwd: unpacked }).status, recipe).toBe(0);
  expect(readdirSync(unpacked, { recursive: true }).map(String).toSorted()).toEqual([
    "cells",
    "cells/a-w1.json",
    "plan.json",
  ]);
  expect(readFileSync(join(unpacked, "cells/a-w1.json"), "utf8")).toBe('"::error::x ##[error]y"');
});

test("F23: too many for a log are told so, and none are nothing", () => {
  expect(print()).toEqual({ status: 0, stdout: "" });
  const noise = Array.from({ length: 400_000 }, () => Math.random().toString(36)).join("");
  writeFileSync(join(folder, "plan.json"), noise);
  expect(print().stdout).toMatch(/^The artifact could not be stored, and the results have \d{7} bytes/);
});

test("F23: the action prints them after an upload that failed, and then only", () => {
  const steps = action.runs.steps;
  const upload = steps.findIndex(({ id }) => id === "upload");
  const next = steps[upload + 1];
  expect(steps[upload]?.uses).toMatch(/^actions\/upload-artifact@/);
  expect(next?.if).toContain("steps.upload.outcome == 'failure'");
  expect(next?.run).toContain("scripts/print-results.sh");
});
