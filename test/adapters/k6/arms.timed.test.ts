import { afterAll, beforeAll, describe, expect, type RunnerTestCase, test } from "vitest";

import { histogramCount, quantileMs } from "../../../src/model/load/histogram.ts";
import { parseK6Summary } from "../../../src/model/load/k6-summary.ts";
import { parseLoadRecords, type Slice } from "../../../src/model/load/load-records.ts";
import { slicePairsOf } from "../../../src/model/load/slicing.ts";
import { type ArmName, armNames } from "../../../src/model/measurement/measurement.ts";
import type { LoadRequest } from "../../../src/ports/load.ts";
import { median, sum } from "../../../src/statistics/estimate.ts";
import { after, type K6Bench, ok, openK6, putLoad, serving } from "./k6-fixture.ts";

let bench: K6Bench;

beforeAll(async () => {
  bench = await openK6();
});
afterAll(() => bench[Symbol.asyncDispose]());

type Measured = ReturnType<typeof measure>;
/** What most tests look at: one load for all of them, and another for those that need a second try. */
const guardedLoads: Measured[] = [];

function guarded(task: Readonly<RunnerTestCase>): Measured {
  const { retryCount = 0 } = task.result ?? {};
  const load = guardedLoads[retryCount] ?? measure({ guard });
  guardedLoads[retryCount] = load;
  return load;
}

/**
 * What the arms answer after, in milliseconds. Timers are late, never early, and this machine may be busy: how late they
 * were the servers say themselves, and k6 may be later than that.
 */
const latencyMs = { base: 20, head: 30 } as const;
const lateMs = 12;
const sliceMs = 200;
const guard = { startMs: 60, endMs: 40 } as const;

/** Two seconds of load by four users on two servers of known latency, and what the script wrote of it. */
async function measure(request: Partial<LoadRequest> = {}) {
  const tookMs: Record<ArmName, number[]> = { base: [], head: [] };
  await using base = await serving(after(latencyMs.base, tookMs.base));
  await using head = await serving(after(latencyMs.head, tookMs.head));
  const { records, summary } = await putLoad(bench, {
    targets: [
      { arm: "base", baseUrl: base.baseUrl },
      { arm: "head", baseUrl: head.baseUrl },
    ],
    load: { kind: "constant", virtualUsers: 4, durationSeconds: 2 },
    sliceMs,
    ...request,
  });
  const slices = parseLoadRecords(records);
  const seen = { base: base.seen.length, head: head.seen.length };
  return { slices, seen, tookMs, requests: parseK6Summary(summary).requests };
}

function of(arm: ArmName, slices: readonly Slice[]): readonly Slice[] {
  return slices.filter((slice) => slice.arm === arm);
}

test("each pair of slices has one of each arm, in random order; every request is counted once, where it went", {
  tags: ["smoke"],
}, async ({ task }) => {
  const { slices, seen, requests } = await guarded(task);
  expect(slices.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const pairs = [0, 2, 4, 6, 8].map((first) => slices.slice(first, first + 2).map(({ arm }) => arm));
  for (const pair of pairs) expect(pair.toSorted()).toEqual(["base", "head"]);
  expect(new Set(pairs.map(([first]) => first)).size).toBe(2);
  for (const arm of armNames) expect(sum(of(arm, slices).map((slice) => slice.requests))).toBe(seen[arm]);
  expect(requests).toBe(seen.base + seen.head);
});

test("the order of the arms follows the seed", async () => {
  const load = { kind: "constant", virtualUsers: 4, durationSeconds: 1 } as const;
  const armsWith = async (seed: number) => {
    const { slices } = await measure({ seed, sliceMs: 50, load });
    return new Map(slices.map(({ index, arm }) => [index, arm]));
  };
  const [first, again, other] = [await armsWith(1), await armsWith(1), await armsWith(4_294_967_295)];
  // On a machine that is held up a slice may be missing.
  const differences = (others: typeof first) =>
    [...first].filter(([index, arm]) => others.has(index) && others.get(index) !== arm);
  expect(differences(again)).toEqual([]);
  expect(differences(other)).not.toEqual([]);
});

describe("cycles", () => {
  test("last as long as the arm's server takes", async ({ task }) => {
    const { slices, tookMs } = await guarded(task);
    const { arms } = slicePairsOf(slices, sliceMs, 2_000);
    for (const arm of armNames) {
      expect(arms[arm].cycles).toHaveLength(5);
      const meanMs = sum(arms[arm].cycleMs) / sum(arms[arm].cycles);
      expect(meanMs).toBeGreaterThan(latencyMs[arm] - 1);
      expect(meanMs).toBeLessThan(sum(tookMs[arm]) / tookMs[arm].length + lateMs);
    }
  });

  test("that begin outside of the guards do not count, but their requests do", async ({ task }) => {
    const { slices, seen } = await guarded(task);
    const inside = 1 - (guard.startMs + guard.endMs) / sliceMs;
    for (const arm of armNames) {
      const share = sum(of(arm, slices).map(({ cycles }) => cycles)) / seen[arm];
      expect(share).toBeGreaterThan(inside - 0.2);
      expect(share).toBeLessThan(inside + 0.2);
    }
  });

  test("and latencies are none when the guards leave nothing", async () => {
    const { slices, requests } = await measure({ guard: { startMs: sliceMs, endMs: 0 } });
    expect(sum(slices.map(({ cycles }) => cycles))).toBe(0);
    expect(sum(slices.map(({ latency }) => histogramCount(latency)))).toBe(0);
    expect(sum(slices.map((slice) => slice.requests))).toBe(requests);
  });

  test("without guards are all there, in the slice in which they began", async () => {
    const { slices } = await measure();
    for (const { cycles, requests } of slices.slice(0, -2)) expect(cycles).toBe(requests);
  });
});

test("latencies are those of the requests within the guards only", async ({ task }) => {
  const { slices, tookMs } = await guarded(task);
  for (const { latency, requests } of slices) expect(histogramCount(latency)).toBeLessThan(requests);
  for (const { latency, cycles } of slices.slice(0, -2)) expect(histogramCount(latency)).toBe(cycles);
  for (const arm of armNames) {
    // In a slice that a neighbour had, no request may have been within the guards.
    const medians = of(arm, slices).flatMap(({ latency }) => quantileMs(latency, 0.5) ?? []);
    expect(medians.length).toBeGreaterThan(of(arm, slices).length / 2);
    for (const each of medians) expect(each).toBeGreaterThan(latencyMs[arm] - 1);
    // Of all slices: in one of them a neighbour may have had the processor.
    expect(median(medians)).toBeLessThan(median(tookMs[arm]) + lateMs);
  }
});

test("at an arrival rate both arms get it in turns, and every request is in the records", async () => {
  const { slices, seen, requests } = await measure({
    load: { kind: "rate", requestsPerSecond: 100, virtualUsers: 20, durationSeconds: 2 },
    sliceMs: 1_000,
    guard: { startMs: 100, endMs: 0 },
  });
  expect(sum(slices.map((slice) => slice.requests))).toBe(requests);
  for (const arm of armNames) {
    expect(sum(of(arm, slices).map((slice) => slice.requests))).toBe(seen[arm]);
    expect(seen[arm]).toBeGreaterThan(80);
    expect(seen[arm]).toBeLessThan(120);
    const guarded = sum(of(arm, slices).map(({ latency }) => histogramCount(latency)));
    expect(guarded / seen[arm]).toBeGreaterThan(0.8);
    expect(guarded).toBeLessThan(seen[arm]);
  }
});

test("an arm that answers nothing but errors keeps its turns", async () => {
  await using base = await serving((_, response) => void response.writeHead(500).end());
  await using head = await serving(ok);
  const { records } = await putLoad(bench, {
    targets: [
      { arm: "base", baseUrl: base.baseUrl },
      { arm: "head", baseUrl: head.baseUrl },
    ],
    load: { kind: "constant", virtualUsers: 2, durationSeconds: 1 },
  });
  const slices = parseLoadRecords(records);
  expect(of("base", slices)).toHaveLength(5);
  for (const { arm, requests, failures } of slices) expect(failures).toBe(arm === "base" ? requests : 0);
});

test.for([
  { name: "are kept", renewMs: undefined, rounds: 1 },
  { name: "are new in each pair of slices, where that is asked for", renewMs: 200, rounds: 5 },
  { name: "are new less often than slices change", renewMs: 800, rounds: 3 },
])("connections $name", async ({ renewMs, rounds }) => {
  await using base = await serving(after(5));
  await using head = await serving(after(5));
  const users = 4;
  const { records } = await putLoad(bench, {
    targets: [
      { arm: "base", baseUrl: base.baseUrl },
      { arm: "head", baseUrl: head.baseUrl },
    ],
    load: { kind: "constant", virtualUsers: users, durationSeconds: 2 },
    sliceMs: 200,
    ...(renewMs !== undefined && { renewMs }),
  });
  expect(parseLoadRecords(records).map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const { connections } of [base, head]) {
    // A slow machine may miss a slice, and k6 may open one more than it needs at its start.
    expect(connections.length).toBeGreaterThanOrEqual(users * Math.max(1, rounds - 1.5));
    expect(connections.length).toBeLessThanOrEqual(users * (rounds + 1));
  }
});

test.for<{ readonly name: string; readonly endpoint: LoadRequest["endpoint"] }>([
  { name: "one endpoint", endpoint: { method: "GET", path: "/a" } },
  {
    name: "a mix",
    endpoint: {
      mix: [
        { weight: 3, endpoint: { method: "GET", path: "/plain" } },
        { weight: 1, endpoint: { method: "GET", path: "/a" } },
      ],
    },
  },
])("no request brings a cookie of an earlier one along: $name", async ({ endpoint }) => {
  const cookies: string[] = [];
  await using server = await serving((request, response) => {
    if (request.headers.cookie !== undefined) cookies.push(request.headers.cookie);
    if (request.url === "/a") response.setHeader("Set-Cookie", "session=1; Path=/");
    setTimeout(() => response.end(), 5);
  });
  const { records, summary } = await putLoad(bench, {
    targets: [{ arm: "head", baseUrl: server.baseUrl }],
    load: { kind: "constant", virtualUsers: 2, durationSeconds: 1 },
    endpoint,
  });
  expect(cookies).toEqual([]);
  expect(server.seen.length).toBeGreaterThan(20);
  const counted = sum(parseLoadRecords(records).map(({ requests }) => requests));
  expect(counted).toBe(server.seen.length);
  expect(counted).toBe(parseK6Summary(summary).requests);
});
