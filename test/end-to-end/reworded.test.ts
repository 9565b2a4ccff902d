import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

import { root } from "./act.ts";

test("with each sentence reworded, `init`, its trials and the report decide as before", async () => {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const words = [vitest, "run", "--config", "test/reworded/vitest.config.ts", "--reporter=dot"];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root });
  expect(stdout).toMatch(/Tests .*\d{3} passed/);
});
