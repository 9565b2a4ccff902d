import { createServer, type ServerResponse } from "node:http";
import { expect, test } from "vitest";

import { lookAtClock } from "../../../src/adapters/server/index.ts";

const never = new AbortController().signal;

async function serverThat(answers: (response: ServerResponse) => void) {
  const connections = new Set<number>();
  const methods = new Set<string>();
  const server = createServer((request, response) => {
    connections.add(request.socket.remotePort ?? 0);
    methods.add(request.method ?? "");
    answers(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const stop = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { baseUrl: `http://127.0.0.1:${port}`, connections, methods, [Symbol.asyncDispose]: stop };
}

/** A server whose clock is so many milliseconds ahead. */
const ahead = (ms: number) => (response: ServerResponse) => {
  response.setHeader("Date", new Date(Date.now() + ms).toUTCString());
  response.end();
};

test.for([0, 5_250])("the clock of an app that is %s ms ahead is behind by that much", async (ms) => {
  await using server = await serverThat(ahead(ms));
  const startMs = Date.now() + 3_000;
  const clock = await lookAtClock(server.baseUrl, startMs, never);
  expect(Date.now()).toBeLessThan(startMs);
  expect(clock?.errorMs).toBeLessThan(500);
  expect(Math.abs((clock?.offsetMs ?? Number.NaN) + ms)).toBeLessThanOrEqual(clock?.errorMs ?? 0);
  expect(server.connections.size).toBeGreaterThan(3);
  expect(server.methods).toEqual(new Set(["HEAD"]));
});

test("an app without a date has no clock, and neither has one that does not answer", async () => {
  await using server = await serverThat((response) => {
    response.sendDate = false;
    response.end();
  });
  expect(await lookAtClock(server.baseUrl, Date.now() + 700, never)).toBeNull();
  expect(await lookAtClock("http://127.0.0.1:1", Date.now(), never)).toBeNull();
});

test("a look that is cancelled ends", async () => {
  const stop = new AbortController();
  const looking = lookAtClock("http://127.0.0.1:1", Date.now() + 60_000, stop.signal);
  stop.abort();
  await expect(looking).rejects.toThrow();
});
