import { describe, expect, test } from "vitest";

import { K6SummaryError, parseK6Summary } from "../../../src/model/load/k6-summary.ts";
import { loadSummary, parseScriptSummary, shortTimes } from "../../../src/model/load/script-summary.ts";

const check = (name: string, path: string, passes: number, fails: number) => ({
  name,
  path,
  id: "x",
  passes,
  fails,
});
/** As k6 2.2.0 writes it with `--summary-export`. */
const written = {
  root_group: {
    name: "",
    path: "",
    checks: { top: check("top", "::top", 2, 0) },
    groups: {
      list: {
        name: "list",
        path: "::list",
        checks: { "is 200": check("is 200", "::list::is 200", 19, 1) },
        groups: {},
      },
    },
  },
  metrics: {
    http_reqs: { count: 40, rate: 20 },
    http_req_failed: { passes: 3, fails: 37, value: 0.075 },
    iterations: { count: 20, rate: 10 },
    http_req_duration: { avg: 2, "p(95)": 5.5, thresholds: { "p(95)<1": true, "p(99.9)<9": false } },
    "http_req_duration{group:::list}": { max: 7, thresholds: { "max<9": false } },
    checks: { passes: 21, fails: 1, value: 0.95, thresholds: { "rate>0.9": false } },
    orders: { count: 20, rate: 10, thresholds: { "count>3": false } },
    wait: { avg: 1, "p(95)": 2, "a name that is far too long": 1, text: "x" },
    vus: { value: 2, min: 2, max: 2 },
  },
};
const text = JSON.stringify(written);

describe("the summary of a script", () => {
  const times = {
    groups: [{ name: "::list", count: 1, meanMs: 1, p95Ms: 1 }],
    requests: [{ name: "GET /", count: 2, meanMs: 1, p95Ms: 1 }],
  };
  const { results, summary } = parseScriptSummary(text, times, { failures: 3 });

  test("has its checks, groups and metrics", () => {
    expect(results.checks).toEqual([
      { group: "", name: "top", passes: 2, fails: 0 },
      { group: "::list", name: "is 200", passes: 19, fails: 1 },
    ]);
    expect(results.groups).toEqual([{ name: "::list", count: 1, meanMs: 1, p95Ms: 1 }]);
    expect(results.metrics).toEqual([
      { name: "orders", values: { count: 20, rate: 10 } },
      { name: "wait", values: { avg: 1, "p(95)": 2 } },
    ]);
  });

  test("has its thresholds, each with the figure that it is about", () => {
    expect(results.thresholds).toEqual([
      { metric: "http_req_duration", condition: "p(95)<1", isKept: false, value: 5.5 },
      { metric: "http_req_duration", condition: "p(99.9)<9", isKept: true },
      { metric: "http_req_duration{group:::list}", condition: "max<9", isKept: true, value: 7 },
      { metric: "checks", condition: "rate>0.9", isKept: true, value: 0.95 },
      { metric: "orders", condition: "count>3", isKept: true, value: 20 },
    ]);
  });

  test("is as ours to those who count requests", () => {
    expect(parseK6Summary(summary)).toEqual({
      ...{ requests: 40, failures: 3, iterations: 20, droppedIterations: 0, durationSeconds: 2 },
    });
  });

  test("may be of a script that did nothing", () => {
    const nothing = {
      root_group: { path: "", checks: {}, groups: {} },
      metrics: { odd: { thresholds: { "???": true } } },
    };
    const { results: none, summary: empty } = parseScriptSummary(
      JSON.stringify(nothing),
      { groups: [] },
      { failures: 0 },
    );
    expect(none.thresholds).toEqual([{ metric: "odd", condition: "???", isKept: false }]);
    expect(parseK6Summary(empty)).toMatchObject({ requests: 0, durationSeconds: 0 });
  });

  test.for([["{"], ["{}"], ['{"metrics": {}, "root_group": {"path": 1}}']])(
    "is refused: %s",
    ([broken = ""]) => {
      expect(() => parseScriptSummary(broken, { groups: [] }, { failures: 0 })).toThrow(K6SummaryError);
    },
  );
});

test("names of another tool are cut to what a document may have", () => {
  const long = { name: "x".repeat(300), count: 1, meanMs: 1, p95Ms: 1 };
  const { groups, requests } = shortTimes({ groups: [long], requests: [long] });
  expect([groups?.[0]?.name.length, requests?.[0]?.name.length]).toEqual([200, 200]);
  expect(shortTimes({ groups: [] })).toEqual({ groups: [] });
});

test("counts of another tool are read like k6's", () => {
  const summary = loadSummary({ requests: 5, failures: 2, seconds: 1.5 });
  expect(parseK6Summary(summary)).toMatchObject({
    ...{ requests: 5, failures: 2, iterations: 0, droppedIterations: 0, durationSeconds: 1.5 },
  });
});
