import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";

import { listProcesses, residentMemory } from "../../../src/adapters/process/index.ts";
import { armRecordOf, parseLoadRecords } from "../../../src/model/load/load-records.ts";
import { type K6Bench, openK6, putLoad, serving } from "./k6-fixture.ts";

let bench: K6Bench;
beforeAll(async () => {
  bench = await openK6();
});
afterAll(() => bench[Symbol.asyncDispose]());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("of long replies without a length a few are read, and the others thrown away as they come", async () => {
  const part = Buffer.alloc(1_000_000);
  await using app = await serving((_, response) => {
    for (let sent = 0; sent < 3; sent += 1) response.write(part);
    response.end();
  });
  const { records } = await putLoad(bench, {
    targets: [{ arm: "head", baseUrl: app.baseUrl }],
    load: { kind: "constant", virtualUsers: 8, durationSeconds: 3 },
    sliceMs: 100,
  });
  const slices = parseLoadRecords(records);
  const read = slices.flatMap(({ bodyBytes }) => bodyBytes);
  expect(new Set(read)).toEqual(new Set([3_000_000]));
  expect(read.length).toBeLessThanOrEqual(4 * 3); // four users, until each has read 8 MB
});

test("a stream is read to its end: its first byte, its length, and all of its time", async () => {
  const event = `data: ${"x".repeat(92)}\n\n`;
  await using app = await serving(async (_, response) => {
    response.setHeader("Content-Type", "text/event-stream");
    await pause(60);
    for (let sent = 0; sent < 5; sent += 1) {
      response.write(event);
      await pause(40);
    }
    response.end();
  });
  const { records } = await putLoad(bench, {
    targets: [{ arm: "head", baseUrl: app.baseUrl }],
    load: { kind: "constant", virtualUsers: 2, durationSeconds: 3 },
    sliceMs: 500,
  });
  const slices = parseLoadRecords(records);
  const record = armRecordOf("head", slices, { sliceMs: 500, blockMs: 1_000, endMs: 3_000 });
  expect(record.responseBytes).toBe(5 * event.length);
  // Timers are late on a busy machine, never early; what follows the first byte is the greater part.
  expect(record.firstByteMs).toBeGreaterThanOrEqual(59);
  const requests = slices.reduce((sum, slice) => sum + slice.requests, 0);
  const meanMs = slices.reduce((sum, slice) => sum + slice.latencyTotalMs, 0) / requests;
  expect(meanMs).toBeGreaterThan((record.firstByteMs ?? 0) + 150);
  expect(Object.keys(record.statuses)).toEqual(["200"]);
});

const endlessApp = `
const part = Buffer.alloc(1_000_000);
const server = require("node:http").createServer((_, response) => {
  const send = () => { while (response.write(part)); };
  response.on("drain", send);
  send();
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

test("replies without end cost no more memory than others, and end the load by their name", async () => {
  // A process of its own: it must not keep ours from looking.
  const endless = spawn(process.execPath, ["-e", endlessApp], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(endless.stdout, "data");
  let most = 0;
  const timer = setInterval(() => {
    for (const { pid, name } of listProcesses())
      if (name === "k6") most = Math.max(most, residentMemory(pid)?.ownBytes ?? 0);
  }, 20);
  const running = putLoad(bench, {
    targets: [{ arm: "head", baseUrl: `http://127.0.0.1:${String(port).trim()}` }],
    load: { kind: "constant", virtualUsers: 64, durationSeconds: 10 },
    materials: [
      { headers: {}, rows: [{ path: "/" }], captures: [{ name: "id", kind: "json", place: "/id" }] },
    ],
    sliceMs: 100,
  });
  await expect(running).rejects.toThrow(
    /^the load generator needed more than 364 MB and was stopped; perhaps a response never ends$/,
  );
  clearInterval(timer);
  endless.kill("SIGKILL");
  expect(most).toBeLessThan(500_000_000);
});
