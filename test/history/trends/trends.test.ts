import { expect, test } from "vitest";
import { fewestPoints } from "../../../src/history/trends/change-points.ts";
import { changesOf, openTrends, trendsOf } from "../../../src/history/trends/trends.ts";
import { commit, machineA, machineB, nights, textOf } from "./lines.ts";

const change = {
  series: 0,
  index: 5,
  meanBefore: 1_000,
  meanAfter: 900,
  sdBefore: 10,
  sdAfter: 12,
  pValue: 0.0001,
};
const answerOf = (...changes: readonly object[]) => ({
  kind: "answer" as const,
  text: JSON.stringify({ schemaVersion: 1, changes }),
});

test("each kind of machine and each figure is a series of its own", () => {
  const lines = nights(20, (night) => ({ machine: night % 2 === 0 ? machineA : machineB, p95Ms: null }));
  const { series, searched, question } = openTrends([textOf(lines)]);
  expect(series.map(({ fingerprint, metric, values }) => [fingerprint, metric.key, values.length])).toEqual(
    [machineA, machineB].flatMap(({ fingerprint }) =>
      ["throughputRequestsPerSecond", "p50Ms", "cpuPerRequestMs", "statementsPerRequest"].map((key) => [
        fingerprint,
        key,
        10,
      ]),
    ),
  );
  expect(JSON.parse(question ?? "")).toEqual({
    schemaVersion: 1,
    series: searched.map(({ values }) => values),
  });
});

test("a figure that some commits lack is a shorter series, and nothing is filled in", () => {
  const lines = nights(10, (night) => ({ p50Ms: night === 4 ? null : night }));
  const p50 = openTrends([textOf(lines)]).series.find(({ metric }) => metric.key === "p50Ms");
  expect(p50?.values).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9]);
});

test.for([
  [fewestPoints - 1, false],
  [fewestPoints, true],
] as const)("%i points are searched: %s", ([points, isSearched]) => {
  const open = openTrends([textOf(nights(points))]);
  expect(open.searched.length > 0).toBe(isSearched);
  expect(open.question === undefined).toBe(!isSearched);
});

test("an answer becomes change points, with the commits on both sides and the size of the levels", () => {
  const open = openTrends([textOf(nights(12))]);
  const trends = trendsOf(
    open,
    answerOf(
      change,
      { ...change, series: 1, index: 5, meanBefore: 4, meanAfter: 5 },
      { ...change, index: 9 },
    ),
  );
  const found = changesOf(trends).map(({ series, at, previous, before, after, isBetter, change: share }) => ({
    key: series.metric.key,
    commits: [previous.commit, at.commit],
    points: [before.points, after.points],
    isBetter,
    share,
  }));
  const key = "throughputRequestsPerSecond";
  const share = 900 / 1_000 - 1;
  expect(found).toEqual([
    { key, commits: [commit(8), commit(9)], points: [4, 3], isBetter: false, share },
    { key, commits: [commit(4), commit(5)], points: [5, 4], isBetter: false, share },
    { key: "p50Ms", commits: [commit(4), commit(5)], points: [5, 7], isBetter: false, share: 0.25 },
  ]);
});

test.for([
  ["more throughput", 0, 1, 2, true],
  ["less throughput", 0, 2, 1, false],
  ["more latency", 1, 1, 2, false],
  ["less latency", 1, 2, 1, true],
  ["more CPU", 3, 1, 2, false],
  ["fewer statements", 4, 3, 1, true],
] as const)("%s is better: %s", ([, series, meanBefore, meanAfter, isBetter]) => {
  const open = openTrends([textOf(nights(12))]);
  const [found] = changesOf(trendsOf(open, answerOf({ ...change, series, meanBefore, meanAfter })));
  expect(found?.isBetter).toBe(isBetter);
});

test("a change from nothing has no share", () => {
  const open = openTrends([textOf(nights(12))]);
  expect(changesOf(trendsOf(open, answerOf({ ...change, meanBefore: 0 })))[0]?.change).toBeUndefined();
});

test.for([
  ["another form", { ...change, extra: 1 }],
  ["a series that was not requested for", { ...change, series: 99 }],
  ["a point that is not there", { ...change, index: 12 }],
  ["the first point", { ...change, index: 0 }],
] as const)("an answer with %s is refused", ([, wrong]) => {
  const open = openTrends([textOf(nights(12))]);
  expect(() => trendsOf(open, answerOf(wrong))).toThrow();
});

test("no answer is not the same as no change", () => {
  const open = openTrends([textOf(nights(12))]);
  const trends = trendsOf(open, { kind: "no answer", reason: "no Python" });
  expect(trends.changePoints).toEqual({ kind: "not computed", reason: "no Python" });
  expect(changesOf(trends)).toEqual([]);
  expect(trendsOf(open, answerOf()).changePoints).toEqual({ kind: "found", changes: [] });
  expect(trendsOf(openTrends([textOf(nights(3))])).changePoints).toEqual({
    kind: "not computed",
    reason: "It takes 8 commits of one cell, measured on one kind of machine.",
  });
});
