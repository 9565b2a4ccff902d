import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { openOutputLog } from "../../../src/adapters/process/index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-log-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a log that has grown too large keeps its end", async () => {
  const logPath = join(folder, "log");
  await writeFile(logPath, "earlier\n");
  const log = openOutputLog(logPath, 100_000);
  await appendFile(logPath, `${"a".repeat(90_000)}b\n`);
  log.bound();
  expect((await stat(logPath)).size).toBe(90_010);
  await appendFile(logPath, `${"c".repeat(90_000)}d\n`);
  log.bound();
  expect(await readFile(logPath, "utf8")).toMatch(/^\[114476 bytes of log were dropped here\]\nc{65534}d\n$/);
  expect(log.tail()).toMatch(/^c{3998}d\n$/);
});
