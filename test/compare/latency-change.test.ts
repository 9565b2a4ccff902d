import { describe, expect, test } from "vitest";
import {
  isLatencyOpen,
  type LatencyPair,
  latencyChanges,
  latencySample,
  reachOfLatency,
} from "../../src/compare/latency-change.ts";
import { growth, type Histogram, histogramOf } from "../../src/model/load/histogram.ts";
import type { Replicate } from "../../src/model/measurement/measurement.ts";
import { looks } from "../../src/model/plan/plan.ts";
import { type LatencyLoad, latencyLoad } from "./latency-load.ts";
import { design, replicate } from "./two-arms.ts";

/** Replicates whose base has latencies around 10 ms, of which the head's slowest 2% are longer by a factor. */
const slowTail = (factors: readonly number[], requests = 2_000): Replicate[] =>
  factors.map((factor) => {
    const latency = (slow: number) =>
      histogramOf(
        Array.from({ length: requests }, (_, index) => {
          const ms = 8 + (4 * index) / requests;
          return Math.ceil(Math.log(index >= 0.98 * requests ? ms * slow : ms) / Math.log(growth));
        }),
      );
    const latencyClustering = [1, 1, 1];
    return replicate({
      arms: {
        base: { latency: latency(1), latencyClustering },
        head: { latency: latency(factor), latencyClustering },
      },
    });
  });
const p99 = (replicates: readonly Replicate[], by = design()) =>
  latencyChanges(replicates, by).find(({ share }) => share === 0.99);

describe("latencyChanges", () => {
  test.for([
    { name: "the same", factors: [1, 1, 1, 1], kind: "none" },
    { name: "half as long again", factors: [1.5, 1.5, 1.5, 1.5], kind: "longer" },
    { name: "longer by less than matters", factors: [1.15, 1.15, 1.15, 1.15], kind: "none" },
    { name: "longer on average, but not for sure", factors: [1, 2.4, 1, 2.1], kind: "none" },
    { name: "one replicate", factors: [1.5], kind: "none" },
  ] as const)("p99 is $name: $kind", ({ factors, kind }) => {
    expect(p99(slowTail(factors))?.kind).toBe(kind);
  });

  test("a shorter percentile is told, too", () => {
    const swapped = slowTail([1.5, 1.5, 1.5, 1.5]).map((each) => ({
      ...each,
      arms: {
        ...(each.arms.head && { base: each.arms.head }),
        ...(each.arms.base && { head: each.arms.base }),
      },
    }));
    expect(p99(swapped)?.kind).toBe("shorter");
  });

  test("has p50, p95 and p99 with their interval and the milliseconds of both arms", () => {
    const changes = latencyChanges(slowTail([1.5, 1.5, 1.5, 1.5]), design());
    expect(changes.map(({ share, kind }) => [share, kind])).toEqual([
      [0.5, "none"],
      [0.95, "none"],
      [0.99, "longer"],
    ]);
    const { effect, arms, requests } = changes[2] ?? {};
    expect(effect?.value).toBeCloseTo(0.5, 1);
    expect(effect?.interval?.low).toBeGreaterThan(0.3);
    expect(requests).toBe(8_000);
    expect(arms?.base.value).toBeCloseTo(12, 0);
    expect(arms?.head.value).toBeCloseTo(18, 0);
    expect(arms?.head.low).toBeLessThanOrEqual(arms?.head.value ?? 0);
    expect(arms?.head.high).toBeGreaterThanOrEqual(arms?.head.value ?? 0);
  });

  test.for([
    { requests: 2_000, kinds: ["none", "none", "none"] },
    { requests: 240, kinds: ["none", "none", "unresolved"] },
    { requests: 24, kinds: ["none", "unresolved", "unresolved"] },
  ])("with $requests requests: $kinds", ({ requests, kinds }) => {
    const changes = latencyChanges(slowTail([1, 1], requests / 2), design());
    expect(changes.map(({ kind }) => kind)).toEqual(kinds);
    expect(changes[2]?.requests).toBe(requests);
  });

  test("a percentile that cannot be resolved has no interval, and bounds as far as there are some", () => {
    const { effect, arms } = p99(slowTail([1.5, 1.5], 50)) ?? {};
    expect(effect?.interval).toBeUndefined();
    expect(arms?.base.low).toBeGreaterThan(0);
    expect(arms?.base.high).toBeUndefined();
  });

  test("each cell of a larger report, and a smallest effect of one's own, ask for more", () => {
    const replicates = slowTail([1.3, 1.34, 1.3, 1.26]);
    expect(p99(replicates)?.kind).toBe("longer");
    expect(p99(replicates, design({ minLatencyChange: 0.5 }))?.kind).toBe("none");
    const widthOf = (cells: number) => {
      const { interval } = p99(replicates, design({ cells }))?.effect ?? {};
      return (interval?.high ?? 0) - (interval?.low ?? 0);
    };
    expect(widthOf(20)).toBeGreaterThan(1.2 * widthOf(1));
  });

  test("none where an arm answered nothing, or was not recorded", () => {
    expect(latencyChanges(slowTail([1, 1], 0), design())).toEqual([]);
    expect(latencyChanges([{ ...replicate(), arms: {} }], design())).toEqual([]);
  });
});

describe("isLatencyOpen", () => {
  test.for([
    { name: "nothing seems to change", factors: [1, 1.01, 0.99, 1], by: {}, expected: false },
    { name: "certain", factors: [1.5, 1.5, 1.5, 1.5], by: {}, expected: false },
    { name: "seems longer, but not for sure", factors: [1.2, 1.9, 1.3, 1.7], by: {}, expected: true },
    { name: "scatters too much to seem so", factors: [1, 4, 1, 1], by: {}, expected: false },
    { name: "certain, but perhaps by less", factors: [1.24, 1.32, 1.28, 1.2], by: {}, expected: false },
    {
      name: "the same, where it can fail the check",
      factors: [1.24, 1.32, 1.28, 1.2],
      by: { isLatencyForbidden: true },
      expected: true,
    },
    {
      name: "certainly as much, where it can fail the check",
      factors: [1.7, 1.7, 1.7, 1.7],
      by: { isLatencyForbidden: true },
      expected: false,
    },
  ] as const)("$name: $expected", ({ factors, by, expected }) => {
    expect(isLatencyOpen(slowTail(factors), design(by))).toBe(expected);
  });
});

test.for([
  { low: 0.2, high: 0.5, expected: "certainly" },
  { low: 0.1, high: 0.5, expected: "perhaps" },
  { low: -0.1, high: 0.19, expected: "certainly not" },
] as const)("from $low to $high longer by 20%: $expected", ({ low, high, expected }) => {
  expect(reachOfLatency({ value: 0.3, interval: { low, high } }, 0.2)).toBe(expected);
});

test("longer by so much without an interval: nobody knows", () => {
  expect(reachOfLatency({ value: 0.3, interval: undefined }, 0.2)).toBe("perhaps");
});

describe("simulated loads", () => {
  const by = design({ looks: [...looks] });
  const random = randomNumbers(11);
  const draw = (load: LatencyLoad, count: number) =>
    Array.from({ length: count }, latencyLoad(load, random)).map((each) => ({ ...replicate(), ...each }));
  const some = (pool: readonly Replicate[], count: number) =>
    Array.from({ length: count }, () => pool[Math.floor(random() * pool.length)] ?? replicate());
  const flipped = (each: Replicate): Replicate =>
    random() < 0.5
      ? each
      : {
          ...each,
          arms: {
            ...(each.arms.head && { base: each.arms.head }),
            ...(each.arms.base && { head: each.arms.base }),
          },
        };

  test.for<readonly [name: string, load: LatencyLoad]>([
    ["a quiet machine", { kind: "cpu", rate: 1_000, noise: { variety: 0.3, drift: 0.05 } }],
    ["stalls", { kind: "cpu", rate: 500, noise: { variety: 0.3, stalls: [0.2, 1.5] } }],
    [
      "a p95 on an edge",
      { kind: "wait", rate: 500, noise: { variety: 0.2, slowShare: 0.05, slowFactor: 10 } },
    ],
    ["a hog", { kind: "cpu", rate: 500, noise: { variety: 0.3, hog: [0.25, 0.5] } }],
  ])("of equal code on %s at most 3% of 150 cells are told", ([, load]) => {
    const pool = draw(load, 40);
    const told = Array.from({ length: 150 }, (_, index) =>
      latencyChanges(some(pool, looks[index % 6] ?? 3).map(flipped), by),
    ).filter((changes) => changes.some(({ kind }) => kind === "longer" || kind === "shorter"));
    expect(told.length).toBeLessThanOrEqual(4); // at most 1% promised: five of 150 would be one in a hundred such tests
  });

  test("p99 that is half as long again is told in 90% of cells at 1,000 requests/s", () => {
    const change = { share: 0.02, usualLatencies: 1.95 };
    const pool = draw({ kind: "wait", rate: 1_000, noise: { variety: 0.3 }, change }, 30);
    const told = Array.from({ length: 60 }, () => latencyChanges(some(pool, 5), by)).filter((changes) =>
      changes.some(({ share, kind }) => share === 0.99 && kind === "longer"),
    );
    expect(told.length / 60).toBeGreaterThanOrEqual(0.9);
  });
});

/** Numbers from 0 to 1, the same on every call (Mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Requests in bucket 100, of which a share is in bucket 300. */
const withSlow = (share: number, requests = 1_000): Histogram =>
  histogramOf(
    Array.from({ length: requests }, (_, index) => (index < share * requests ? 300 : 100 + (index % 5))),
  );
const pair = (base: Histogram, head: Histogram, clustering: number | undefined = 1): LatencyPair => ({
  base,
  head,
  clustering,
});

test("has one value for each replicate in which both arms answered", () => {
  const sample = latencySample(
    [pair(withSlow(0), withSlow(0)), pair(histogramOf([]), withSlow(0)), pair(withSlow(0), withSlow(0.1))],
    0.95,
  );
  expect(sample.count).toBe(2);
  expect(sample.priorDegrees).toBe(8);
  expect(sample.mean).toBeGreaterThan(0);
});

test("without any answer it is empty", () => {
  expect(latencySample([pair(histogramOf([]), withSlow(0))], 0.5)).toMatchObject({
    count: 0,
    priorDegrees: 0,
  });
});

test("equal replicates do not make a percentile sure that lies on the edge of the slow requests", () => {
  // By chance the head's p95 was slow three times, and the base's never: an edge that 5% of the requests make.
  const edge = Array<LatencyPair>(3).fill(pair(withSlow(0.049), withSlow(0.051)));
  const inside = Array<LatencyPair>(3).fill(pair(withSlow(0.2), withSlow(0.2)));
  expect(Math.sqrt(latencySample(edge, 0.95).variance)).toBeGreaterThan(1);
  expect(Math.sqrt(latencySample(inside, 0.5).variance)).toBeLessThan(0.05);
});

test("slow requests that keep together say less, and unknown ones are taken to do so", () => {
  const of = (clustering: number | undefined) =>
    latencySample(Array<LatencyPair>(4).fill(pair(withSlow(0.03), withSlow(0.03), clustering)), 0.95)
      .variance;
  expect(of(100)).toBeGreaterThan(100 * of(1));
  const unknown = Array<LatencyPair>(4).fill({
    base: withSlow(0.03),
    head: withSlow(0.03),
    clustering: undefined,
  });
  expect(latencySample(unknown, 0.95).variance).toBeGreaterThan(100 * of(1));
});

test("no spread is taken for less than that of two starts", () => {
  const same = Array<LatencyPair>(3).fill(pair(histogramOf([5, 5, 5]), histogramOf([5, 5, 5])));
  expect(latencySample(same, 0.5).variance).toBeCloseTo((8 / 10) * 0.02 ** 2, 12);
});
