import { expect, test } from "vitest";
import { readHistory } from "../../../src/history/trends/history.ts";
import { commit, line, machineA, machineB, nights, textOf } from "./lines.ts";

test("lines of a cell stand in the order in which they were measured, whatever their files are called", () => {
  const [first, second, third] = nights(3);
  const history = readHistory([third, first, second].map((each) => textOf([each ?? {}])));
  expect(history.trends.map(({ lines }) => lines.map((each) => each.commit))).toEqual([
    [commit(0), commit(1), commit(2)],
  ]);
  expect(history.commits).toBe(3);
});

test("two runs of one moment stand in the order of their ids", () => {
  const [first, second] = nights(2, () => ({ startedAt: "2026-01-01T00:00:00Z" }));
  const [trend] = readHistory([textOf([second ?? {}, first ?? {}])]).trends;
  expect(trend?.lines.map(({ runId }) => runId)).toEqual([100, 101]);
});

test("cells stand by report, app, endpoint and workers, each with the words of its newest line", () => {
  const cells = [
    { report: "default", app: null, endpoint: "/b", workers: 2, cell: "b2" },
    { report: "default", app: null, endpoint: "/b", workers: 1, cell: "b1" },
    { report: "api", app: "shop", endpoint: "/a", workers: 1, cell: "a1" },
    { report: "default", app: null, endpoint: "/a", workers: 1, cell: "a1" },
    { report: "api", app: "bill", endpoint: "/z", workers: 1, cell: "z1" },
  ];
  const { trends } = readHistory([textOf(cells.map((cell) => line(0, cell)))]);
  expect(trends.map(({ report, app, endpoint, workers }) => [report, app, endpoint, workers])).toEqual([
    ["api", "bill", "/z", 1],
    ["api", "shop", "/a", 1],
    ["default", null, "/a", 1],
    ["default", null, "/b", 1],
    ["default", null, "/b", 2],
  ]);
});

test("a commit that was measured twice has its last figures", () => {
  const again = line(0, { startedAt: "2026-02-01T00:00:00Z", p50Ms: 5 });
  const { trends, commits } = readHistory([textOf([again]), textOf(nights(2))]);
  expect(trends[0]?.lines.map(({ p50Ms }) => p50Ms)).toEqual([4, 5]);
  expect(commits).toBe(2);
});

test("machines stand in the order in which they first measured", () => {
  const lines = nights(5, (night) => ({ machine: night === 1 || night === 2 ? machineB : machineA }));
  const { machines } = readHistory([textOf(lines), textOf([line(0, { cell: "other" })])]);
  expect(machines).toEqual([
    { ...machineA, commits: 3 },
    { ...machineB, commits: 2 },
  ]);
});

test.for([
  [
    "one line of several",
    [textOf([line(0), { schemaVersion: 9 }], "a.jsonl")],
    "a.jsonl: 1 of 2 lines cannot",
  ],
  ["a whole file", [{ name: "b.jsonl", text: "<html>" }], "b.jsonl: its line cannot be read"],
  ["a file that was refused", [{ name: "c.jsonl", text: "", problem: "is a pipe" }], "c.jsonl is a pipe"],
] as const)("what cannot be used is told: %s", ([, texts, warning]) => {
  expect(readHistory(texts).warnings).toEqual([expect.stringContaining(warning)]);
});

test("of many files that cannot be used a few are named", () => {
  const texts = Array.from({ length: 9 }, (_, index) => ({ name: `${index}.jsonl`, text: "x" }));
  const { warnings } = readHistory(texts);
  expect(warnings).toHaveLength(6);
  expect(warnings.at(-1)).toBe("and 4 more files");
});

test("an empty history has nothing", () => {
  expect(readHistory([])).toEqual({ trends: [], machines: [], commits: 0, warnings: [] });
});
