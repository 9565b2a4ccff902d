import { describe, expect, test } from "vitest";
import { gatherEvidence, type LoadFacts } from "../../src/diagnosis/evidence.ts";
import { findCauses } from "../../src/diagnosis/findings.ts";
import { defined } from "../../src/lists/defined.ts";
import type { Finding } from "../../src/model/findings/finding.ts";
import type { ProbeDocument } from "../../src/model/findings/probe-document.ts";
import { amount, endpoint, line, load, noQueue, saying, worker } from "./samples.ts";

interface Case {
  readonly name: string;
  readonly workers: readonly ProbeDocument[];
  readonly load?: Partial<LoadFacts>;
  /** Cause, its line if it has one, confidence. */
  readonly found: readonly string[];
}

function find(workers: readonly ProbeDocument[], changes: Partial<LoadFacts> = {}): readonly Finding[] {
  const evidence = gatherEvidence(workers, load(changes));
  return evidence === undefined ? [] : findCauses(evidence);
}

const describeFinding = ({ cause, place, confidence }: Finding) =>
  `${cause}${place === undefined ? "" : ` ${place.line}`} ${confidence}`;

/** Each request holds the loop for 100 ms: 10 in a second. */
const blocked = endpoint({
  partsMs: { total: 10_000, blocked: 9_900, cpu: 100 },
  stalls: [{ ...amount(100, 10_000), cpuMs: 100 }],
});
const spun = endpoint({ ...blocked, stalls: [{ ...amount(100, 10_000), cpuMs: 9_500 }] });
const blockOutside = { ...amount(100, 10_000), place: null, requests: 0, cpuMs: 100 };
const workOutside = { ...blockOutside, cpuMs: 9_000 };
const heldOutside = worker({
  endpoints: [endpoint({ partsMs: { total: 1_000 } })],
  outside: { stalls: [blockOutside], onLoop: [] },
});
const threadsTaken = {
  ...noQueue,
  mostInUse: 40,
  mostWaiting: 60,
  taken: 400,
  returned: 400,
  useMs: 400_000,
};
const inThreads = endpoint({
  kind: "sync",
  spent: [{ place: line, totalMs: 390_000 }],
  requests: 400,
  partsMs: { total: 900_000, threadWait: 500_000, inThreads: 400_000, elsewhere: 400_000 },
});
const inFull = worker({ endpoints: [inThreads], threads: { kind: "anyio", tokens: 40, ...threadsTaken } });
const busyUsers = { virtualUsers: 100, requests: 400, latencyMeanMs: 2_400 };
const pool = { kind: "psycopg_pool.ConnectionPool", size: 2, most: 2, open: 2, ...noQueue };
const poolFull = worker({
  endpoints: [
    endpoint({
      requests: 1_000,
      partsMs: { total: 80_000, poolWait: 58_000, database: 20_000 },
      statements: [{ text: "SELECT ?", ...amount(1_000, 20_000) }],
    }),
  ],
  pools: [{ ...pool, mostInUse: 2, mostWaiting: 6, useMs: 20_000 }],
});
const poolHeld = worker({
  endpoints: [endpoint({ requests: 1_000, partsMs: { total: 80_000, poolWait: 58_000, database: 2_000 } })],
  pools: [{ ...pool, mostInUse: 2, mostWaiting: 6, useMs: 20_000 }],
});
const thousand = { requests: 1_000, latencyMeanMs: 80, latencyMedianMs: 80 };
const repeated = worker({
  endpoints: [
    endpoint({
      partsMs: { total: 10_000, database: 6_000, elsewhere: 500 },
      statements: [{ text: "SELECT * FROM items WHERE id = ?", ...amount(100, 6_000, 20) }],
    }),
  ],
});
const scanned = worker({
  endpoints: [
    endpoint({ route: "/other", partsMs: { total: 11_000 } }),
    endpoint({
      partsMs: { total: 10_000, database: 9_000 },
      statements: [{ text: "SELECT id FROM orders WHERE user_id = ?", ...amount(100, 9_000) }],
    }),
  ],
});
const table = { name: "orders", rows: 50_000, sequentialScans: 200, sequentialRows: 10_000_000 };
const pair = (a: number, b: number) => [
  worker({ endpoints: [endpoint({ requests: a })], connections: a / 10, loopCpuMs: a * 10, cpuMs: a * 10 }),
  worker({ endpoints: [endpoint({ requests: b })], connections: b / 10, loopCpuMs: b * 10, cpuMs: b * 10 }),
];
const delayed = worker({
  endpoints: [endpoint({ partsMs: { total: 300 } })],
  loops: [
    {
      kind: "asyncio.unix_events._UnixSelectorEventLoop",
      beats: 1,
      lagMeanMs: 0,
      lagLongestMs: 0,
      lagCounts: [],
    },
  ],
  sockets: { seen: 8, delayed: 8 },
});
const closing = worker({
  endpoints: [endpoint({ kind: "sync", partsMs: { total: 300 } })],
  server: { worker: "sync", slots: 1, requestsPerConnection: 1 },
});
const external = worker({ endpoints: [endpoint({ partsMs: { total: 80_000, elsewhere: 79_000 } })] });

const cases: readonly Case[] = [
  { name: "nothing seen", workers: [], found: [] },
  { name: "nothing wrong", workers: [worker()], found: [] },
  {
    name: "a call that blocks",
    workers: [worker({ endpoints: [blocked] })],
    found: ["blocking call on the event loop 37 high"],
  },
  {
    name: "work on the loop",
    workers: [worker({ endpoints: [spun], cpuMs: 9_600 })],
    found: ["CPU work on the event loop 37 high"],
  },
  {
    name: "work that wanders over two lines of a function",
    workers: [
      worker({
        endpoints: [
          endpoint({
            ...spun,
            stalls: [
              { ...amount(90, 3_000), place: { ...line, line: 36 }, cpuMs: 2_900 },
              { ...amount(100, 7_000), cpuMs: 6_600 },
            ],
          }),
        ],
        cpuMs: 9_600,
      }),
    ],
    found: ["CPU work on the event loop 37 high"],
  },
  {
    name: "a call that blocks users who pause: all of them are served, then all pause",
    workers: [worker({ endpoints: [{ ...blocked, partsMs: { ...blocked.partsMs, total: 10_000 } }] })],
    load: { virtualUsers: 8, pauseSeconds: 0.2, requests: 80, latencyMeanMs: 800 },
    found: ["blocking call on the event loop 37 high"],
  },
  {
    name: "a loop that threads keep from running, at no line of its own",
    workers: [
      worker({
        endpoints: [
          endpoint({
            ...blocked,
            kind: "sync",
            stalls: [{ ...amount(100, 10_000), place: null, cpuMs: 100 }],
          }),
        ],
      }),
    ],
    found: [],
  },
  {
    name: "two functions that block, the one that blocks longer first",
    workers: [
      worker({
        endpoints: [
          endpoint({
            ...blocked,
            stalls: [
              { ...amount(100, 3_000), place: { ...line, line: 50, function: "audit" }, cpuMs: 30 },
              { ...amount(100, 7_000), cpuMs: 70 },
            ],
          }),
        ],
      }),
    ],
    found: ["blocking call on the event loop 37 high", "blocking call on the event loop 50 high"],
  },
  {
    name: "holds whose line was not seen in time, beside some that were",
    workers: [
      worker({
        endpoints: [
          endpoint({
            ...blocked,
            stalls: [
              { ...amount(60, 6_000), cpuMs: 60 },
              { ...amount(40, 4_000), place: null, cpuMs: 40 },
            ],
          }),
        ],
      }),
    ],
    found: ["blocking call on the event loop 37 high"],
  },
  {
    name: "a connection for each request, whose making holds the loop",
    workers: [
      worker({
        endpoints: [endpoint({ ...spun, made: [{ what: "connection", ...amount(100, 9_000) }] })],
        cpuMs: 9_600,
      }),
    ],
    found: ["unpooled connections 37 high"],
  },
  {
    name: "a block outside of requests",
    workers: [heldOutside],
    found: ["blocking call on the event loop high"],
  },
  {
    name: "a block outside of requests that the machine makes",
    workers: [{ ...heldOutside, loopLostMs: 9_500 }],
    found: [],
  },
  {
    name: "work outside of requests that no line shows",
    workers: [{ ...heldOutside, outside: { stalls: [workOutside], onLoop: [] } }],
    found: [],
  },
  {
    name: "a stall that explains too little of what was measured",
    workers: [worker({ endpoints: [blocked] })],
    load: { requests: 50 },
    found: [],
  },
  {
    name: "a stall that came once",
    workers: [worker({ endpoints: [endpoint({ stalls: [{ ...amount(1, 30), cpuMs: 1 }] })] })],
    found: [],
  },
  {
    name: "one user alone with a call that blocks",
    workers: [worker({ endpoints: [blocked], connections: 0 })],
    load: { virtualUsers: 1, latencyMeanMs: 100 },
    found: ["blocking call on the event loop 37 high"],
  },
  {
    name: "thread pool exhausted",
    workers: [inFull],
    load: busyUsers,
    found: ["thread pool exhausted 37 high"],
  },
  {
    name: "thread pool exhausted by requests of which only the first were answered",
    workers: [
      worker({
        endpoints: [
          endpoint({
            kind: "sync",
            spent: [{ place: line, totalMs: 240_000 }],
            requests: 40,
            partsMs: { total: 240_100, threadWait: 100, inThreads: 240_000, elsewhere: 240_000 },
          }),
        ],
        threads: { kind: "anyio", tokens: 40, ...threadsTaken },
      }),
    ],
    load: { virtualUsers: 100, requests: 40, latencyMeanMs: 6_010 },
    found: ["thread pool exhausted 37 high"],
  },
  {
    name: "a loop that is held so long that one request was answered",
    workers: [
      worker({
        loopCpuMs: 0,
        endpoints: [
          endpoint({
            requests: 1,
            partsMs: { total: 6_000, blocked: 6_000 },
            stalls: [{ ...amount(1, 6_000), cpuMs: 0 }],
          }),
        ],
      }),
    ],
    load: { requests: 1, latencyMeanMs: 6_000 },
    found: ["blocking call on the event loop 37 high"],
  },
  {
    name: "thread pool exhausted in the worker that has most of the connections",
    workers: [
      worker({
        connections: 80,
        endpoints: [
          endpoint({
            kind: "sync",
            spent: [{ place: line, totalMs: 390_000 }],
            requests: 400,
            partsMs: { total: 800_000, threadWait: 400_000, inThreads: 400_000, elsewhere: 400_000 },
          }),
        ],
        threads: { kind: "anyio", tokens: 40, ...threadsTaken },
      }),
      worker({
        connections: 20,
        endpoints: [
          endpoint({
            kind: "sync",
            requests: 200,
            partsMs: { total: 200_000, inThreads: 200_000, elsewhere: 200_000 },
          }),
        ],
        threads: { kind: "anyio", tokens: 40, ...noQueue, mostInUse: 20 },
      }),
    ],
    load: { virtualUsers: 100, workers: 2, requests: 600, latencyMeanMs: 1_670 },
    found: ["thread pool exhausted 37 high"],
  },
  {
    name: "thread pool exhausted, but not for so long",
    workers: [inFull],
    load: { ...busyUsers, requests: 200 },
    found: [],
  },
  {
    name: "threads that nobody waits for",
    workers: [worker({ endpoints: [inThreads], threads: { kind: "anyio", tokens: 400, ...threadsTaken } })],
    load: busyUsers,
    found: [],
  },
  {
    name: "threads of gunicorn, of which there are more than users",
    workers: [
      worker({
        endpoints: [
          endpoint({ kind: "sync", partsMs: { total: 100_000, inThreads: 100_000, elsewhere: 800 } }),
        ],
        server: { worker: "gthread", slots: 10, requestsPerConnection: null },
      }),
    ],
    load: { latencyMeanMs: 1_200 },
    found: [],
  },
  {
    name: "threads of gunicorn",
    workers: [
      worker({
        endpoints: [
          endpoint({
            kind: "sync",
            handler: null,
            partsMs: { total: 40_000, inThreads: 40_000, elsewhere: 40_000 },
          }),
        ],
        server: { worker: "gthread", slots: 4, requestsPerConnection: null },
      }),
    ],
    found: ["thread pool exhausted high"],
  },
  {
    name: "gunicorn's sync worker, which has its own work to do between requests",
    workers: [
      worker({
        endpoints: [
          endpoint({
            kind: "sync",
            handler: null,
            requests: 1_000,
            partsMs: { total: 7_000, cpu: 1_000, inThreads: 7_000, elsewhere: 6_000 },
          }),
        ],
        cpuMs: 4_000,
        server: { worker: "sync", slots: 1, requestsPerConnection: 1 },
      }),
    ],
    load: { requests: 1_000, latencyMeanMs: 80 },
    found: ["thread pool exhausted high"],
  },
  {
    name: "users who are served one after the other and pause together",
    workers: [
      worker({
        endpoints: [
          endpoint({
            kind: "sync",
            handler: null,
            requests: 500,
            partsMs: { total: 5_000, inThreads: 5_000, elsewhere: 5_000 },
          }),
        ],
        cpuMs: 0,
        server: { worker: "sync", slots: 1, requestsPerConnection: 1 },
      }),
    ],
    load: { requests: 500, latencyMeanMs: 80, pauseSeconds: 0.08 },
    found: ["thread pool exhausted high"],
  },
  {
    name: "a loop for each request, for which threads wait",
    workers: [
      worker({
        ...inFull,
        endpoints: [{ ...inThreads, made: [{ what: "event loop", ...amount(400, 390_000) }] }],
      }),
    ],
    load: busyUsers,
    found: ["event loop per request 37 high"],
  },
  {
    name: "an executor for each request",
    workers: [worker({ endpoints: [endpoint({ made: [{ what: "executor", ...amount(100, 10) }] })] })],
    found: ["executor per request 37 high"],
  },
  {
    name: "a connection for most requests, one or two each",
    workers: [
      worker({
        endpoints: [endpoint({ made: [{ what: "connection", ...amount(85, 500), mostInOne: 1 }] })],
      }),
    ],
    found: ["unpooled connections 37 medium"],
  },
  {
    name: "a connection now and then",
    workers: [worker({ endpoints: [endpoint({ made: [{ what: "connection", ...amount(5, 50) }] })] })],
    found: [],
  },
  {
    name: "many connections in one request only",
    workers: [
      worker({ endpoints: [endpoint({ made: [{ what: "connection", ...amount(60, 50), mostInOne: 9 }] })] }),
    ],
    found: [],
  },
  { name: "a pool too small", workers: [poolFull], load: thousand, found: ["pool too small 37 high"] },
  { name: "a pool held too long", workers: [poolHeld], load: thousand, found: ["pool too small 30 high"] },
  {
    name: "a pool too small for what was not measured",
    workers: [poolFull],
    load: { ...thousand, requests: 500 },
    found: [],
  },
  {
    name: "pools larger than the database allows",
    workers: [
      worker({
        pools: [{ ...pool, most: 200 }],
        connects: { count: 90, inRequests: 0, totalMs: 9, failed: 30, refused: 30 },
      }),
    ],
    load: { virtualUsers: 150, database: { connectionsAllowed: 90, connectionsPeak: 88, tables: [] } },
    found: ["pool larger than the database allows high"],
  },
  {
    name: "pools that could be larger than the database allows, but are not",
    workers: [worker({ pools: [{ ...pool, most: 200 }] })],
    load: { database: { connectionsAllowed: 90, connectionsPeak: 8, tables: [] } },
    found: [],
  },
  {
    name: "the repeated query, as the database counts",
    workers: [repeated],
    load: { database: { statements: 2_100, tables: [] } },
    found: ["repeated query 37 high"],
  },
  {
    name: "the repeated query, uncounted",
    workers: [repeated],
    found: ["repeated query 37 medium"],
    load: { virtualUsers: 1, latencyMeanMs: 110 },
  },
  {
    name: "the repeated query, beside four that asyncpg sends at once",
    workers: [
      worker({
        endpoints: [
          endpoint({
            partsMs: { total: 10_000, database: 6_000, elsewhere: 500 },
            statements: [
              { text: "SELECT * FROM items WHERE id = ?", ...amount(100, 6_000, 10) },
              { text: "SELECT unlock_all(); CLOSE ALL; UNLISTEN *; RESET ALL;", ...amount(100, 100) },
            ],
          }),
        ],
      }),
    ],
    load: { database: { statements: 1_400, tables: [] } },
    found: ["repeated query 37 high"],
  },
  {
    name: "the repeated query, in transactions that its session begins and ends by statements",
    workers: [
      worker({
        endpoints: [
          endpoint({
            partsMs: { total: 10_000, database: 6_000, elsewhere: 500 },
            statements: [
              { text: "SELECT * FROM items WHERE id = ?", ...amount(100, 6_000, 10) },
              { text: "BEGIN;", ...amount(100, 100) },
              { text: "COMMIT", ...amount(100, 100) },
            ],
          }),
        ],
      }),
    ],
    load: { database: { statements: 1_000, tables: [] } },
    found: ["repeated query 37 high"],
  },
  ...(["SELECT 1", "SELECT 2"] as const).map((text, index) => ({
    name: `a query that repeats at the line that holds the loop${index === 0 ? "" : ", whose time is another line's"}`,
    workers: [
      worker({
        endpoints: [
          endpoint({
            ...spun,
            statements: [
              {
                text,
                ...amount(100, 3_000, 20),
                ...(index > 0 && { place: { ...line, line: line.line + 1 } }),
              },
            ],
          }),
        ],
        cpuMs: 9_600,
      }),
    ],
    load: { database: { statements: 2_000, tables: [] } },
    found:
      index === 0
        ? ["repeated query 37 high", "CPU work on the event loop 37 high"]
        : ["CPU work on the event loop 37 high", "repeated query 38 high"],
  })),
  {
    name: "the repeated query, of which the database knows nothing",
    workers: [repeated],
    load: { database: { statements: 100, tables: [] } },
    found: [],
  },
  {
    name: "statements that repeat and cost nothing",
    workers: [
      worker({
        endpoints: [
          endpoint({ partsMs: { total: 10_000 }, statements: [{ text: "x", ...amount(100, 60, 20) }] }),
          endpoint({ route: "/b", statements: [{ text: "x", ...amount(1, 60, 20) }] }),
        ],
      }),
    ],
    found: [],
  },
  {
    name: "an index that is missing",
    workers: [scanned],
    load: { database: { tables: [{ ...table, name: "b", sequentialRows: 1 }, table] } },
    found: ["missing index 37 high"],
  },
  {
    name: "an index that is missing for something unseen",
    workers: [scanned],
    load: { database: { tables: [{ ...table, name: "hidden" }] } },
    found: ["missing index high"],
  },
  {
    name: "a table that is read whole and costs nothing",
    workers: [worker()],
    load: { database: { tables: [table] } },
    found: [],
  },
  {
    name: "small tables are read whole, and rightly",
    workers: [scanned],
    load: { database: { statementsMs: 100, tables: [{ ...table, rows: 100 }] } },
    found: [],
  },
  {
    name: "scans that end early",
    workers: [scanned],
    load: { database: { statementsMs: 100, tables: [{ ...table, sequentialRows: 1_000_000 }] } },
    found: [],
  },
  {
    name: "more workers than CPUs",
    workers: pair(500, 500),
    load: { workers: 4, appCpus: 1, requests: 1_000 },
    found: ["more workers than CPUs high"],
  },
  {
    name: "more workers than CPUs that are idle",
    workers: pair(500, 500),
    load: { workers: 4, requests: 100 },
    found: [],
  },
  {
    name: "one worker gets most requests, and is full",
    workers: pair(900, 100),
    load: { workers: 2, virtualUsers: 100, requests: 1_000, latencyMeanMs: 1_000 },
    found: ["one worker gets most requests medium"],
  },
  {
    name: "one worker gets all requests, and is not full",
    workers: pair(900, 100).slice(0, 1),
    load: { workers: 2, virtualUsers: 100, requests: 200 },
    found: [],
  },
  { name: "even workers", workers: pair(500, 500), load: { workers: 2, virtualUsers: 100 }, found: [] },
  {
    name: "acknowledgements that come late",
    workers: [delayed],
    load: { workers: 2, virtualUsers: 2, latencyMedianMs: 44, latencyMeanMs: 44 },
    found: ["delayed acknowledgements high"],
  },
  {
    name: "sockets that could wait and do not",
    workers: [delayed],
    load: { workers: 2, virtualUsers: 2, latencyMedianMs: 4, latencyMeanMs: 4 },
    found: [],
  },
  {
    name: "connections that the server closes",
    workers: [closing],
    load: { connectionsOpened: 98 },
    found: ["connections not kept alive high"],
  },
  {
    name: "connections that the server closes after ten",
    workers: [worker({ ...closing, server: { ...closing.server, requestsPerConnection: 5 } })],
    load: { connectionsOpened: 18 },
    found: ["connections not kept alive medium"],
  },
  { name: "connections that are kept", workers: [worker()], load: { connectionsOpened: 98 }, found: [] },
  {
    name: "a generator that is full",
    workers: [worker({ endpoints: [endpoint({ partsMs: { total: 500 } })] })],
    load: { generatorCpuSeconds: 19 },
    found: ["generator bound high"],
  },
  {
    name: "a generator that has time",
    workers: [worker()],
    load: { generatorCpuSeconds: 9 },
    found: [],
  },
  {
    name: "something external",
    workers: [external],
    found: ["waiting, not computing 30 high"],
  },
  {
    name: "something external that is awaited at a line",
    workers: [
      worker({
        endpoints: [
          endpoint({
            partsMs: { total: 80_000, elsewhere: 79_000 },
            waited: [{ place: line, totalMs: 78_000 }],
          }),
        ],
      }),
    ],
    found: ["waiting, not computing 37 high"],
  },
  {
    name: "something external that is full, too",
    workers: [external],
    load: { virtualUsers: 80, latencyMeanMs: 8_000 },
    found: [],
  },
  {
    name: "of two that weigh the same the one that is listed first",
    workers: [
      worker({
        endpoints: [
          endpoint({
            partsMs: { total: 500 },
            made: [
              { what: "connection", ...amount(100, 10) },
              { what: "executor", ...amount(100, 10) },
            ],
          }),
        ],
      }),
    ],
    found: ["executor per request 37 high", "unpooled connections 37 high"],
  },
  {
    name: "notes are last",
    workers: [
      worker({
        endpoints: [
          endpoint({
            partsMs: { total: 80_000, elsewhere: 79_000 },
            made: [{ what: "connection", ...amount(100, 10) }],
          }),
        ],
      }),
    ],
    found: ["unpooled connections 37 high", "waiting, not computing 30 high"],
  },
  {
    name: "of several the weightiest is first, and a generator that is full before all",
    workers: [
      worker({
        endpoints: [
          endpoint({
            partsMs: { total: 500 },
            made: [
              { what: "executor", ...amount(100, 10) },
              { what: "connection", ...amount(100, 400) },
            ],
          }),
        ],
      }),
    ],
    load: { generatorCpuSeconds: 19 },
    found: ["generator bound high", "unpooled connections 37 high", "executor per request 37 high"],
  },
];

describe("findCauses", () => {
  test.for(cases)("finds $name", ({ workers, load: changes, found }) => {
    expect(find(workers, changes).map(describeFinding)).toEqual(found);
  });

  test("says what, where, how long and what to do", () => {
    expect(find([worker({ endpoints: [blocked] })])[0]).toMatchObject({
      endpoint: "/orders",
      summary: [
        "blocks the event loop for 100 ms at ",
        { line: "app/orders.py:37" },
        " (`time.sleep(0.1)`) in every request",
      ],
      advice:
        "Replace it with an async version that does not block, or make the route a plain `def`, which runs in a thread.",
      prediction: { what: "requests per second", observed: 10 },
      severity: "problem",
    });
  });

  test.for([
    ["anyio", "or raise AnyIO's thread limit."],
    ["executor", "or give the event loop a larger executor (`loop.set_default_executor`)."],
  ] as const)("threads of %s are advised on as such", ([kind, advice]) => {
    const threads = { ...inFull.threads, kind };
    expect(find([{ ...inFull, threads }], busyUsers)[0]?.advice).toBe(
      `Replace the blocking call with an async one, which needs no thread, ${advice}`,
    );
  });

  test("every finding has a sentence, advice, finite figures and a weight between 0 and 1", () => {
    for (const { name, workers, load: changes } of cases) {
      for (const finding of find(workers, changes)) {
        const { advice, figures, prediction, weight } = finding;
        expect(saying(finding), name).toMatch(/^[A-Z\d`][^\n]+[^.]\.$/);
        expect(saying(finding), name).not.toMatch(/NaN|Infinity|undefined/);
        expect(advice, name).toMatch(/\.$/);
        const numbers = [
          ...figures.map(({ value }) => value),
          prediction.predicted,
          prediction.observed,
          weight,
        ];
        expect(numbers.every(Number.isFinite), name).toBe(true);
        expect(weight, name).toBeGreaterThanOrEqual(0);
        expect(weight, name).toBeLessThanOrEqual(1);
      }
    }
  });
});

test("the share of requests counts each of them once, also where a hold was seen and another was not", () => {
  const stalls = [
    { ...amount(100, 9_500), cpuMs: 0 },
    { ...amount(20, 500), place: null, cpuMs: 0 },
  ];
  const [finding] = find([
    worker({ endpoints: [endpoint({ partsMs: { total: 10_000, blocked: 10_000 }, stalls })] }),
  ]);
  expect(saying(finding)).toMatch(/ in every request\.$/);
  expect(finding?.figures).toContainEqual({ what: "share of requests", unit: "share", value: 1 });
});

describe("a pool that is too small", () => {
  const made = {
    file: "app/db.py",
    line: 3,
    function: "<module>",
    code: "pool = ConnectionPool(max_size=2)",
  };
  const full = { ...pool, made, mostInUse: 2, mostWaiting: 6, useMs: 20_000 };
  const suggested = (pools: ProbeDocument["pools"], allowed?: number, others?: ProbeDocument["pools"]) => {
    const workers = [pools, ...(others ? [others] : [])].map((own) => ({ ...poolFull, pools: own }));
    const count = workers.length;
    const database =
      allowed === undefined ? undefined : { connectionsAllowed: allowed, connectionsPeak: 8, tables: [] };
    const facts = load({ ...thousand, requests: 1_000 * count, ...defined({ database }) });
    const evidence = gatherEvidence(workers, facts);
    if (evidence === undefined) throw new Error("no request was seen");
    return findCauses(evidence).find(({ cause }) => cause === "pool too small")?.pool;
  };

  test("should have what its requests waited for, where it is made", () => {
    expect(suggested([full])).toEqual({ place: made, name: "max_size", from: 2, to: 8 });
    expect(suggested([{ ...full, mostWaiting: 8 }])).toMatchObject({ to: 8 });
    expect(suggested([full], 15)).toEqual({ place: made, name: "max_size", from: 2, to: 5 });
    expect(suggested([full], 100, [full])).toEqual({ place: made, name: "max_size", from: 2, to: 8 });
    expect(suggested([full], 100, [{ ...full, made: { ...made, line: 4 } }])).toBeUndefined();
    expect(suggested([full], 100, [{ ...full, most: 1 }])).toBeUndefined();
    const engine = { ...full, kind: "sqlalchemy.QueuePool", size: 1 };
    expect(suggested([engine])).toEqual({ place: made, name: "pool_size", from: 1, to: 7 });
  });

  test.for<[what: string, pools: ProbeDocument["pools"], allowed?: number]>([
    ["is made nowhere in the app", [{ ...full, made: undefined }]],
    ["is one of two", [full, { ...full, mostWaiting: 1 }]],
    ["has all that the database allows", [full], 12],
  ])("stays as it is where it %s", ([, pools, allowed]) => {
    expect(suggested(pools, allowed)).toBeUndefined();
  });
});
