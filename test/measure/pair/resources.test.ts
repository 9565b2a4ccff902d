import { describe, expect, test } from "vitest";
import { defined } from "../../../src/lists/defined.ts";
import { readCounters, startCounters } from "../../../src/measure/pair/resources.ts";
import type { RunningArm } from "../../../src/measure/pair/running-arms.ts";
import type { AppServer } from "../../../src/ports/app.ts";

/** A server whose counters say one thing before the load and another after it. */
function standOf(app: Partial<AppServer>, database?: RunningArm["database"]): RunningArm {
  return {
    app: {
      baseUrl: "http://127.0.0.1:4000",
      failure: new Promise(() => undefined),
      failureNow: () => Promise.resolve(undefined),
      cpuSeconds: () => undefined,
      workerCpuSeconds: () => undefined,
      cpus: () => undefined,
      peakMemoryBytes: () => undefined,
      logTail: () => "",
      [Symbol.asyncDispose]: () => Promise.resolve(),
      ...app,
    },
    ...defined({ database }),
  };
}

/** Gives its values one after the other. */
function inTurn<T>(...values: readonly T[]): () => T | undefined {
  let next = 0;
  return () => values[next++];
}

async function useOf(runningArm: RunningArm) {
  return readCounters(runningArm, await startCounters(runningArm));
}

test("what cannot be known is absent", async () => {
  expect(await useOf(standOf({}))).toEqual({});
});

test("memory and CPUs are what they are after the load, beside what it was before", async () => {
  const runningArm = standOf({
    readyMemoryBytes: 5,
    startCpuSeconds: 0.6,
    peakMemoryBytes: () => 7,
    cpus: () => "0-1",
  });
  expect(await useOf(runningArm)).toEqual({
    readyMemoryBytes: 5,
    startCpuSeconds: 0.6,
    peakMemoryBytes: 7,
    cpus: "0-1",
  });
});

describe("CPU time", () => {
  test.for([
    { before: { redis: 1, worker: 2 }, after: { redis: 1.5, worker: 1 }, used: { redis: 0.5, worker: 0 } },
    { before: undefined, after: { redis: 3 }, used: { redis: 3 } },
  ])("beside the server from $before to $after", async ({ before, after, used }) => {
    expect(await useOf(standOf({ companionCpuSeconds: inTurn(before, after) }))).toEqual({
      companionCpuSeconds: used,
    });
  });

  test("beside the server may be unknown", async () => {
    expect(await useOf(standOf({ companionCpuSeconds: () => undefined }))).toEqual({});
  });

  test.for([
    { before: 10, after: 12.5, used: { cpuSeconds: 2.5 } },
    { before: undefined, after: 12.5, used: {} },
    { before: 10, after: undefined, used: {} },
    { before: 10, after: 9, used: { cpuSeconds: 0 } },
  ])("from $before to $after", async ({ before, after, used }) => {
    expect(await useOf(standOf({ cpuSeconds: inTurn(before, after) }))).toEqual(used);
  });

  test.for([
    { before: [1, 2], after: [3, 5], used: { workerCpuSeconds: [2, 3] } },
    { before: [1], after: [3, 5], used: { workerCpuSeconds: [2, 5] } },
    { before: undefined, after: [3], used: { workerCpuSeconds: [3] } },
    { before: [4], after: [3], used: { workerCpuSeconds: [0] } },
    { before: [4], after: undefined, used: {} },
  ])("of workers from $before to $after", async ({ before, after, used }) => {
    expect(await useOf(standOf({ workerCpuSeconds: inTurn(before, after) }))).toEqual(used);
  });
});

describe("statements of the database", () => {
  const databaseWith = (
    counts:
      | { statements: number; transactionStatements: number; rows: number; blocks: number; totalMs: number }
      | undefined,
  ) => {
    const calls: string[] = [];
    const database = {
      url: "postgresql://copy",
      resetStatements: async () => void calls.push("reset"),
      countConnections: async () => 12,
      countStatements: async () => {
        calls.push("count");
        return counts;
      },
      readColumn: () => Promise.reject(new Error("nobody asks")),
      readTable: () => Promise.reject(new Error("nobody asks")),
      watch: () => Promise.reject(new Error("nobody watches")),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
    return { calls, database };
  };

  test("are counted from the reset on", async () => {
    const { calls, database } = databaseWith({
      statements: 1,
      rows: 2,
      transactionStatements: 0,
      blocks: 3,
      totalMs: 4,
    });
    expect(await useOf(standOf({}, database))).toEqual({
      connections: 12,
      sqlStatements: 1,
      sqlRows: 2,
      sqlBlocks: 3,
    });
    expect(calls).toEqual(["reset", "count"]);
  });

  test("are absent where the server does not count them", async () => {
    expect(await useOf(standOf({}, databaseWith(undefined).database))).toEqual({ connections: 12 });
  });
});
