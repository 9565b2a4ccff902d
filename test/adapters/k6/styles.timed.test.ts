import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { endsOf } from "../../../k6/scenario.ts";
import type { Step } from "../../../src/model/endpoint/endpoint.ts";
import { parseK6Summary } from "../../../src/model/load/k6-summary.ts";
import { armRecordOf, parseLoadRecords, secondsToLastReply } from "../../../src/model/load/load-records.ts";
import { mergeStatuses } from "../../../src/model/load/statuses.ts";
import type { Load } from "../../../src/model/plan/cell.ts";
import type { LoadRequest } from "../../../src/ports/load.ts";
import { median, sum } from "../../../src/statistics/estimate.ts";
import { type K6Bench, openK6, putLoad, serving } from "./k6-fixture.ts";

let bench: K6Bench;
beforeAll(async () => {
  bench = await openK6();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** One request as the server saw it. Milliseconds since the first. */
interface Arrival {
  readonly path: string;
  readonly atMs: number;
  /** Number of the connection it came on. */
  readonly connection: number;
}

/** Puts a load on a server that answers everything after a while, and tells what arrived there. */
async function arrivalsOf(load: Load, answerMs: number, more: Partial<LoadRequest> = {}) {
  const arrivals: Arrival[] = [];
  const connections = new Map<unknown, number>();
  const connectedAt: number[] = [];
  let startMs = -1;
  const sinceStart = () => {
    if (startMs < 0) startMs = performance.now();
    return performance.now() - startMs;
  };
  const server = createServer((request, response) => {
    const connection = connections.get(request.socket) ?? -1;
    arrivals.push({ path: request.url ?? "", atMs: sinceStart(), connection });
    const isBad = request.url === "/bad";
    setTimeout(() => response.writeHead(isBad ? 500 : 200).end("hello"), answerMs);
  }).on("connection", (socket) => {
    connectedAt.push(sinceStart());
    connections.set(socket, connections.size);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 1_000, resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  try {
    const baseUrl = `http://127.0.0.1:${address.port}`;
    const { records, summary } = await putLoad(bench, { targets: [{ arm: "head", baseUrl }], load, ...more });
    const slices = parseLoadRecords(records);
    const counted = sum(slices.map(({ requests }) => requests));
    const generator = parseK6Summary(summary, more);
    expect(counted).toBe(generator.requests); // what the run itself is judged by
    return { arrivals, connections: connections.size, connectedAt, slices, generator };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Puts arrivals together that came at nearly the same time. */
function waves(arrivals: readonly Arrival[], answerMs: number): number[] {
  const sizes: number[] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const { atMs } of arrivals) {
    if (atMs - lastMs > answerMs / 2) sizes.push(0);
    sizes[sizes.length - 1] = (sizes.at(-1) ?? 0) + 1;
    lastMs = atMs;
  }
  return sizes;
}

describe("first-request-alone", () => {
  const answerMs = 400;

  test.for([
    { requests: 50, virtualUsers: 20, expected: [1, 20, 20, 9] }, // as `ab -n 50 -c 20`
    { requests: 20, virtualUsers: 20, expected: [1, 19] },
    { requests: 3, virtualUsers: 1, expected: [1, 1, 1] },
    { requests: 1, virtualUsers: 5, expected: [1] },
  ])("$requests requests by $virtualUsers arrive as $expected", async (each) => {
    const { requests, virtualUsers, expected } = each;
    const load = { kind: "requests", requests, virtualUsers, firstRequestAlone: true } as const;
    const { arrivals, slices, generator } = await arrivalsOf(load, answerMs);
    expect(waves(arrivals, answerMs)).toEqual(expected);
    expect(generator).toMatchObject({ requests, failures: 0 });
    // The first request is part of the time, and k6's making of users is not.
    const seconds = secondsToLastReply(slices);
    expect(seconds).toBeGreaterThan((expected.length * answerMs - 2) / 1_000);
    expect(seconds).toBeLessThan(generator.durationSeconds + 0.001); // replies are told in whole milliseconds
    const { blocks } = armRecordOf("head", slices, {
      sliceMs: 100,
      blockMs: 1_000,
      endMs: seconds * 1_000,
    });
    expect(sum(blocks.map((block) => block.requests))).toBe(requests);
    expect(blocks[0]?.latencyMaxMs).toBeGreaterThan(answerMs - 2);
  });

  test("without it all begin at once", async () => {
    const load = { kind: "requests", requests: 50, virtualUsers: 20 } as const;
    expect(waves((await arrivalsOf(load, answerMs)).arrivals, answerMs)).toEqual([20, 20, 10]);
  });

  test("fewer requests than users are sent all the same", async () => {
    const { arrivals } = await arrivalsOf({ kind: "requests", requests: 3, virtualUsers: 8 }, 10);
    expect(arrivals).toHaveLength(3);
  });
});

describe("connections", () => {
  const load = { kind: "requests", requests: 60, virtualUsers: 4 } as const;

  test("are kept by each user", async () => {
    expect((await arrivalsOf(load, 2)).connections).toBe(4);
  });

  test("new: are made for each request", async () => {
    const { connections, arrivals } = await arrivalsOf({ ...load, connections: "new" }, 2);
    expect(connections).toBe(60);
    expect(new Set(arrivals.map(({ connection }) => connection)).size).toBe(60);
  });

  test("new: also within an iteration and in other loads", async () => {
    const steps = [
      { method: "GET", path: "/a" },
      { method: "GET", path: "/b" },
    ] as const;
    const constant = { kind: "constant", virtualUsers: 2, durationSeconds: 0.5, connections: "new" } as const;
    const { connections, arrivals } = await arrivalsOf(constant, 20, { endpoint: { steps: [...steps] } });
    expect(connections).toBe(arrivals.length);
  });
});

describe("an iteration", () => {
  const steps: Step[] = [
    { method: "GET", path: "/" },
    { pauseSeconds: 0.1 },
    { method: "POST", path: "/api" },
    { method: "GET", path: "/bad" },
  ];
  const endpoint = { steps };
  const load = { kind: "constant", virtualUsers: 3, durationSeconds: 2 } as const;
  const answerMs = 20;
  const usualMs = 3 * answerMs + 100;
  /** What a busy machine may add to an iteration. */
  const lateMs = 60;

  /** Of each user, whose connection tells who it is. */
  function byUser(arrivals: readonly Arrival[]): Arrival[][] {
    const users = new Set(arrivals.map(({ connection }) => connection));
    return [...users].map((user) => arrivals.filter(({ connection }) => connection === user));
  }

  /** Milliseconds from request to request. */
  function gapsOf(mine: readonly Arrival[]): number[] {
    return mine.slice(1).map(({ atMs }, index) => atMs - (mine[index]?.atMs ?? Number.NaN));
  }

  /** What passes before a request, from the one before it. */
  const beforeMs = (index: number) => (index % 3 === 1 ? answerMs + 100 : answerMs);

  test("has its steps in order, with the pause, again and again, to its end", async () => {
    const { arrivals, slices, generator } = await arrivalsOf(load, answerMs, { endpoint, detailed: true });
    const users = byUser(arrivals);
    expect(users).toHaveLength(3);
    for (const mine of users) {
      expect(mine.length % 3).toBe(0);
      mine.forEach(({ path, atMs }, index) => {
        expect(path).toBe(["/", "/api", "/bad"][index % 3]);
        if (index > 0) expect(atMs - (mine[index - 1]?.atMs ?? atMs)).toBeGreaterThan(beforeMs(index) - 3);
      });
    }
    // One of them may have waited for the machine; that most did is a defect.
    for (const step of [0, 1, 2]) {
      const gaps = users.flatMap((mine) => gapsOf(mine).filter((_, index) => (index + 1) % 3 === step));
      expect(median(gaps)).toBeLessThan(beforeMs(step) + lateMs);
    }
    const iterations = arrivals.length / 3;
    expect(generator).toMatchObject({
      requests: arrivals.length,
      failures: iterations,
      iterations,
      details: { expectedResponses: { count: 2 * iterations } },
    });
    const { details } = generator;
    expect(details?.iterationDuration?.minMs).toBeGreaterThan(usualMs - 3);
    expect(details?.iterationDuration?.medMs).toBeLessThan(usualMs + lateMs);
    expect(details?.iterationsPerSecond).toBeCloseTo(iterations / generator.durationSeconds, 1);
    expect(details?.expectedResponses?.minMs).toBeGreaterThan(answerMs - 2);
    expect(details?.connecting.maxMs).toBeGreaterThan(0);
    expect(mergeStatuses(slices.map(({ statuses }) => statuses))).toEqual({
      "200": 2 * iterations,
      "500": iterations,
    });
  });

  test("has cycles from request to request, the pause within", async () => {
    const { slices, arrivals } = await arrivalsOf(load, answerMs, { endpoint });
    const cycles = sum(slices.map((slice) => slice.cycles));
    expect(cycles).toBeGreaterThan(arrivals.length - 7);
    const meanMs = sum(slices.map((slice) => slice.cycleMs)) / cycles;
    expect(meanMs).toBeGreaterThan(usualMs / 3 - 3);
    // The server saw them begin: so late was the machine, and k6 may say a little more.
    const gaps = byUser(arrivals).flatMap(gapsOf);
    expect(meanMs).toBeLessThan(sum(gaps) / gaps.length + lateMs / 3);
  });

  test("ends with the load where nobody asked for whole ones, however long it pauses", async () => {
    const startedAt = performance.now();
    const pausing = { steps: [{ method: "GET" as const, path: "/" }, { pauseSeconds: 20 }] };
    const { arrivals } = await arrivalsOf({ ...load, durationSeconds: 0.5 }, answerMs, { endpoint: pausing });
    expect(arrivals).toHaveLength(3);
    expect(performance.now() - startedAt).toBeLessThan(8_000);
  });

  test("whose last step is a pause loses no request at the end", async () => {
    const endless = { steps: [...steps, { pauseSeconds: 0.3 }] };
    const { arrivals, generator } = await arrivalsOf(load, answerMs, { endpoint: endless, detailed: true });
    expect(generator.requests).toBe(arrivals.length);
    expect(arrivals.length % 3).toBe(0);
  });

  test("under stages loses no request either", async () => {
    const stages = [
      { durationSeconds: 1, virtualUsers: 5 },
      { durationSeconds: 1, virtualUsers: 0 },
    ];
    const { arrivals, generator } = await arrivalsOf({ kind: "stages", stages }, answerMs, {
      endpoint,
      detailed: true,
    });
    expect(generator.requests).toBe(arrivals.length);
    expect(arrivals.length % 3).toBe(0);
  });
});

test("details of one endpoint under an ordinary load: nothing but the requests is an iteration", async () => {
  const { generator, arrivals } = await arrivalsOf(
    { kind: "constant", virtualUsers: 4, durationSeconds: 1.5 },
    50,
    { detailed: true },
  );
  expect(generator).toMatchObject({ requests: arrivals.length, iterations: arrivals.length });
  expect(generator.details?.iterationDuration?.minMs).toBeGreaterThan(48);
  // Two requests in one iteration would take 100 ms; the longest one is the machine's affair.
  expect(generator.details?.iterationDuration?.medMs).toBeLessThan(95);
});

test("stages of 10s:500 ramp evenly: one more user every 20 ms", async () => {
  const stages = [
    { durationSeconds: 10, virtualUsers: 500 },
    { durationSeconds: 1, virtualUsers: 500 },
  ];
  const { connectedAt } = await arrivalsOf({ kind: "stages", stages }, 1_000);
  expect(connectedAt).toHaveLength(500);
  const deviations = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((second) => {
    const users = connectedAt.filter((atMs) => atMs <= second * 1_000).length;
    return Math.abs(users - 50 * second);
  });
  // A moment in which the machine stands still makes one of them large; a ramp in steps makes most of them large.
  expect(median(deviations)).toBeLessThan(15);
});

test("a time-out of one's own holds after quick replies too", async () => {
  let replies = 0;
  await using app = await serving((_, response) => {
    replies += 1;
    if (replies <= 4) response.end("hello"); // then it hangs
  });
  const sending = { timeoutSeconds: 0.5, gracefulStopSeconds: 1 };
  const load = { ...sending, kind: "constant", virtualUsers: 2, durationSeconds: 2 } as const;
  const { records, summary } = await putLoad(bench, {
    targets: [{ arm: "head", baseUrl: app.baseUrl }],
    load,
    detailed: true,
  });
  const statuses = mergeStatuses(parseLoadRecords(records).map((slice) => slice.statuses));
  expect(statuses).toEqual({ "200": 4, "error 1050": replies - 4 });
  expect(replies - 4).toBeGreaterThanOrEqual(8); // two users, four time-outs of half a second
  expect(parseK6Summary(summary, {}).requests).toBe(replies);
});

test("what is still under way when nobody waits any more is cut off, and counted as failed", async () => {
  const load = { kind: "constant", virtualUsers: 5, durationSeconds: 1, gracefulStopSeconds: 3 } as const;
  const { slices, generator, arrivals } = await arrivalsOf(load, 40_000);
  expect(arrivals).toHaveLength(5);
  expect(generator).toMatchObject({ requests: 5, failures: 5 });
  expect(generator.durationSeconds).toBeGreaterThan(3.9);
  expect(generator.durationSeconds).toBeLessThan(6);
  expect(sum(slices.map(({ failures }) => failures))).toBe(5);
  expect(mergeStatuses(slices.map(({ statuses }) => statuses))).toEqual({ "cut off": 5 });
  const { blocks } = armRecordOf("head", slices, { sliceMs: 100, blockMs: 1_000, endMs: 1_000 });
  expect(blocks).toMatchObject([{ requests: 0 }]); // no throughput
});

test("that is 30 s after the end, as k6 has it, where nobody says otherwise", () => {
  const load = { kind: "constant", virtualUsers: 5, durationSeconds: 1 } as const;
  const endpoint = { method: "GET", path: "/" };
  const script = { load, endpoint, targets: [], sliceMs: 100, growth: 1.02, seed: 1, summaryPath: "" };
  expect(endsOf(script)).toMatchObject({ loadMs: 1_000, cutOffMs: 31_000 });
});
