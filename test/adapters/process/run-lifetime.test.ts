import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";

import { openRunLifetime, startProcess } from "../../../src/adapters/process/index.ts";

test("a run's folder and processes end with it, the processes first", async () => {
  const order: string[] = [];
  let folder = "";
  let left: Promise<unknown> | undefined;
  {
    await using run = openRunLifetime({
      warn: (text) => order.push(text),
      afterKilling: () => order.push(existsSync(folder) ? "killed" : "too late"),
    });
    folder = await run.workFolder();
    expect(await run.workFolder()).toBe(folder);
    expect([run.signal.aborted, run.cancelledBy()]).toEqual([false, undefined]);
    await writeFile(join(folder, "left"), "by the app");
    const argv = [process.execPath, "-e", "setInterval(() => {}, 1000)"] as const;
    left = (await startProcess({ argv, logPath: join(folder, "log") })).exited;
  }
  expect(await left).toMatchObject({ signal: "SIGKILL" });
  expect(existsSync(folder)).toBe(false);
  expect(order).toEqual(["killed"]);
});

test("a run that makes no folder leaves none, and a signal is its exit status", async () => {
  const before = process.listenerCount("SIGTERM");
  const run = openRunLifetime({ warn: () => undefined, afterKilling: () => undefined });
  process.emit("SIGTERM");
  expect([run.signal.aborted, run.cancelledBy()]).toEqual([true, 143]);
  await run[Symbol.asyncDispose]();
  expect(process.listenerCount("SIGTERM")).toBe(before);
});

test("F18: a run whose files take too much of the disk ends, and says what they take", async () => {
  await using run = openRunLifetime({ warn: () => undefined, afterKilling: () => undefined });
  const folder = await run.workFolder();
  run.boundDisk([folder, join(folder, "not made")], { mostBytes: 30e6, leastFreeBytes: 0 });
  await writeFile(join(folder, "a"), Buffer.alloc(20_000_000, 1));
  await sleep(2_500);
  expect(run.signal.aborted).toBe(false);
  await mkdir(join(folder, "below"));
  await writeFile(join(folder, "below", "b"), Buffer.alloc(60_000_000, 1));
  await expect.poll(() => run.signal.aborted, { timeout: 10_000 }).toBe(true);
  expect(run.cancelledBy()).toBeUndefined();
  expect(run.signal.reason).toMatchObject({
    name: "EnvironmentError",
    message: expect.stringMatching(/^this run's files take 8\d MB; at most 30 MB are allowed; something may/),
  });
});
