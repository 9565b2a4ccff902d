import { describe, expect, test } from "vitest";

import { workersAdvice } from "../../../src/compare/workers/advice.ts";
import { sharedAdvice } from "../../../src/compare/workers/advice-outcome.ts";
import { adviceSentence } from "../../../src/compare/workers/sentence.ts";
import { failure } from "../../fixtures/measurement.ts";
import { changed, versus } from "../../report/compared.ts";
import { comparisonOf, measured, type Planned } from "./worker-counts.ts";

const adviceOf = (planned: readonly Planned[]) => workersAdvice(comparisonOf(measured("/a", planned)).rows);
const sentencesOf = (...endpoints: readonly (readonly Planned[])[]) =>
  sharedAdvice(
    workersAdvice(comparisonOf(endpoints.flatMap((planned, index) => measured(`/${index}`, planned))).rows),
  ).map((shared) => `${shared.endpoints.join(", ")}: ${adviceSentence(shared)}`);

const rising: readonly Planned[] = [
  { workers: 1, rates: [990, 1_000, 1_010] },
  { workers: 2, rates: [1_790, 1_800, 1_810] },
  { workers: 4, rates: [1_795, 1_805, 1_815] },
];
const single: readonly Planned[] = [{ workers: 1 }, { workers: 2, rates: [1_800] }];
const busy = { cpuSeconds: 19 };

test("endpoints that the change does not reach get no word", () => {
  const unreached: Omit<Planned, "workers"> = { change: { status: "not reached", replicates: [] } };
  expect(adviceOf([1, 2].map((workers) => ({ workers, ...unreached })))).toEqual([]);
  expect(adviceOf([{ workers: 1 }, { workers: 2, ...unreached }])).toHaveLength(1);
});

describe("what is advised", () => {
  test.for<[string, string, readonly Planned[]]>([
    [
      "the count from which on more do not help",
      "2 workers (1,800 req/s, 1.80 times the throughput of 1 worker). Going to 4 workers adds less than 2%. 2 workers need 168 MB of memory (of 16.8 GB). 97% certain.",
      rising,
    ],
    [
      "the smallest, where none helps",
      "1 worker (1,000 req/s). Going up to 4 workers adds less than 2%. 1 worker needs 84.0 MB of memory (of 16.8 GB). There is only one replicate, so it is unknown how reliable this is.",
      [{ workers: 1 }, { workers: 2 }, { workers: 4 }],
    ],
    [
      "that others lost by, by how much",
      "1 worker (1,000 req/s). With 2 workers, throughput is 94% lower. 1 worker needs 84.0 MB of memory (of 16.8 GB). There is only one replicate, so it is unknown how reliable this is.",
      [{ workers: 1 }, { workers: 2, rates: [60] }],
    ],
    [
      "and by how much at least",
      "1 worker (1,000 req/s). With up to 4 workers, throughput is at least 20% lower. 1 worker needs 84.0 MB of memory (of 16.8 GB). There is only one replicate, so it is unknown how reliable this is.",
      [{ workers: 1 }, { workers: 2, rates: [500] }, { workers: 4, rates: [800] }],
    ],
    [
      "the largest, with what was not checked",
      "2 workers (1,800 req/s, 1.80 times the throughput of 1 worker). Higher counts were not measured. 2 workers need 168 MB of memory (of 16.8 GB). There is only one replicate, so it is unknown how reliable this is.",
      single,
    ],
    [
      "the largest, where the cores are used up",
      "2 workers (1,800 req/s, 1.80 times the throughput of 1 worker). 2 workers need 168 MB of memory (of 16.8 GB). There is only one replicate, so it is unknown how reliable this is.",
      [{ workers: 1 }, { workers: 2, rates: [1_800], arm: busy }],
    ],
    [
      "the likeliest, and what else it could be",
      "probably 2 workers (1,800 req/s, 1.80 times the throughput of 1 worker). Going to 3 workers adds less than 2%. 2 workers need 168 MB of memory (of 16.8 GB). 58% certain; alternatives: 3 (42%).",
      [
        { workers: 1, rates: [990, 1_000, 1_010] },
        { workers: 2, rates: [1_700, 1_800, 1_900] },
        { workers: 3, rates: [1_710, 1_810, 1_940] },
      ],
    ],
    [
      "a count beyond the cores, with a caveat",
      "4 workers (3,000 req/s, 3.00 times the throughput of 1 worker). Higher counts were not measured. 4 workers need 336 MB of memory (of 16.8 GB). There are more workers (4) than cores for the app (2). There is only one replicate, so it is unknown how reliable this is.",
      [...single, { workers: 4, rates: [3_000], arm: { cpuSeconds: 16 } }],
    ],
    [
      "a count of workers that mostly wait, with a caveat",
      "2 workers (1,800 req/s, 1.80 times the throughput of 1 worker). Higher counts were not measured. 2 workers need 168 MB of memory (of 16.8 GB). The CPU was only 3% busy, so with more than 8 virtual users, a different count may be best. There is only one replicate, so it is unknown how reliable this is.",
      single.map((each) => ({ ...each, arm: { cpuSeconds: 0.5 } })),
    ],
    [
      "not one that takes more memory than the machine should give",
      "2 workers (1,800 req/s, 1.80 times the throughput of 1 worker). 2 workers need 168 MB of memory (of 16.8 GB). Avoid 4 workers: they need more than 80% of the memory. There is only one replicate, so it is unknown how reliable this is.",
      [...single, { workers: 4, rates: [3_000], arm: { peakMemoryBytes: 15_000_000_000 } }],
    ],
    [
      "not one that takes more connections than Postgres usually has",
      "1 worker (1,000 req/s). 1 worker needs 84.0 MB of memory (of 16.8 GB) and 60 database connections (of the 97 that Postgres allows by default). Avoid 2 workers: they need more connections than the database allows. There is only one replicate, so it is unknown how reliable this is.",
      [
        { workers: 1, arm: { connections: 60 } },
        { workers: 2, rates: [1_800], arm: { connections: 120 } },
      ],
    ],
    [
      "one that the caller's Postgres has connections for",
      "2 workers (1,800 req/s, 1.80 times the throughput of 1 worker). Higher counts were not measured. 2 workers need 168 MB of memory (of 16.8 GB) and 120 database connections (of 197). There is only one replicate, so it is unknown how reliable this is.",
      [
        { workers: 1, arm: { connections: 60 }, environment: { maxConnections: 197 } },
        { workers: 2, rates: [1_800], arm: { connections: 120 }, environment: { maxConnections: 197 } },
      ],
    ],
    [
      "what can be said without the environment",
      "2 workers (1,800 req/s, 1.80 times the throughput of 1 worker). Higher counts were not measured. 2 workers need 168 MB of memory. There is only one replicate, so it is unknown how reliable this is.",
      single.map((each) => ({ ...each, change: { environment: undefined } })),
    ],
    [
      "what can be said without memory and CPU time",
      "2 workers (1,800 req/s, 1.80 times the throughput of 1 worker). Higher counts were not measured. There is only one replicate, so it is unknown how reliable this is.",
      single.map((each) => ({ ...each, arm: { peakMemoryBytes: undefined, cpuSeconds: undefined } })),
    ],
    [
      "without a count that failed, which is named",
      "2 workers (1,800 req/s, 1.80 times the throughput of 1 worker). 2 workers need 168 MB of memory (of 16.8 GB). 4 workers could not be judged. There is only one replicate, so it is unknown how reliable this is.",
      [...single, { workers: 4, change: { status: "failed", failure: failure(), replicates: [] } }],
    ],
  ])("%s", ([, sentence, planned]) => {
    expect(sentencesOf(planned)).toEqual([`/0: ${sentence}`]);
  });
});

test("the likelier of the others is named first", () => {
  const near = (workers: number, rate: number, noise: number) => ({
    workers,
    rates: [rate * (1 - noise), rate, rate * (1 + noise)],
  });
  const [sentence = ""] = sentencesOf([
    near(1, 1_000, 0.01),
    near(2, 1_800, 0.02),
    near(3, 1_808, 0.03),
    near(4, 1_806, 0.03),
  ]);
  const [, third = 0, fourth = 0] = (
    /alternatives: (?:\d+) \((\d+)%\) or (?:\d+) \((\d+)%\)\.$/.exec(sentence) ?? []
  ).map(Number);
  expect(sentence).toContain("/0: probably 2 workers");
  expect(third).toBeGreaterThanOrEqual(fourth);
  expect(fourth).toBeGreaterThanOrEqual(10);
});

describe("nothing is advised", () => {
  test("when it is more likely wrong than right", () => {
    const noisy = [500, 600, 620].map((rate, index) => ({
      workers: index + 1,
      rates: [rate * 0.7, rate * 1.4],
    }));
    const [sentence = ""] = sentencesOf(noisy);
    expect(sentence).toMatch(
      /^\/0: no recommendation, because the replicates differ too much to choose a worker count \(chance of being the smallest sufficient count: \d workers? \d+%, .*\)\. Raise max-minutes, or use a quieter machine\.$/,
    );
    expect(adviceOf(noisy)[0]?.enough).toBeUndefined();
  });

  test.for<[string, readonly Planned[], string]>([
    [
      "from one usable count",
      [{ workers: 1 }, { workers: 2, change: { status: "cancelled" } }],
      "only one of the 2 worker counts has usable figures",
    ],
    [
      "from none",
      [1, 2].map((workers) => ({ workers, change: { status: "failed", failure: failure() } as const })),
      "none of the 2 worker counts has usable figures",
    ],
    [
      "from requests at a given rate",
      [1, 2].map((workers) => ({
        workers,
        cell: {
          load: { kind: "rate", requestsPerSecond: 100, durationSeconds: 5, virtualUsers: 8 } as const,
        },
      })),
      "requests arrived at a fixed rate, which does not show what more workers could do",
    ],
    [
      "across machines",
      [{ workers: 1 }, { workers: 2, environment: { runner: "another" } }],
      "its worker counts were measured on 2 machines, which are not equally fast",
    ],
    [
      "where every count takes too much",
      [1, 2].map((workers) => ({ workers, arm: { connections: 98 } })),
      "every worker count takes more memory or connections than are available",
    ],
  ])("%s", ([, planned, obstacle]) => {
    expect(adviceOf(planned)).toMatchObject([{ obstacle, enough: undefined, law: undefined }]);
    expect(sentencesOf(planned)).toEqual([`/0: no recommendation, because ${obstacle}.`]);
  });

  test("and no speed-up is claimed where the counts cannot be compared", () => {
    const [advice] = adviceOf([{ workers: 1 }, { workers: 2, environment: { cores: 8 } }]);
    expect(advice?.counts.map(({ speedUp }) => speedUp)).toEqual([undefined, undefined]);
  });
});

describe("a count has no usable figures", () => {
  const reasonOf = (planned: Planned) =>
    adviceOf([{ workers: 1 }, { workers: 2 }, { ...planned, workers: 4 }])[0]?.unusable;
  const arm = (statuses: Record<string, number>) => ({ arm: { statuses } });

  test.for<[string, Omit<Planned, "workers">, string | undefined]>([
    ["which failed", { change: { status: "failed", failure: failure() } }, "failed"],
    [
      "of which more than 1% of the requests failed",
      arm({ "200": 9_850, "500": 150 }),
      "1.5% of its requests failed",
    ],
    ["but not where hardly any failed", arm({ "200": 9_950, "500": 50 }), undefined],
    ["without an arm", { change: { replicates: [] } }, "not in the head"],
    ["with a replicate that got nothing done", { rates: [1_000, 0] }, "no throughput"],
  ])("%s", ([, planned, reason]) => {
    expect(reasonOf({ workers: 4, ...planned })).toEqual(
      reason === undefined ? [] : [{ workers: 4, reason }],
    );
  });

  test("where its verdict is invalid", () => {
    const { rows } = comparisonOf(measured("/a", [{ workers: 1 }, { workers: 2 }, { workers: 4 }]));
    const invalid = versus({ verdict: { kind: "invalid", reason: "generator: k6 used 99%" } });
    const [advice] = workersAdvice(
      rows.map((row, index) => (index === 2 ? changed(row, { versus: invalid }) : row)),
    );
    expect(advice).toMatchObject({
      counts: [{ workers: 1 }, { workers: 2 }],
      unusable: [{ workers: 4, reason: "invalid: generator: k6 used 99%" }],
      enough: { workers: 1 },
    });
  });
});

describe("endpoints", () => {
  test("with one worker count have no advice", () => {
    expect(adviceOf([{ workers: 2 }])).toEqual([]);
  });

  test("are told apart by their server and load, and their counts sorted", () => {
    const found = adviceOf([{ workers: 4 }, { workers: 1 }, { workers: 2, cell: { server: "other {app}" } }]);
    expect(found.map(({ counts }) => counts.map(({ workers }) => workers))).toEqual([[1, 4]]);
  });

  test("share a sentence where one says it all", () => {
    const same = [
      { workers: 1, rates: [500] },
      { workers: 2, rates: [950], arm: { cpuSeconds: 10 } },
    ];
    expect(sentencesOf(single, same, rising)).toMatchInlineSnapshot(`
      [
        "/0, /1: 2 workers (950 to 1,800 req/s, 1.80 to 1.90 times the throughput of 1 worker). Higher counts were not measured. 2 workers need 168 MB of memory (of 16.8 GB). There is only one replicate, so it is unknown how reliable this is.",
        "/2: 2 workers (1,800 req/s, 1.80 times the throughput of 1 worker). Going to 4 workers adds less than 2%. 2 workers need 168 MB of memory (of 16.8 GB). 97% certain.",
      ]
    `);
  });

  test("get the law from five counts on", () => {
    const rates = [1_000, 1_900, 2_700, 3_400, 4_000];
    const planned = rates.map((rate, index) => ({ workers: index + 1, rates: [rate] }));
    expect(adviceOf(planned)[0]?.law?.serial).toBeCloseTo(0.05, 1);
    expect(adviceOf(planned.slice(1))[0]?.law).toBeUndefined();
  });
});
