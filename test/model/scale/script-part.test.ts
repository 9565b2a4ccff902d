import { describe, expect, test } from "vitest";

import { histogramOf } from "../../../src/model/load/histogram.ts";
import { mergeParts, type ScriptPart, scriptPartSchema } from "../../../src/model/scale/script-part.ts";

const nothing: ScriptPart = { checks: [], groups: [], requests: [], metrics: [], thresholds: [] };
const part = (name: string, buckets: readonly number[], totalMs = buckets.length, zeros = 0) => ({
  name,
  totalMs,
  latency: histogramOf(buckets),
  zeros,
});
const check = (name: string, passes: number, fails = 0, group = "") => ({ group, name, passes, fails });

/** The merged figures of one metric of the script's own. */
function valuesOf(...all: readonly Record<string, number>[]) {
  return mergeParts(all.map((values) => ({ ...nothing, metrics: [{ name: "m", values }] }))).metrics[0]
    ?.values;
}

test("checks are added up, of whichever part has them", () => {
  const { checks } = mergeParts([
    { ...nothing, checks: [check("a", 3, 1), check("a", 1, 0, "::g")] },
    { ...nothing, checks: [check("b", 5), check("a", 2, 2)] },
  ]);
  expect(checks).toEqual([check("a", 5, 3), check("a", 1, 0, "::g"), check("b", 5)]);
});

test("times of groups and requests: counts and means exactly, percentiles from all of them", () => {
  const fast = Array<number>(90).fill(10);
  const slow = Array<number>(10).fill(500);
  const { groups, requests } = mergeParts([
    {
      ...nothing,
      groups: [part("::g", fast, 900, 2)],
      requests: [part("GET /", [1]), part("GET /a", [1, 1])],
    },
    { ...nothing, groups: [part("::g", slow, 5_000)], requests: [part("GET /", [1, 1, 1])] },
  ]);
  expect(groups).toEqual([
    { name: "::g", count: 102, meanMs: 5_900 / 102, p95Ms: expect.closeTo(1.0100503 ** 500, -1) },
  ]);
  expect(requests?.map(({ name, count }) => [name, count])).toEqual([
    ["GET /", 4],
    ["GET /a", 2],
  ]);
});

describe("metrics of the script's own", () => {
  test.for([
    [
      "counters are added",
      [
        { count: 3, rate: 1 },
        { count: 4, rate: 9 },
      ],
      { count: 7 },
    ],
    [
      "rates come from passes and fails",
      [
        { passes: 1, fails: 0, value: 1 },
        { passes: 1, fails: 2, value: 1 / 3 },
      ],
      { passes: 2, fails: 2, value: 0.5 },
    ],
    [
      "rates of nothing have no value",
      [
        { passes: 0, fails: 0, value: 0 },
        { passes: 0, fails: 0, value: 0 },
      ],
      { passes: 0, fails: 0 },
    ],
    [
      "trends: ends, and the mean of all samples, but no percentile",
      [
        { avg: 10, min: 5, med: 9, max: 20, "p(95)": 19, count: 1 },
        { avg: 20, min: 7, med: 20, max: 30, "p(95)": 29, count: 3 },
      ],
      { avg: 17.5, min: 5, max: 30, count: 4 },
    ],
    [
      "a trend that one part alone has samples of keeps its figures",
      [
        { avg: 0, min: 0, max: 0, "p(95)": 0, count: 0 },
        { avg: 20, min: 7, max: 30, "p(95)": 29, count: 3 },
      ],
      { avg: 20, min: 7, max: 30, "p(95)": 29, count: 3 },
    ],
    [
      "a trend without samples",
      [
        { avg: 0, count: 0 },
        { avg: 0, count: 0 },
      ],
      { count: 0 },
    ],
    [
      "gauges have no last value in common",
      [
        { value: 7, min: 1, max: 9 },
        { value: 8, min: 2, max: 8 },
      ],
      { min: 1, max: 9 },
    ],
  ] as const)("%s", ([, all, merged]) => {
    expect(valuesOf(...all)).toEqual(merged);
  });
});

test("a threshold is kept if every part kept it, and has no figure", () => {
  const threshold = (metric: string, isKept: boolean) => ({ metric, condition: "count>3", isKept, value: 5 });
  expect(
    mergeParts([
      { ...nothing, thresholds: [threshold("a", true), threshold("b", true)] },
      { ...nothing, thresholds: [threshold("a", true), threshold("b", false)] },
    ]).thresholds,
  ).toEqual([
    { metric: "a", condition: "count>3", isKept: true },
    { metric: "b", condition: "count>3", isKept: false },
  ]);
});

test("what a full list may lack is left out, because nobody knows all of it", () => {
  const full = Array.from({ length: 500 }, (_, index) => part(`GET /${index}`, [1]));
  const { requests = [] } = mergeParts([
    { ...nothing, requests: full },
    { ...nothing, requests: [part("GET /other", [1, 1, 1]), part("GET /7", [1, 1])] },
  ]);
  expect(requests).toHaveLength(50);
  expect(requests[0]).toMatchObject({ name: "GET /7", count: 3 });
  expect(requests.map(({ name }) => name)).not.toContain("GET /other");
});

test("the document's form holds a part", () => {
  const whole = { ...nothing, groups: [part("::g", [1, 2], 3, 1)], checks: [check("a", 1)] };
  expect(scriptPartSchema.parse(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
});
