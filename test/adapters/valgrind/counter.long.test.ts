import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

import { withPrograms } from "../../../src/adapters/process/index.ts";
import { findFreePort, sendRequest, startAppServer } from "../../../src/adapters/server/index.ts";
import { openCounters } from "../../../src/adapters/valgrind/index.ts";
import { asgiFolder, prepareAsgi } from "../../fixtures/python/asgi.ts";

const folder = mkdtempSync(join(tmpdir(), "loadtest-counter-"));
afterAll(() => rm(folder, { recursive: true }));
const signal = new AbortController().signal;
const { countingProblem, openCounter } = openCounters({
  path: process.env["LOADTEST_VALGRIND"] || undefined,
  workFolder: folder,
  signal,
});
const problem = await countingProblem();

async function instructionsOf(program: readonly string[], requests: number): Promise<number[]> {
  const environment = await prepareAsgi();
  const port = await findFreePort();
  await using counter = await openCounter();
  const command = counter.watch({
    argv: ["python", "-m", "uvicorn", ...program, "--port", String(port), "--no-access-log"],
    folder: asgiFolder,
    variables: withPrograms(environment, { PYTHONHASHSEED: "1" }),
    baseUrl: `http://127.0.0.1:${port}`,
    readyPath: "/",
    readyWithinSeconds: 90,
    cpus: undefined,
  });
  await using _ = await startAppServer(
    { ...command, stopsWithinSeconds: 0.5 },
    { logPath: join(folder, `${port}.log`), signal },
  );
  const send = async () => {
    const url = `${command.baseUrl}/`;
    const plain = { method: "GET", headers: {}, body: undefined, withinSeconds: 30 } as const;
    for (let count = 0; count < requests; count += 1)
      expect(await sendRequest({ url, ...plain, keepsConnection: true }, signal)).toMatchObject({
        status: 200,
      });
  };
  await counter.begin();
  await send();
  await counter.read();
  const counts: number[] = [];
  for (let batch = 0; batch < 3; batch += 1) {
    await send();
    counts.push((await counter.read()).instructions / requests);
  }
  const idle = await counter.idlePerSecond();
  expect(idle).toBeLessThan(requests * (counts[0] ?? 0));
  return counts;
}

describe.skipIf(problem !== undefined)(`a server under Valgrind (${problem ?? "which is here"})`, () => {
  test("executes as many instructions for the same requests, whenever they come", async () => {
    const counts = await instructionsOf(["serving:app"], 40);
    for (const count of counts) {
      expect(count).toBeGreaterThan(50_000);
      expect(Math.abs(count / (counts[0] ?? 0) - 1)).toBeLessThan(0.2);
    }
  });
});
