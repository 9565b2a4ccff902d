import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

import { root } from "./act.ts";

const script = join(root, "scripts", "demo.mjs");

test("`npm run demo` finds both planted faults, with their lines, and ends with where the report is", {
  timeout: 400_000,
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 10_000_000 });
  const [, comment = ""] = stdout.split("The comment on the pull request:\n");
  // Whether the second one is certain after a minute and three quarters is up to the machine; its line is named anyway.
  expect(comment).toMatch(/^\n[12] of 3 endpoints got slower/);
  expect(comment).toMatch(/\/async_endpoint_async_processing\S* (?:is|blocks) [\s\S]*\sapp\/sleeps\.py:22/);
  expect(comment).toMatch(/\/async_simulation\S* (?:is|runs) [\s\S]*\sapp\/purchases\.py:96/);
  const [, page = ""] = /\nReport: (.*)\n$/.exec(stdout) ?? [];
  expect(existsSync(page), stdout).toBe(true);
});

test("a word that it does not know is one sentence, before anything is installed or started", async () => {
  const failed = await promisify(execFile)(process.execPath, [script, "worker"]).catch((error) => error);
  expect(failed).toMatchObject({ code: 2, stdout: "" });
  expect(failed.stderr).toMatch(/^demo: unknown word "worker": .*\.\n$/);
});
