import { describe, expect, test } from "vitest";
import { gatherEvidence, type LoadFacts } from "../../../src/diagnosis/evidence.ts";
import { findCauses } from "../../../src/diagnosis/findings.ts";
import { indexFor } from "../../../src/diagnosis/rules/statements.ts";
import type { Finding } from "../../../src/model/findings/finding.ts";
import type { ProbeDocument } from "../../../src/model/findings/probe-document.ts";
import { amount, endpoint, line, load, noQueue, worker } from "../samples.ts";

interface Case {
  readonly name: string;
  readonly worker: ProbeDocument;
  readonly load: Partial<LoadFacts>;
  /** Cause and line. */
  readonly found: readonly string[];
}

function find({ worker: one, load: changes }: Pick<Case, "worker" | "load">): readonly Finding[] {
  const evidence = gatherEvidence([one], load(changes));
  return evidence === undefined ? [] : findCauses(evidence);
}

const text = "SELECT id FROM orders WHERE user_id = ?";
const table = { name: "orders", rows: 50_000, sequentialScans: 200, sequentialRows: 10_000_000 };
const refusing = { count: 90, inRequests: 0, totalMs: 9, failed: 30, refused: 30 };

/** Each of 200 requests has one of 2 connections for 100 ms, most of it for a statement, and waits 1.9 s for it. */
const pooled = (statementMs: number, changes: Partial<ProbeDocument> = {}) =>
  worker({
    endpoints: [
      endpoint({
        requests: 200,
        partsMs: { total: 400_000, poolWait: 380_000, database: 200 * statementMs },
        statements: [{ text, ...amount(200, 200 * statementMs) }],
      }),
    ],
    pools: [
      {
        ...{ kind: "psycopg_pool.ConnectionPool", size: 2, most: 2, open: 2, ...noQueue },
        ...{ mostInUse: 2, mostWaiting: 38, useMs: 20_000 },
      },
    ],
    ...changes,
  });
const waited = { virtualUsers: 40, requests: 200, latencyMeanMs: 2_000 };

const inThreads = worker({
  endpoints: [
    endpoint({
      ...{ kind: "sync", requests: 400, spent: [{ place: line, totalMs: 390_000 }] },
      partsMs: { total: 900_000, threadWait: 500_000, inThreads: 400_000, database: 380_000 },
      statements: [{ text, ...amount(400, 380_000) }],
    }),
  ],
  threads: {
    ...{ kind: "anyio", tokens: 40, ...noQueue, mostInUse: 40, mostWaiting: 60 },
    ...{ taken: 400, returned: 400, useMs: 400_000 },
  },
});

/** A driver that blocks: the statement and its rows hold the loop for 100 ms. */
const onLoop = (statements: number, heldAt = line, lagMeanMs = 50) =>
  worker({
    endpoints: [
      endpoint({
        partsMs: { total: 10_000, blocked: 9_900, cpu: 100, database: 9_800 },
        stalls: [{ ...amount(100, 10_000), place: heldAt, cpuMs: 100 }],
        statements: [{ text, ...amount(100, 9_800, statements) }],
      }),
    ],
    loops: [{ kind: "uvloop.Loop", beats: 90, lagMeanMs, lagLongestMs: 100, lagCounts: [] }],
  });
const elsewhere = { ...line, line: 50, function: "audit" };

const ledger = { ...line, line: 50, function: "ledger" };
/** 100 requests to each of two endpoints, which wait 100 ms for a statement: the first for want of an index. */
const twoSlow = (place = ledger) =>
  worker({
    endpoints: [
      endpoint({
        partsMs: { total: 10_000, database: 9_800 },
        statements: [{ text, ...amount(100, 9_800) }],
      }),
      endpoint({
        ...{ route: "/ledger", partsMs: { total: 10_000, database: 9_000 } },
        statements: [{ text: "SELECT sum(amount) FROM entries", ...amount(100, 9_000), place }],
      }),
    ],
  });
const bothAsked = { virtualUsers: 2, requests: 200, latencyMeanMs: 100, database: { tables: [table] } };

const cases: readonly Case[] = [
  {
    name: "a slow statement of its own, beside an index that another endpoint lacks",
    ...{ worker: twoSlow(), load: bothAsked },
    found: ["missing index 37", "slow query 50"],
  },
  {
    name: "the same line lacks an index, whichever endpoint runs it",
    ...{ worker: twoSlow(line), load: bothAsked },
    found: ["missing index 37"],
  },
  {
    name: "a pool is short for want of an index",
    worker: pooled(95),
    load: { ...waited, database: { tables: [table] } },
    found: ["missing index 37", "pool too small 37"],
  },
  {
    name: "a pool is short because a statement is slow",
    ...{ worker: pooled(95), load: waited },
    found: ["slow query 37", "pool too small 37"],
  },
  {
    name: "a pool is short, and its statement is not slow",
    ...{ worker: pooled(30), load: waited },
    found: ["pool too small 37"],
  },
  {
    name: "a statement that is the smaller part of a connection's use",
    ...{ worker: pooled(45), load: waited },
    found: ["pool too small 37"],
  },
  {
    name: "a statement that waits for the interpreter",
    ...{ worker: pooled(95, { cpuMs: 7_000 }), load: waited },
    found: ["pool too small 37"],
  },
  {
    name: "a statement that waits for a processor",
    worker: pooled(95, { pools: [] }),
    load: { ...waited, database: { tables: [], cpuWaitMs: 15_000 } },
    found: [],
  },
  {
    name: "a statement that is slow, beside some waiting for a processor",
    worker: pooled(95, { pools: [] }),
    load: { ...waited, database: { tables: [], cpuWaitMs: 3_000 } },
    found: ["slow query 37"],
  },
  {
    name: "a slow statement, as the database counts",
    worker: pooled(95, { pools: [] }),
    load: { ...waited, database: { statementsMs: 18_000, tables: [] } },
    found: ["slow query 37"],
  },
  {
    name: "a slow statement of which the database knows nothing",
    worker: pooled(95, { pools: [] }),
    load: { ...waited, database: { statementsMs: 1_000, tables: [] } },
    found: [],
  },
  {
    name: "a database that refuses connections answers late, too",
    worker: pooled(95, { connects: refusing }),
    load: { ...waited, database: { connectionsAllowed: 1, connectionsPeak: 1, tables: [] } },
    found: ["pool too small 37", "pool larger than the database allows"],
  },
  {
    name: "threads are short because a statement is slow",
    worker: inThreads,
    load: { virtualUsers: 100, requests: 400, latencyMeanMs: 2_400 },
    found: ["slow query 37", "thread pool exhausted 37"],
  },
  {
    name: "the loop is held by a slow statement",
    ...{ worker: onLoop(1), load: {} },
    found: ["slow query 37", "blocking call on the event loop 37"],
  },
  {
    name: "the loop is held by many statements",
    ...{ worker: onLoop(20), load: { database: { statements: 2_000, tables: [] } } },
    found: ["repeated query 37", "blocking call on the event loop 37"],
  },
  {
    name: "the loop is held by another function",
    ...{ worker: onLoop(1, elsewhere), load: {} },
    found: ["blocking call on the event loop 50"],
  },
];

describe("statements come before what is short because of them", () => {
  test.for(cases)("$name", (each) => {
    expect(find(each).map(({ cause, place }) => [cause, place?.line].join(" ").trim())).toEqual(each.found);
  });

  test("in order of weight, by which the report sorts again", () => {
    for (const each of cases) {
      const weights = find(each).map(({ weight }) => weight);
      expect(weights, each.name).toEqual(weights.toSorted((a, b) => b - a));
      expect(new Set(weights).size, each.name).toBe(weights.length);
    }
  });

  test("with its time and its share", () => {
    expect(find({ worker: pooled(95), load: waited })[0]).toMatchObject({
      endpoint: "/orders",
      summary: [
        "waits 95 ms for one query at ",
        { line: "app/orders.py:37" },
        " (`time.sleep(0.1)`), 95% of the request's time",
      ],
      figures: [{ value: 95 }, { value: 95 }, { what: expect.stringContaining("share"), value: 0.95 }],
      prediction: { what: "idle share of the CPUs", predicted: 1, observed: 0.95 },
    });
  });
});

test.for<[text: string, expected: string]>([
  ["SELECT id, name FROM orders WHERE customer_id = ?", "CREATE INDEX ON orders (customer_id);"],
  [
    "SELECT o.id\nFROM shop.orders AS o \nWHERE o.customer_id = ?::INTEGER AND o.state=? ORDER BY o.id DESC \n LIMIT ?::INTEGER OFFSET ?;",
    "CREATE INDEX ON shop.orders (customer_id, state);",
  ],
  ["select * from orders where a = ? and a = ?", "CREATE INDEX ON orders (a);"],
])("an index for %s", ([text, expected]) => {
  expect(indexFor("orders", text)).toBe(expected);
});

test.for<[what: string, text: string]>([
  ["another table", "SELECT id FROM orders_old WHERE a = ?"],
  ["no comparison", "SELECT id FROM orders ORDER BY a"],
  ["a range", "SELECT id FROM orders WHERE a > ?"],
  ["either of two", "SELECT id FROM orders WHERE a = ? OR b = ?"],
  ["a list", "SELECT id FROM orders WHERE a IN (?...)"],
  ["a join", "SELECT o.id FROM orders o JOIN items i ON i.o = o.id WHERE o.a = ?"],
  ["two tables", "SELECT id FROM orders, items WHERE a = ?"],
  ["another's column", "SELECT id FROM orders o WHERE p.a = ?"],
  ["a function", "SELECT id FROM orders WHERE lower(a) = ?"],
  ["a group", "SELECT count(*) FROM orders WHERE a = ? GROUP BY b"],
  ["a query within", "SELECT id FROM orders WHERE a = (SELECT ?)"],
  [
    "more columns than an index should have",
    "SELECT id FROM orders WHERE a = ? AND b = ? AND c = ? AND d = ?",
  ],
  ["quoted names", 'SELECT id FROM "orders" WHERE "a" = ?'],
  ["a statement that is cut", `SELECT ${"a, ".repeat(200)}b FROM orders WHERE a = ?`],
])("no index for %s", ([, text]) => {
  expect(indexFor("orders", text)).toBeUndefined();
});
