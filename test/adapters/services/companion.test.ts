import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import {
  type RunningCompanion,
  startCompanion,
  withSidePrograms,
} from "../../../src/adapters/services/index.ts";
import { runningServer } from "../../../src/measure/preparation/index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-companion-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let count = 0;
const start = (
  code: string,
  {
    readyText,
    logName,
    signal = new AbortController().signal,
  }: { readyText?: string; logName?: string; signal?: AbortSignal } = {},
): Promise<RunningCompanion> => {
  count += 1;
  return startCompanion(
    {
      name: "worker",
      command: `'${process.execPath}' -e "${code}"`,
      variables: { OWN: "its own" },
      ...(readyText !== undefined && { readyText }),
    },
    {
      folder,
      variables: { OWN: "the app's", MORE: "more" },
      logPath: join(folder, `${logName ?? count}.log`),
      cpus: undefined,
      signal,
    },
  );
};

const forever = "setInterval(() => {}, 1000)";

test("runs with the app's variables and its own, until it is ended", async () => {
  const code = `setTimeout(() => console.log(process.env.OWN, process.env.MORE), 300); ${forever}`;
  const companion = await start(code, { readyText: "its own more" });
  await companion.ready();
  expect(companion.ended()).toBeUndefined();
  const { hasEnded } = companion;
  await companion[Symbol.asyncDispose]();
  // Nobody is told of an end that we asked for.
  expect(await Promise.race([hasEnded, new Promise((resolve) => setTimeout(resolve, 300, "silence"))])).toBe(
    "silence",
  );
});

test("the words of an earlier start in the same log do not count", async () => {
  const options = { readyText: "it is up", logName: "shared" };
  const printing = (words: string) => `console.log('${words}'); ${forever}`;
  {
    await using first = await start(printing("it is up"), options);
    await first.ready();
  }
  await using second = await start(`setTimeout(() => { ${printing("it is up")} }, 400)`, options);
  let isReady = false;
  const ready = second.ready().then(() => {
    isReady = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(isReady).toBe(false);
  await ready;
});

test("without words to wait for it counts at once", async () => {
  await using companion = await start(forever);
  await companion.ready();
});

test("one that ends while it starts tells its words", async () => {
  await using companion = await start("console.log('no broker'); process.exit(3)", { readyText: "ready" });
  await expect(companion.ready()).rejects.toMatchObject({
    phase: "start app",
    message: "processes.worker ended with code 3 while it started",
    logTail: expect.stringContaining("no broker"),
  });
});

test("waiting for its words can be cancelled", async () => {
  const cancel = new AbortController();
  await using companion = await start(forever, { readyText: "ready", signal: cancel.signal });
  setTimeout(() => cancel.abort(new Error("cancelled by the user")), 200);
  await expect(companion.ready()).rejects.toThrow("cancelled by the user");
});

test("a program that is not there is told", async () => {
  const options = { folder, variables: {}, logPath: join(folder, "no.log"), cpus: undefined };
  const companion = { name: "worker", command: "no-such-program --x", variables: {} };
  await expect(
    startCompanion(companion, { ...options, signal: new AbortController().signal }),
  ).rejects.toThrow("processes.worker could not be started: spawn no-such-program ENOENT");
});

test("its CPU time is told apart, and its end makes the app fail", async () => {
  const code =
    "const end = Date.now() + 700; while (Date.now() < end); setTimeout(() => process.exit(1), 2500)";
  await using companion = await start(code);
  const server = withSidePrograms(runningServer("http://127.0.0.1:1"), [companion]);
  await expect
    .poll(() => server.companionCpuSeconds?.()?.["worker"], { timeout: 20_000 })
    .toBeGreaterThan(0.1);
  expect(await server.failure).toBe("process worker ended (code 1) while the app ran");
});

test("its log is cut down to its end when it grows too large", async () => {
  const code = `const more = 'x'.repeat(1e6); for (let n = 0; n < 30; n += 1) require('fs').writeSync(1, more); ${forever}`;
  await using _ = await start(code);
  const path = join(folder, `${count}.log`);
  await vi.waitFor(async () => expect(await readFile(path, "utf8")).toContain("bytes of log were dropped"), {
    timeout: 20_000,
    interval: 100,
  });
  expect((await stat(path)).size).toBeLessThan(30_000_000);
});
