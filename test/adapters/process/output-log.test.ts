import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { runProcess, startProcess } from "../../../src/adapters/process/child-process.ts";
import { openOutputLog } from "../../../src/adapters/process/output-log.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-log-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a log that has grown too large keeps its end", async () => {
  const logPath = join(folder, "log");
  await writeFile(logPath, "earlier\n");
  const log = openOutputLog(logPath, { mostBytes: 100_000 });
  let isRunning = true;
  log.keepBounded(() => isRunning);
  await appendFile(logPath, `${"a".repeat(90_000)}b\n`);
  await sleep(250);
  expect((await stat(logPath)).size).toBe(90_010);
  await appendFile(logPath, `${"c".repeat(90_000)}d\n`);
  isRunning = false;
  await expect
    .poll(() => readFile(logPath, "utf8"))
    .toMatch(/^\[114476 bytes of log were dropped here\]\nc{65534}d\n$/);
  expect(log.tail()).toMatch(/^c{3998}d\n$/);
});

/** Most bytes that a file has in the time, to a hundredth of a second. */
async function mostBytes(path: string, ms: number): Promise<number> {
  let most = 0;
  for (const endMs = performance.now() + ms; performance.now() < endMs; await sleep(10))
    most = Math.max(most, (await stat(path).catch(() => ({ size: 0 }))).size);
  return most;
}

const largest = 200_000_000;

test("an earlier start's log, which is too large, is not cut under a later one, nor are its words that one's", async () => {
  const path = join(folder, "shared.log");
  await writeFile(path, "");
  const bounds = { mostBytes: 10_000, keptBytes: 1_000 };
  openOutputLog(path, bounds).keepBounded(() => false);
  await writeFile(path, `${"x".repeat(20_000)} it is up`);
  const later = openOutputLog(path, bounds);
  await sleep(300);
  expect(later.tail()).toBe("");
  await appendFile(path, "on its way");
  expect(later.tail()).toBe("on its way");
});

test("F43: a program that prints without end fills no disk, and neither does what it leaves behind", async () => {
  const [logPath, outputPath] = [join(folder, "flood.log"), join(folder, "flood.out")];
  // What floods gives way to what bounds it: how soon that gets a CPU is not the matter here.
  const flood = ["nice", "-n", "19", "sh", "-c"] as const;
  const running = await startProcess({ argv: [...flood, "yes flood >&2 & yes"], logPath, outputPath });
  onTestFinished(() => running.stop(0));
  const [log, output] = await Promise.all([mostBytes(logPath, 1_500), mostBytes(outputPath, 1_500)]);
  expect(log).toBeLessThan(largest);
  expect(output).toBeLessThan(largest);
  await running.stop(0);
  expect(running.tail()).toContain("flood\n"); // a kill may cut the last line
  const left = join(folder, "left.log");
  await runProcess({ argv: [...flood, "timeout 2 yes left & exit 0"], logPath: left });
  expect(await mostBytes(left, 1_500)).toBeLessThan(largest);
  expect((await readFile(left, "latin1")).startsWith("[")).toBe(true);
});

test("F43: one that was quiet and then prints as fast as it can is noticed in time", async () => {
  const logPath = join(folder, "late.log");
  const lines = "import os, time; time.sleep(0.7); block = b'x' * 1_000_000\nwhile True: os.write(1, block)";
  const running = await startProcess({ argv: ["nice", "-n", "19", "python3", "-c", lines], logPath });
  onTestFinished(() => running.stop(0));
  expect(await mostBytes(logPath, 2_500)).toBeLessThan(largest / 2);
  expect(running.tail()).toMatch(/^x+/);
});
