import { describe, expect, test } from "vitest";
import { gatherEvidence, type LoadFacts } from "../../../src/diagnosis/evidence.ts";
import { findCauses } from "../../../src/diagnosis/findings.ts";
import type { ProbeDocument } from "../../../src/model/findings/probe-document.ts";
import { amount, endpoint, line, load, noQueue, worker } from "../samples.ts";

// Each rule is tried on an app that looks like its own, and is healthy or slow for another reason. In a closed load users,
// latency and throughput agree whatever is wrong, so no rule may rest on that.

interface Case {
  readonly name: string;
  readonly workers: readonly ProbeDocument[];
  readonly load: Partial<LoadFacts>;
  /** Causes; none unless something is wrong. */
  readonly found?: readonly string[];
}

const awaits = { ...line, function: "dispatch", code: "return await call_next(request)" };

/** A worker at its one CPU: 240 requests a second of 4.14 ms each. */
const full = { cpuMs: 9_936, loopCpuMs: 9_800 };
const eight = { requests: 2_400, latencyMeanMs: 33, latencyMedianMs: 33, appCpus: 1 };
const calls = { ...amount(2_400, 20_000), place: line };
const pool = { kind: "asyncpg.Pool", size: 4, most: 4, open: 4, ...noQueue, mostInUse: 4, mostWaiting: 4 };
const taken = { kind: "anyio", tokens: 40, ...noQueue, mostInUse: 40, mostWaiting: 60 } as const;
const text = "SELECT id FROM orders WHERE user_id = ?";
const table = { name: "orders", rows: 50_000, sequentialScans: 100, sequentialRows: 5_000_000 };
const waiting = { partsMs: { total: 80_000, elsewhere: 79_000, cpu: 200 } };
const sleeping = { virtualUsers: 8, requests: 800, latencyMeanMs: 101, latencyMedianMs: 101 };
/** 100 ms of waiting in each of 80 requests a second, beside a loop that something holds for 5 ms of them. */
const half = (changes: Partial<ProbeDocument>, blocked = 4_000) =>
  worker({
    endpoints: [
      endpoint({
        ...{ requests: 800, partsMs: { total: 80_000, elsewhere: 75_000, blocked, cpu: 200 } },
        onLoop: [{ place: line, totalMs: 4_000, cpuMs: 20 }],
      }),
    ],
    ...changes,
  });

const cases: readonly Case[] = [
  {
    name: "external wait: work in child tasks that nobody counted, at a full CPU",
    workers: [
      worker({
        ...full,
        endpoints: [
          endpoint({
            ...{ requests: 2_400, waited: [{ place: awaits, totalMs: 60_000 }] },
            partsMs: { total: 76_800, cpu: 3_000, loopWait: 10_000, elsewhere: 63_800 },
          }),
        ],
      }),
    ],
    load: eight,
  },
  {
    name: "external wait: the same at half of a CPU, which is not the requests' own",
    workers: [
      worker({
        ...{ cpuMs: 4_900, loopCpuMs: 4_800 },
        endpoints: [endpoint({ requests: 800, partsMs: { total: 80_000, elsewhere: 79_000, cpu: 400 } })],
      }),
    ],
    load: { ...sleeping, appCpus: 1 },
  },
  {
    name: "external wait: a loop that others on the machine keep from running",
    workers: [
      worker({ ...{ cpuMs: 3_000, loopCpuMs: 2_800, loopLostMs: 6_500 }, endpoints: [endpoint(waiting)] }),
    ],
    load: { requests: 100, latencyMeanMs: 800, appCpus: 1 },
  },
  {
    name: "external wait: users who wait before the app",
    workers: [worker({ endpoints: [endpoint(waiting)] })],
    load: { virtualUsers: 80, latencyMeanMs: 8_000 },
  },
  {
    name: "external wait: it is one",
    workers: [half({ cpuMs: 700, loopCpuMs: 600 }, 0)],
    load: sleeping,
    found: ["waiting, not computing"],
  },
  {
    name: "loop: a call that blocks a loop that has time, sampled and timed",
    workers: [half({ cpuMs: 700, loopCpuMs: 600 })],
    load: sleeping,
    found: ["blocking call on the event loop"],
  },
  {
    name: "loop: the same where the requests were timed to block for less",
    workers: [half({ cpuMs: 700, loopCpuMs: 600 }, 2_000)],
    load: sleeping,
    found: ["waiting, not computing"],
  },
  {
    name: "loop: steps that wait for the interpreter, which threads have",
    workers: [
      worker({
        ...{ cpuMs: 9_800, loopCpuMs: 600 },
        endpoints: [
          endpoint({
            partsMs: { total: 80_000, blocked: 9_000, cpu: 500, inThreads: 1_000 },
            stalls: [{ ...amount(100, 9_000), cpuMs: 300 }],
          }),
        ],
      }),
    ],
    load: {},
  },
  {
    name: "loop: the same on a system without clocks",
    workers: [
      worker({
        ...{ cpuMs: 9_800, loopCpuMs: null },
        endpoints: [
          endpoint({
            partsMs: { total: 80_000, blocked: 9_000, cpu: 500, inThreads: 1_000 },
            stalls: [{ ...amount(100, 9_000), cpuMs: 300 }],
          }),
        ],
      }),
    ],
    load: {},
    found: ["blocking call on the event loop"],
  },
  {
    name: "loop: work of 30 ms a request on a loop that has time",
    workers: [
      worker({
        ...{ cpuMs: 3_200, loopCpuMs: 3_100 },
        endpoints: [
          endpoint({
            partsMs: { total: 80_000, cpu: 3_100, elsewhere: 50_000 },
            stalls: [{ ...amount(100, 3_000), cpuMs: 3_000 }],
          }),
        ],
      }),
    ],
    load: {},
  },
  {
    name: "loop: the same, for users who pause for much longer",
    workers: [
      worker({
        ...{ cpuMs: 1_600, loopCpuMs: 1_550 },
        endpoints: [
          endpoint({
            requests: 49,
            partsMs: { total: 1_600, cpu: 1_550 },
            stalls: [{ ...amount(49, 1_500), cpuMs: 1_500 }],
          }),
        ],
      }),
    ],
    load: { virtualUsers: 10, pauseSeconds: 2, requests: 49, latencyMeanMs: 32 },
  },
  {
    name: "collector: much of the CPU time of an app that uses little",
    workers: [
      worker({
        ...{ cpuMs: 1_000, loopCpuMs: 900 },
        endpoints: [endpoint({ partsMs: { total: 80_000, database: 79_000 } })],
        collections: [{ ...amount(60, 500), requests: 0, cpuMs: 500 }],
      }),
    ],
    load: {},
  },
  {
    name: "pool: connections that are kept while their requests wait for the CPU",
    workers: [
      worker({
        ...full,
        endpoints: [
          endpoint({
            ...{ requests: 2_400, statements: [{ text, ...calls, totalMs: 2_400 }] },
            partsMs: { total: 76_800, cpu: 9_600, poolWait: 36_000, database: 2_400, loopWait: 28_000 },
          }),
        ],
        pools: [{ ...pool, useMs: 40_000 }],
      }),
    ],
    load: eight,
  },
  {
    name: "threads: taken by work, of which Python does one at a time however many CPUs there are",
    workers: [
      worker({
        ...{ cpuMs: 9_900, loopCpuMs: 900, threads: { ...taken, taken: 400, returned: 400, useMs: 400_000 } },
        endpoints: [
          endpoint({
            ...{ kind: "sync", requests: 400 },
            partsMs: { total: 900_000, threadWait: 500_000, inThreads: 400_000, cpu: 9_000 },
          }),
        ],
      }),
    ],
    load: { virtualUsers: 100, requests: 400, latencyMeanMs: 2_400, appCpus: 4 },
  },
  {
    name: "statements: replies that wait for a loop that is full",
    workers: [
      worker({
        ...full,
        endpoints: [
          endpoint({
            ...{ requests: 1_000, statements: [{ text, ...amount(1_000, 60_000) }] },
            partsMs: { total: 80_000, cpu: 3_000, database: 60_000 },
          }),
        ],
        cpuMs: 5_900,
        loopCpuMs: 5_800,
        loopLostMs: 3_000,
      }),
    ],
    load: { requests: 1_000, latencyMeanMs: 80, appCpus: 1 },
  },
  {
    name: "statements: a database that answers at once, far away",
    workers: [
      worker({
        endpoints: [
          endpoint({
            ...{ requests: 1_000, statements: [{ text, ...amount(1_000, 60_000) }] },
            partsMs: { total: 80_000, cpu: 500, database: 60_000 },
          }),
        ],
      }),
    ],
    load: { requests: 1_000, latencyMeanMs: 80, database: { statementsMs: 900, tables: [] } },
  },
  {
    name: "statements: some that repeat, beside a long wait for something else",
    workers: [
      worker({
        endpoints: [
          endpoint({
            partsMs: { total: 80_000, cpu: 400, database: 16_000, elsewhere: 63_600 },
            statements: [{ text, ...amount(100, 16_000, 20) }],
          }),
        ],
      }),
    ],
    load: {},
    found: ["waiting, not computing"],
  },
  {
    name: "index: a sum over a whole table, which no index helps",
    workers: [
      worker({
        endpoints: [
          endpoint({
            partsMs: { total: 80_000, cpu: 400, database: 79_000 },
            statements: [{ text: "SELECT sum(price) FROM orders", ...amount(100, 3_000) }],
          }),
        ],
      }),
    ],
    load: { database: { tables: [table], statementsMs: 3_000 } },
  },
  {
    name: "workers: more than CPUs, which are idle",
    workers: [worker({ endpoints: [endpoint({ requests: 50 })] }), worker({ endpoints: [endpoint()] })],
    load: { workers: 2, appCpus: 1, requests: 150 },
  },
  {
    name: "generator: it uses 70% of its CPU",
    workers: [worker({ endpoints: [endpoint({ partsMs: { total: 500 } })] })],
    load: { generatorCpuSeconds: 7, generatorCpus: 1 },
  },
  {
    name: "a healthy app at its full CPU",
    workers: [
      worker({
        ...full,
        endpoints: [
          endpoint({
            ...{ requests: 20_000, onLoop: [{ place: null, totalMs: 6_000, cpuMs: 7_000 }] },
            partsMs: { total: 70_000, cpu: 8_000, loopWait: 62_000 },
          }),
        ],
      }),
    ],
    load: { requests: 20_000, latencyMeanMs: 4, appCpus: 1 },
  },
];

describe("an app that looks like a rule's own", () => {
  test.for(cases)("$name", ({ workers, load: changes, found = [] }) => {
    const evidence = gatherEvidence(workers, load(changes));
    expect(evidence && findCauses(evidence).map(({ cause }) => cause)).toEqual(found);
  });
});
