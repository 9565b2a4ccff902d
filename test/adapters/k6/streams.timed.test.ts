import { afterAll, beforeAll, expect, test } from "vitest";

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
