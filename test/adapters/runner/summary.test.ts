import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { openShared } from "../../../src/wiring/shared.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "summary-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What is in the summary when a run has ended, into which the app wrote first. */
async function afterRun(reports: boolean) {
  const path = join(folder, "summary");
  writeFileSync(path, "an earlier action's\n");
  {
    await using shared = await openShared({ GITHUB_STEP_SUMMARY: path });
    writeFileSync(path, "## Load test: nothing is slower\n", { flag: "a" });
    if (reports) await shared.runner.addSummary("## Load test: slower");
  }
  return readFileSync(path, "utf8");
}

test("T10: what an app writes into the job's summary does not stay, as it would pass for our report", async () => {
  expect(await afterRun(false)).toBe("an earlier action's\n");
});

test("T10: nor does it above the report of the same process", async () => {
  expect(await afterRun(true)).toBe("an earlier action's\n\n## Load test: slower\n");
});
