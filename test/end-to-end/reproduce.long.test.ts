import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { root } from "./act.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "reproduce-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** As a user would, from another folder than the program's. */
function reproduce(...words: string[]): Promise<{ status: number; output: string }> {
  const argv = [join(root, "reproduce", "dist", "reproduce.js"), ...words, "--results-directory", "results"];
  return new Promise((resolve) => {
    execFile("node", argv, { cwd: folder }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

test("two claims of two reports, with a server beside the app, gunicorn and iterations", {
  timeout: 180_000,
}, async () => {
  const { status, output } = await reproduce("K08", "W16", "--pages", "pages");
  // Whether a claim of a few per cent holds at this moment is up to the machine; that it is judged is not.
  const [, outcome = ""] =
    /(?: {2}|! )K08 {2}(confirmed|refuted|not settled) +.*\n +published [\d.]+, measured [\d.]+, predicted 1\.33: /.exec(
      output,
    ) ?? [];
  expect(output).toMatch(/(?: {2}|! )W16 {2}(?:confirmed|refuted|not settled) /);
  expect(outcome, output).not.toBe("");
  expect(output).toMatch(/^2 claims: .*; [012] as predicted$/m);
  expect(status, output).toBe(/^! /m.test(output) ? 1 : 0);
  // Pages are of whole reports.
  const page = await readFile(join(folder, "results", "wsgi-and-asgi-servers.md"), "utf8");
  expect(page).toContain("wsgi/gunicorn-sync-2/db25");
  expect(await readFile(join(folder, "results", "README.md"), "utf8")).toContain("one-keyword");
  expect(existsSync(join(folder, "pages"))).toBe(false);
  const document: unknown = JSON.parse(await readFile(join(folder, "results", "one-keyword.json"), "utf8"));
  expect(document).toMatchObject({ claims: [{ id: "K08", outcome }] });
});

test("an unknown report or claim is one error, and starts nothing", async () => {
  const { status, output } = await reproduce("three-wait", "K99");
  expect(status).toBe(2);
  expect(output).toContain('reproduce: "three-wait" is neither a report');
  expect(output).toContain("did you mean three-waits?");
  expect(output).toContain('reproduce: "K99" is neither a report');
});
