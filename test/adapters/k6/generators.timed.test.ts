import { afterAll, beforeAll, expect, test } from "vitest";
import type { Load } from "../../../src/model/plan/cell.ts";
import { parseGeneratorLogs } from "../../../src/model/scale/generator-records.ts";
import { mergeGenerators } from "../../../src/model/scale/merged-load.ts";
import { segmentOf, sequenceOf } from "../../../src/model/scale/segments.ts";
import { sum } from "../../../src/statistics/estimate.ts";
import { type K6Bench, ok, openK6, putLoad, serving } from "./k6-fixture.ts";

let bench: K6Bench;

beforeAll(async () => {
  bench = await openK6();
});
afterAll(() => bench[Symbol.asyncDispose]());

/** Two k6 processes that begin together, and what they and the servers counted. */
async function loadOfTwo(load: Load) {
  await using base = await serving(ok);
  await using head = await serving(ok);
  const startMs = Date.now() + 6_000;
  const generators = await Promise.all(
    [1, 2].map(async (number) => {
      const generator = {
        ...{ cell: "cell-1", run: "run1", plan: "plan1", startMs, withinSeconds: 6 },
        ...{ segment: segmentOf(number, 2), sequence: sequenceOf(2) },
      };
      const targets = [
        { arm: "base" as const, baseUrl: base.baseUrl },
        { arm: "head" as const, baseUrl: head.baseUrl },
      ] as const;
      const request = { targets, load, sliceMs: 1_000, name: `load-${number}`, generator };
      return (await putLoad(bench, request)).records;
    }),
  );
  return { logs: generators, seen: [base.seen, head.seen], startMs };
}

test.for<{ readonly name: string; readonly load: Load; readonly least: number }>([
  {
    name: "closed",
    load: { kind: "constant", virtualUsers: 5, durationSeconds: 4 },
    least: 100,
  },
  {
    name: "at a rate",
    load: { kind: "rate", requestsPerSecond: 60, virtualUsers: 10, durationSeconds: 4 },
    least: 200,
  },
])(
  "two k6 processes share a load, and their records are what the servers counted: $name",
  async ({ load, least }) => {
    const { logs, seen, startMs } = await loadOfTwo(load);
    const { generators, damagedLines, strayRecords } = parseGeneratorLogs(logs);
    expect({ damagedLines, strayRecords }).toEqual({ damagedLines: 0, strayRecords: 0 });
    expect(generators.map(({ identity }) => identity.segment)).toEqual(["0:1/2", "1/2:1"]);
    const expected = { cell: "cell-1", plan: "plan1", run: "run1", count: 2, sliceMs: 1_000 };
    // A busy machine may wake a process late, or look at a clock late: that is said, and nothing else.
    const merging = mergeGenerators(generators, { ...expected, sliceMs: 60_000 });
    if ("problems" in merging) throw new Error(merging.problems.join("; "));
    const { slices, requests } = merging.load;
    const sent = seen.map((all) => all.filter((line) => line.startsWith("GET")).length);
    const counted = (["base", "head"] as const).map((arm) =>
      sum(slices.filter((slice) => slice.arm === arm).map((slice) => slice.requests)),
    );
    expect(counted).toEqual(sent);
    expect(requests).toBe(sum(sent));
    expect(requests).toBeGreaterThanOrEqual(least);
    for (const { identity } of generators) {
      expect(identity.startMs).toBe(startMs);
      expect(identity.begunMs).toBeGreaterThanOrEqual(startMs);
      expect(Math.abs(identity.clock?.offsetMs ?? Number.NaN)).toBeLessThan(1_000); // one machine has one clock
    }
  },
);
