import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare } from "../../../src/compare/compare.ts";
import { histogramOf as bucketsOf, growth, type Histogram } from "../../../src/model/load/histogram.ts";
import type { Measurement, Replicate } from "../../../src/model/measurement/measurement.ts";
import { makeCell } from "../../../src/model/plan/cell.ts";
import { pageDataOf } from "../../../src/report/page/page-data.ts";
import { design, oneSided } from "../../compare/two-arms.ts";
import { foundCause } from "../../diagnosis/samples.ts";
import { armRecord, cell, failure, latencyOf, measurement } from "../../fixtures/measurement.ts";
import { recording } from "../../recordings/recording.ts";
import { comparedOf, row, versus } from "../compared.ts";
import { comparisonOf } from "../example.ts";

/** What the page says of measurements, each of a cell of its own. */
function dataOf(measurements: readonly Measurement[], limit?: number) {
  const comparison = comparisonOf(
    measurements.map((each) => each.cell),
    measurements,
  );
  return pageDataOf(comparison, measurements, limit);
}

function firstOf(value: Measurement) {
  const [first] = dataOf([value]).cells;
  if (first === undefined) throw new Error("a planned cell is on the page");
  return first;
}

describe("a head alone", () => {
  const made = firstOf(measurement({ arm: { connections: 8, sqlStatements: 20_000 } }));

  test("is said in words and figures", () => {
    expect(made).toMatchObject({
      endpoint: "/health",
      workers: 1,
      load: "8 VUs for 10 s",
      state: "not compared",
      tone: "plain",
      reason: "",
      effectText: "",
      gates: [],
      replicates: [],
      looks: [],
      diagnosis: {},
    });
    expect(made.effect).toBeUndefined();
    expect(Object.keys(made.arms)).toEqual(["head"]);
    expect(made.arms.head?.figures).toEqual([
      ["Requests", 10_000],
      ["Failed requests", 0],
      ["Latency p50 [ms]", expect.closeTo(7, 0)],
      ["Latency p95 [ms]", expect.closeTo(15, 0)],
      ["Latency p99 [ms]", expect.closeTo(31, 0)],
      ["CPU per request [ms]", 0.9],
      ["SQL statements per request", 2],
      ["Size of a response [bytes]", 187],
      ["Data per second [bytes]", 187_000],
      ["Peak memory [MB]", 84.2],
      ["Database connections", 8],
    ]);
  });

  test("has a curve that ends where requests do, and bars of all of them", () => {
    const { latency = [], histogram, openLatency } = made.arms.head ?? {};
    expect(latency).toHaveLength(61); // 10,000 requests reach p99.9
    expect(latency).toEqual(latency.toSorted((a, b) => a - b));
    const shares = histogram?.bars.map(([, share]) => share) ?? [];
    expect(shares.reduce((all, share) => all + share, 0)).toBeCloseTo(1, 3);
    expect(openLatency).toEqual([]);
    const few = firstOf(measurement({ arm: { latency: latencyOf(100) } }));
    expect(few.arms.head?.latency).toHaveLength(41); // 100 requests reach p99
  });

  test("has bars as fine as the spread allows, and none without a latency", () => {
    const histogramOf = (latency: Histogram) =>
      firstOf(measurement({ arm: { latency } })).arms.head?.histogram;
    const narrow = histogramOf({ buckets: [461, 462, 465], counts: [2, 6, 2] }); // 100 to 105 ms
    expect(narrow?.ratio).toBeCloseTo(growth);
    expect(narrow?.bars.map(([, share]) => share)).toEqual([0.2, 0.6, 0.2]);
    const far = histogramOf({ buckets: [1, 2, 5_000], counts: [2, 1, 1] });
    expect(far?.bars.map(([, share]) => share)).toEqual([0.75, 0.25]);
    expect(histogramOf({ buckets: [], counts: [] })).toBeUndefined();
  });

  test("has a point for each block, neighbours added up where there are many", () => {
    const [series] = made.arms.head?.series ?? [];
    expect(series?.points[0]).toEqual([0.5, 1_000, 9.08, 40, 0]);
    expect(series).toMatchObject({
      replicate: 1,
      startSeconds: 0,
      endSeconds: 10,
      memoryMb: 84.2,
      cpus: 0.9,
    });
    const block = { seconds: 1, requests: 100, failures: 1, latencyTotalMs: 500, latencyMaxMs: 9 };
    const blocks = Array.from({ length: 250 }, (_, startSeconds) => ({ ...block, startSeconds }));
    const [long] = firstOf(measurement({ arm: { blocks } })).arms.head?.series ?? [];
    expect(long?.points).toHaveLength(84);
    expect(long?.points[0]).toEqual([1.5, 100, 5, 9, 3]);
    expect(long?.points.at(-1)?.[4]).toBe(1);
  });

  test("says nothing of what nobody recorded", () => {
    const { cpuSeconds: _, peakMemoryBytes: __, ...bare } = armRecord();
    const value = measurement();
    const idle = {
      startSeconds: 0,
      seconds: 1,
      requests: 0,
      failures: 0,
      latencyTotalMs: 0,
      latencyMaxMs: 0,
    };
    const replicates = value.replicates.map((each) => ({
      ...each,
      arms: { head: { ...bare, blocks: [idle, ...bare.blocks] } },
    }));
    const [series] = firstOf({ ...value, replicates }).arms.head?.series ?? [];
    expect([series?.cpus, series?.memoryMb, series?.disturbance]).toEqual([undefined, undefined, {}]);
    expect(series?.points[0]?.[2]).toBe(0);
  });
});

describe("base and head", () => {
  const { plan, measurements } = recording("shop");
  const data = pageDataOf(compare(plan, measurements), measurements);
  const [orders] = data.cells;

  test("has both arms, each replicate's effect and what was known at the looks", () => {
    expect(data.minChange).toBe(0.05);
    expect(orders).toMatchObject({ state: "slower", tone: "bad" });
    expect(Object.keys(orders?.arms ?? {})).toEqual(["base", "head"]);
    expect(orders?.replicates).toHaveLength(4);
    expect(orders?.looks.map(({ replicates }) => replicates)).toEqual([4]);
    expect(data.cells[1]?.looks.map(({ replicates }) => replicates)).toEqual([4, 5]);
    const [value = 0, low = 0, high = 0] = orders?.looks[0]?.effect ?? [];
    expect(low).toBeLessThan(value);
    expect(high).toBeLessThan(0);
    expect(orders?.gates.map(({ name }) => name)).toContain("generator");
    expect(orders?.arms.head?.openLatency.length).toBeGreaterThan(30);
    expect(Object.keys(orders?.arms.head?.series[0]?.disturbance ?? {})).toEqual([
      "k6",
      "hypervisor",
      "other processes",
    ]);
  });

  test("replicates follow each other in time", () => {
    const series = orders?.arms.base?.series ?? [];
    expect(series.map(({ replicate }) => replicate)).toEqual([1, 2, 3, 4]);
    for (const [index, each] of series.entries())
      expect(each.startSeconds).toBe(index === 0 ? 0 : series[index - 1]?.endSeconds);
  });

  test("with a single replicate there is no look, and an arm may lack in a replicate", () => {
    const single = measurements.map((each) => ({ ...each, replicates: each.replicates.slice(0, 1) }));
    const [first] = pageDataOf(compare(plan, single), single).cells;
    expect([first?.replicates.length, first?.looks]).toEqual([1, []]);
    const [source] = measurements;
    if (source === undefined) throw new Error("the shop has cells");
    const halves = source.replicates.map((each, index): Replicate => {
      const { head, base } = each.arms;
      return index === 1 && base ? { ...each, arms: { base } } : { ...each, arms: { ...(head && { head }) } };
    });
    const halved = [{ ...source, replicates: halves }];
    const [half] = pageDataOf(compare(plan, halved), halved).cells;
    expect(half?.arms.head?.series.map(({ replicate }) => replicate)).toEqual([1, 3, 4]);
  });
});

test("no percentile exceeds the maximum, and no first byte comes after the mean", () => {
  const latencies = fc.array(fc.double({ min: 0.5, max: 20_000, noNaN: true }), {
    minLength: 1,
    maxLength: 60,
  });
  const record = fc.record({ latencies, firstByteShare: fc.double({ min: 0, max: 1, noNaN: true }) });
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 3 }), fc.boolean(), (replicates, isLateReply) => {
      const value = measurement();
      const [pattern] = value.replicates;
      if (pattern === undefined) throw new Error("a measurement has a replicate");
      const measured = replicates.map(({ latencies: all, firstByteShare }) => {
        // A reply after the end is in the histogram and in no block.
        const inTime = isLateReply && all.length > 1 ? all.slice(1) : all;
        const total = inTime.reduce((sum, each) => sum + each, 0);
        const block = {
          ...{ startSeconds: 0, seconds: 1, requests: inTime.length, failures: 0 },
          ...{ latencyTotalMs: total, latencyMaxMs: Math.max(...inTime) },
        };
        const latency = bucketsOf(all.map((ms) => Math.ceil(Math.log(ms) / Math.log(growth))));
        const mean = all.reduce((sum, each) => sum + each, 0) / all.length;
        const head = armRecord({ latency, blocks: [block], statuses: { "200": all.length } });
        return { ...pattern, arms: { head: { ...head, firstByteMs: mean * firstByteShare } } };
      });
      const comparison = comparisonOf([value.cell], [{ ...value, replicates: measured }]);
      const { latencyMs, firstByteMs = 0 } = comparison.rows[0]?.arms.head ?? {};
      const { mean = 0, p50 = 0, p90 = 0, p95 = 0, p99 = 0, max = 0 } = latencyMs ?? {};
      const rising = [p50, p90, p95, p99, max];
      expect(rising).toEqual(rising.toSorted((a, b) => a - b));
      expect(firstByteMs).toBeLessThanOrEqual(mean);
      expect(mean).toBeLessThanOrEqual(max * (1 + 1e-9));
      const [shown] = pageDataOf(comparison, [{ ...value, replicates: measured }]).cells;
      expect(Math.max(...(shown?.arms.head?.latency ?? []))).toBeLessThanOrEqual(max * 1.001); // four digits
    }),
  );
});

test("an invalid cell without any effect has none, and says why", () => {
  const long = oneSided();
  const plan = { schemaVersion: 1 as const, cells: [long.cell], design: design() };
  const [only] = pageDataOf(compare(plan, [long]), [long]).cells;
  expect(only).toMatchObject({ state: "invalid", tone: "doubt", effectText: "", replicates: [], looks: [] });
  expect(only?.effect).toBeUndefined();
  expect(only?.reason).toContain("requests that take 4.93 s are too long for slices of 2.50 s");
});

test("says why a cell has no figures", () => {
  const lone = { kind: "added", reason: "the base returns 404", logTail: "" } as const;
  const [failed, missing, added] = dataOf([
    measurement({ status: "failed", failure: failure() }),
    { ...measurement({ cell: cell({ workers: 2 }) }), replicates: [] },
    measurement({ cell: cell({ workers: 3 }), loneArm: lone }),
  ]).cells;
  expect(failed).toMatchObject({ state: "failed", tone: "problem", arms: {} });
  expect(failed?.reason).toContain("exited with code 3");
  expect(missing?.arms).toEqual({});
  expect(added).toMatchObject({ state: "new", reason: "the base returns 404" });
});

test("says what is counted otherwise whatever the verdict is, and shortens its cell last", () => {
  const [quiet, counted] = [cell({ path: "/quiet" }), cell({ path: "/counted" })].map((at) =>
    row({ cell: at }),
  );
  const { base, head } = counted?.arms ?? {};
  if (quiet === undefined || counted === undefined || base === undefined || head === undefined)
    throw new Error("both cells are compared");
  const arms = { base: { ...base, statementsPerRequest: 3 }, head: { ...head, statementsPerRequest: 13 } };
  const comparison = comparedOf([quiet, { ...counted, arms }]);
  const said = "Each request runs 13 SQL statements instead of 3.";
  const { cells } = pageDataOf(comparison, []);
  expect(cells.map(({ reason }) => reason)).toEqual(["", said]);
  const limit = JSON.stringify(cells[1]).length + 20;
  expect(pageDataOf(comparison, [], limit).cells.map(({ isShortened }) => isShortened)).toEqual([
    true,
    undefined,
  ]);
  const noisy = {
    ...counted,
    arms,
    versus: versus({ verdict: { kind: "inconclusive", reason: "too noisy" } }),
  };
  expect(pageDataOf(comparedOf([noisy]), []).cells[0]?.reason).toBe(`too noisy. ${said}`);
});

test("tells findings with their lines, in the repository where they are in it", () => {
  const place = { file: "app/x.py", line: 3, function: "read", code: "time.sleep(1)" };
  const { place: _, ...everywhere } = foundCause({});
  const { diagnosis } = firstOf(
    measurement({
      diagnosis: {
        head: {
          findings: [
            foundCause({ place, path: "api/app/x.py", isInDiff: true }),
            foundCause({ place }),
            everywhere,
          ],
          unseen: ["a \u202e thing"],
        },
        base: { unseen: [] },
      },
    }),
  );
  expect(diagnosis.head?.findings.map((each) => [each.place?.at, each.isInDiff])).toEqual([
    ["api/app/x.py:3", true],
    ["app/x.py:3", false],
    [undefined, false],
  ]);
  expect(diagnosis.head?.findings[0]?.evidence).toContain("predicted");
  expect(diagnosis.head?.unseen).toEqual(["a ⟨U+202E⟩ thing"]);
  expect(diagnosis.base).toEqual({ findings: [], unseen: [], time: [], stalls: [], statements: [] });
});

test("has the curve of an endpoint with five worker counts", () => {
  const { plan, measurements } = recording("workers");
  const { laws } = pageDataOf(compare(plan, measurements), measurements);
  expect(laws).toMatchObject([{ endpoint: "/async_select?user_id=1" }]);
  expect(laws[0]?.rate).toBeGreaterThan(100);
  expect(dataOf([measurement()]).laws).toEqual([]);
  expect(dataOf([measurement(), measurement({ cell: cell({ workers: 2 }) })]).laws).toEqual([]);
});

test("leaves out details where they would be too long, those of cells that say nothing first", () => {
  const { plan, measurements } = recording("shop");
  const all = pageDataOf(compare(plan, measurements), measurements);
  expect(all.leftOut).toBe(0);
  const size = JSON.stringify(all.cells[0]).length;
  const short = pageDataOf(compare(plan, measurements), measurements, size * 1.1);
  expect(short.leftOut).toBe(2);
  expect(short.cells[0]).toEqual(all.cells[0]);
  expect(short.cells[1]).toMatchObject({ isShortened: true, gates: [], looks: [] });
  expect(short.cells[1]?.arms.head).toMatchObject({ series: [], latency: [], figures: expect.any(Array) });
  expect(
    dataOf([measurement(), measurement({ status: "failed", failure: failure() })], 0).cells[0]?.arms,
  ).toEqual({});
  expect(
    dataOf([measurement({ cell: makeCell({ ...cell(), workers: 2 }) })], 0).cells[0]?.arms.base,
  ).toBeUndefined();
});

test("tells where a request's time goes, what held the loop, and the statements", () => {
  const parts = {
    ...{ total: 20, cpu: 1, blocked: 12, loopWait: 3, threadWait: 0, poolWait: 0 },
    ...{ connect: 0, database: 4, elsewhere: 0, inThreads: 0 },
  };
  const place = { file: "app/x.py", line: 3, function: "read", code: "time.sleep(1)" };
  const amount = { count: 200, totalMs: 400, longestMs: 9 };
  const seen = {
    requests: 100,
    partsMs: parts,
    stalls: [{ ...amount, place, cpuMs: 1 }],
    statements: [{ ...amount, text: "SELECT\u202e 1" }],
  };
  const { diagnosis } = firstOf(measurement({ diagnosis: { head: { findings: [], unseen: [], seen } } }));
  expect(diagnosis.head?.time).toContainEqual(["blocking the event loop", 12]);
  expect(diagnosis.head?.time).toHaveLength(8);
  expect(diagnosis.head?.stalls).toMatchObject([
    { place: { at: "app/x.py:3" }, perRequest: 2, meanMs: 2, longestMs: 9 },
  ]);
  expect(diagnosis.head?.statements).toMatchObject([{ text: "SELECT⟨U+202E⟩ 1", perRequest: 2 }]);
});

describe("flame graphs", () => {
  const names = [
    "request",
    "app/\u202eprice.py:quote",
    ...Array.from({ length: 500 }, (_, n) => `function ${n}`),
  ];
  const flame = {
    names,
    nodes: names.map((_, n): [number, number, number, null] => [n === 0 ? 0 : 1, n, 1, null]),
  };
  const one = (path: string) =>
    measurement({ cell: cell({ path }), diagnosis: { head: { findings: [], unseen: [], flame } } });
  const all = [one("/a"), one("/b")];
  const sizes = (limit?: number) =>
    dataOf(all, limit).cells.map(({ diagnosis, isShortened }) =>
      isShortened ? "shortened" : (diagnosis.head?.flame?.nodes.length ?? "no flame"),
    );
  const sizeOfAll = JSON.stringify(dataOf(all).cells).length;
  const sizeOfFlame = JSON.stringify(flame).length;

  test("are on the page, with every character of their names to be seen", () => {
    expect(sizes()).toEqual([502, 502]);
    expect(dataOf(all).cells[0]?.diagnosis.head?.flame?.names[1]).not.toContain("\u202e");
  });

  test("are the first to go where the page would get too long", () => {
    expect(sizes(sizeOfAll - sizeOfFlame)).toEqual([502, "no flame"]);
    expect(sizes(sizeOfAll - 2 * sizeOfFlame)).toEqual(["no flame", "no flame"]);
    expect(dataOf(all, sizeOfAll - 2 * sizeOfFlame).leftOut).toBe(0);
  });
});
