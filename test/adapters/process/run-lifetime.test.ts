import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
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
