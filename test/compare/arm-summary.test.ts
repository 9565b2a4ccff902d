import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { bytesPerSecond, saturationOf, summarise } from "../../src/compare/arm-summary.ts";
import { histogramOf } from "../../src/model/load/histogram.ts";
import { armNames, type SlicePairs } from "../../src/model/measurement/measurement.ts";
import { armRecord, cell, measurement } from "../fixtures/measurement.ts";
import { recording } from "../recordings/recording.ts";
import { compared, replicate } from "./two-arms.ts";

describe("summarise", () => {
  const block = {
    startSeconds: 0,
    seconds: 1,
    requests: 10,
    failures: 1,
    latencyTotalMs: 50,
    latencyMaxMs: 9,
  };
  const record = armRecord({
    blocks: [
      block,
      { ...block, startSeconds: 1, requests: 30, failures: 0, latencyTotalMs: 100, latencyMaxMs: 20 },
    ],
    statuses: { "200": 39, "503": 1 },
    latency: histogramOf(Array(40).fill(0)),
    cpuSeconds: 0.02,
    sqlStatements: 120,
    sqlRows: 400,
    sqlBlocks: 100,
    responseBytes: 100,
    peakMemoryBytes: 5,
  });

  test("divides totals by requests", () => {
    expect(summarise([record])).toMatchObject({
      throughput: { value: 20 },
      latencyMs: { mean: 3.75, max: 20 },
      requests: 40,
      failures: 1,
      cpuPerRequestMs: 0.5,
      statementsPerRequest: 3,
      rowsPerRequest: 10,
      blocksPerRequest: 2.5,
      responseBytes: 100,
      peakMemoryBytes: 5,
    });
  });

  test("has the time to the first byte over all requests, and bytes per second", () => {
    const [quick, slow] = [2, 4].map((firstByteMs) => ({ ...record, firstByteMs }));
    const all = summarise([quick, slow].flatMap((each) => each ?? []));
    expect(all?.firstByteMs).toBe(3);
    expect(summarise([{ ...record, firstByteMs: 6 }])?.firstByteMs).toBe(3.75); // the mean reply
    expect(all && bytesPerSecond(all)).toBe(100 * 20);
    expect(summarise([record, ...(quick ? [quick] : [])])).not.toHaveProperty("firstByteMs");
    const { responseBytes: _, ...unsized } = record;
    const other = summarise([unsized]);
    expect(other && bytesPerSecond(other)).toBeUndefined();
  });

  test("tells what ran beside the server apart", () => {
    const beside = { ...record, companionCpuSeconds: { redis: 0.01, worker: 0.04 } };
    expect(summarise([beside, beside])?.companionCpuPerRequestMs).toEqual({ redis: 0.25, worker: 1 });
    expect(summarise([beside, record])?.companionCpuPerRequestMs).toEqual({});
    expect(summarise([record])).not.toHaveProperty("companionCpuPerRequestMs");
  });

  test("adds replicates", () => {
    expect(summarise([record, record])).toMatchObject({
      requests: 80,
      statuses: { "200": 78, "503": 2 },
      cpuPerRequestMs: 0.5,
      statementsPerRequest: 3,
    });
  });

  test("does not guess what a replicate did not record", () => {
    const { cpuSeconds: _, sqlStatements: __, responseBytes: ___, peakMemoryBytes: ____, ...bare } = record;
    expect(summarise([record, bare])).toMatchObject({
      cpuPerRequestMs: undefined,
      statementsPerRequest: undefined,
    });
    expect(summarise([bare])).toMatchObject({ responseBytes: undefined, peakMemoryBytes: undefined });
  });

  test("counts replies that came after the end, but not as throughput", () => {
    const late = { ...record, blocks: [{ ...block, requests: 0, failures: 0, latencyTotalMs: 0 }] };
    expect(summarise([late])).toMatchObject({
      throughput: { value: 0 },
      requests: 40,
      failures: 1,
      cpuPerRequestMs: 0.5,
      latencyMs: { mean: expect.closeTo(1, 1) },
    });
  });

  test("has no percentile above the longest request, in time or after the end", () => {
    const quick = { ...record, latency: histogramOf(Array(40).fill(301)) }; // 20.1 to 20.3 ms
    const longest = { ...block, latencyMaxMs: 20.1 };
    const reached = { p50: 20.1, p99: 20.1, max: 20.1 };
    expect(summarise([{ ...quick, blocks: [longest] }])?.latencyMs).toMatchObject(reached);
    const { latencyMs } = summarise([{ ...record, latency: histogramOf([0, 700]) }]) ?? {};
    expect(latencyMs?.max).toBeCloseTo(1_091.2, 1);
    expect(latencyMs?.p99).toBe(latencyMs?.max);
  });

  const names = ["change", "shop", "workers", "heads", "same"] as const;
  test.for(names)("has no impossible figure of any replicates of the recording %s", (name) => {
    const arms = recording(name)
      .measurements.flatMap(({ replicates }) =>
        armNames.map((arm) => replicates.flatMap(({ arms: records }) => records[arm] ?? [])),
      )
      .filter(({ length }) => length > 0);
    const some = fc.constantFrom(...arms).chain((records) => fc.subarray(records, { minLength: 1 }));
    fc.assert(
      fc.property(some, (records) => {
        const { latencyMs, firstByteMs = 0 } = summarise(records) ?? {};
        if (latencyMs === undefined) return;
        const { p50, p90, p95, p99, max, mean } = latencyMs;
        const rising = [0, p50, p90, p95, p99, max];
        expect(rising).toEqual(rising.toSorted((a, b) => a - b));
        expect(mean).toBeLessThanOrEqual(max);
        expect(firstByteMs).toBeLessThanOrEqual(mean);
      }),
    );
  });

  test("is nothing when nothing was counted", () => {
    expect(summarise([])).toBeUndefined();
    expect(summarise([armRecord({ blocks: [{ ...block, requests: 0 }], statuses: {} })])).toBeUndefined();
  });
});

describe("saturationOf", () => {
  /** One slice pair in which each arm completed so many cycles in 80 ms of its users' time. */
  const pairs = (base: number, head: number): SlicePairs => ({
    sliceMs: 50,
    arms: {
      base: { cycles: [base], cycleMs: [base === 0 ? 0 : 80] },
      head: { cycles: [head], cycleMs: [head === 0 ? 0 : 80] },
    },
  });
  const of = (...all: readonly SlicePairs[]) =>
    measurement({ replicates: all.map((each) => replicate({ pairs: each })) });

  test("is nothing for an arm alone, or one that completed nothing", () => {
    expect(saturationOf(measurement(), "head")).toEqual({});
    expect(saturationOf(of(pairs(10, 0)), "head")).toEqual({});
  });

  test("has no interval from one replicate", () => {
    // 8 users, 10 cycles in 80 ms of their time: 125 a second each.
    expect(saturationOf(of(pairs(10, 8)), "base")).toEqual({
      throughput: { value: 1_000, interval: undefined },
      replicateRates: [1_000],
    });
    expect(saturationOf(of(pairs(10, 8)), "head")).toEqual({
      throughput: { value: 800, interval: undefined },
      replicateRates: [800],
    });
  });

  test("is the mean of the replicates with Student's interval, and leaves out the empty ones", () => {
    const { throughput } = saturationOf(of(pairs(9, 1), pairs(10, 1), pairs(0, 1), pairs(11, 1)), "base");
    // 900, 1,000 and 1,100: the standard error is 57.735, t with 2 degrees of freedom 4.302653.
    expect(throughput).toEqual({
      value: expect.closeTo(1_000, 6),
      interval: { low: expect.closeTo(751.586, 3), high: expect.closeTo(1_248.414, 3) },
    });
  });

  test("never claims less than nothing", () => {
    expect(saturationOf(of(pairs(1, 1), pairs(20, 1)), "base").throughput?.interval?.low).toBe(0);
  });

  test("knows no users where the load has none", () => {
    const stages = { kind: "stages", stages: [{ durationSeconds: 5, virtualUsers: 4 }] } as const;
    const { throughput } = saturationOf(
      compared([0], { cell: cell({ load: { ...stages, stages: [...stages.stages] } }) }),
      "head",
    );
    expect(throughput?.value).toBe(0);
  });
});
