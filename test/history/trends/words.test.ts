import { expect, test } from "vitest";
import { trendsDataOf } from "../../../src/history/trends/page-data.ts";
import { changesOf, openTrends, trendsOf } from "../../../src/history/trends/trends.ts";
import { renderTrends } from "../../../src/history/trends/trends-page.ts";
import {
  acceptedWords,
  bisectCommand,
  changeWords,
  foundWords,
  levelWords,
  machineLetter,
  pValueWords,
  renderTrendsSummary,
  titleOf,
  trendName,
  trendsLines,
} from "../../../src/history/trends/words.ts";
import { line, machineA, machineB, nights, textOf, trendsWith, change as usual } from "./lines.ts";

const change = { ...usual, sdAfter: 1, pValue: 0.000_42 };

test.for([
  ["less throughput", { series: 0, meanAfter: 91.8 }, "▼ −8.2%, slower"],
  ["more throughput", { series: 0, meanAfter: 150 }, "▲ +50%, faster"],
  ["more latency", { series: 1, meanAfter: 250 }, "▲ +150%, slower"],
  ["less latency", { series: 2, meanAfter: 99.96 }, "▼ −0.04%, faster"],
  ["more CPU", { series: 3, meanAfter: 110 }, "▲ +10%, more"],
  ["fewer statements", { series: 4, meanAfter: 10 }, "▼ −90%, less"],
  ["far more statements", { series: 4, meanAfter: 9_000 }, "▲ over +1,000%, more"],
  ["statements where there were none", { series: 4, meanBefore: 0 }, "▲ from 0, more"],
] as const)("%s", ([, parts, words]) => {
  const [found] = changesOf(trendsWith(nights(12), { ...change, ...parts }));
  if (found === undefined) throw new Error("there is one change");
  expect(changeWords(found)).toBe(words);
});

const ends = "--good 0004ffffff --bad 0005ffffff";
test.for([
  ["of speed", 0, {}, `fastapi-loadtest bisect ${ends} --endpoint /orders`],
  [
    "of an app among several",
    0,
    { app: "shop" },
    `fastapi-loadtest bisect ${ends} --endpoint /orders --name shop`,
  ],
  [
    "of a hostile name",
    0,
    { endpoint: "/a'; id" },
    `fastapi-loadtest bisect ${ends} --endpoint '/a'\\''; id'`,
  ],
  ["of a name with a break", 0, { endpoint: "/a\n::error::x" }, undefined],
  ["of a name with an escape", 0, { endpoint: "/a\u001b[1m" }, undefined],
  ["of another figure", 3, {}, undefined],
] as const)("the command that finds the commit of a change %s", ([, series, parts, command]) => {
  const [found] = changesOf(
    trendsWith(
      nights(12, () => parts),
      { ...change, series },
    ),
  );
  if (found === undefined) throw new Error("there is one change");
  expect(bisectCommand(found)).toBe(command);
});

test.for([
  [0, "<0.00001"],
  [4.2e-10, "<0.00001"],
  [0.00042, "0.00042"],
  [0.0005, "0.0005"],
] as const)("p of %d reads %s", ([pValue, words]) => {
  const [found] = changesOf(trendsWith(nights(12), { ...change, pValue }));
  if (found === undefined) throw new Error("there is one change");
  expect(pValueWords(found)).toBe(words);
});

test("a level says its mean, how it scatters, and of how many", () => {
  expect(levelWords({ mean: 1_234.4, sd: 12.34, points: 14 })).toBe("1,234 ± 12.3 (14)");
});

test.for([
  ["a few points", nights(5), [], "too few points (5 of 8)"],
  ["enough points", nights(34), [], "none in 34 points"],
  ["a change", nights(12), [change], "1"],
  ["changes", nights(12), [change, { ...change, series: 1 }], "2"],
  [
    "two machines, of which one measured little",
    nights(30, (night) => ({ machine: night % 10 === 9 ? machineB : machineA })),
    [change],
    "A: 1; B: too few points (3 of 8)",
  ],
  [
    "no figure",
    nights(9, () => ({
      throughputRequestsPerSecond: null,
      p50Ms: null,
      p95Ms: null,
      cpuPerRequestMs: null,
      statementsPerRequest: null,
    })),
    [],
    "–",
  ],
] as const)("a cell with %s", ([, lines, changes, words]) => {
  const trends = trendsWith(lines, ...changes);
  const [trend] = trends.history.trends;
  if (trend === undefined) throw new Error("there is one cell");
  expect(foundWords(trend, trends)).toBe(words);
});

test("nobody reads that nothing was found where nobody looked", () => {
  const trends = trendsOf(openTrends([textOf(nights(12))]), { kind: "no answer", reason: "no Python" });
  const [trend] = trends.history.trends;
  if (trend === undefined) throw new Error("there is one cell");
  expect(foundWords(trend, trends)).toBe("not computed");
  expect(titleOf(trends)).toBe("Load test trends – 1 cell, 12 commits, change points not computed");
  expect(titleOf(trendsWith(nights(12), change))).toBe(
    "Load test trends – 1 cell, 12 commits, 1 change point",
  );
});

test("names have the report where there are several, and the app where there is one", () => {
  const { history } = trendsWith([line(0), line(0, { cell: "x", app: "shop", workers: 4 })]);
  expect(history.trends.map((trend) => trendName(trend, history))).toEqual([
    "/orders, 1 worker",
    "shop: /orders, 4 workers",
  ]);
  const several = trendsWith([line(0), line(0, { report: "api", app: "shop" })]).history;
  expect(several.trends.map((trend) => trendName(trend, several))).toEqual([
    "api: shop: /orders, 1 worker",
    "default: /orders, 1 worker",
  ]);
});

test.for([
  [
    "whose load changed half-way",
    ["get-orders-w1-0123abcd", "get-orders-w1-89ab4567"],
    ["/orders, 1 worker (cell 0123abcd)", "/orders, 1 worker (cell 89ab4567)"],
  ],
  [
    "whose ids end alike",
    ["a-0123abcd", "b-0123abcd"],
    ["/orders, 1 worker (cell a-0123abcd)", "/orders, 1 worker (cell b-0123abcd)"],
  ],
] as const)("cells of the same words %s have their ids", ([, [first, second], names]) => {
  const other = line(9, { cell: "get-items-w1-0123abcd", endpoint: "/items" });
  const lines = nights(4, (night) => ({ cell: night < 2 ? first : second }));
  const { history } = trendsWith([...lines, other]);
  const [alone, ...alike] = history.trends.map((trend) => trendName(trend, history));
  expect(alone).toBe("/items, 1 worker");
  expect(alike.toSorted()).toEqual(names);
});

test("machines beyond the alphabet have numbers", () => {
  const lines = nights(30, (night) => ({
    machine: { ...machineA, fingerprint: night.toString(16).padStart(8, "0") },
  }));
  const { history } = trendsWith(lines);
  const letters = history.machines.map(({ fingerprint }) => machineLetter(fingerprint, history));
  expect([letters[0], letters[25], letters[26], letters[29]]).toEqual(["A", "Z", "27", "30"]);
});

test("a change that was accepted says so, everywhere", () => {
  const accepted = { by: "ana", reason: "a check of every line", url: "https://x/1" };
  const trends = trendsWith(
    nights(12, (night) => (night === 5 ? { accepted } : {})),
    { ...change, index: 5 },
  );
  const [found] = changesOf(trends);
  if (found === undefined) throw new Error("there is a change point");
  expect(acceptedWords(found)).toBe("accepted by ana: a check of every line");
  expect(renderTrends(trends)).toContain("accepted by ana: a check of every line");
  expect(renderTrendsSummary(trends)).toContain("accepted by ana: a check of every line");
  expect(trendsLines(trends)[1]).toContain(", accepted by ana: a check of every line");
  expect(trendsDataOf(trends).cells[0]?.changes[0]?.text).toContain(", accepted by ana");
  expect(acceptedWords({ at: { ...found.at, accepted: null } })).toBe("");
});
