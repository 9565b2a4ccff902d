import { expect, test } from "vitest";

import { scriptIn } from "../../src/compare/script-runs.ts";
import type { ScriptResults } from "../../src/model/measurement/generator.ts";
import { measurement } from "../fixtures/measurement.ts";
import { replicate } from "./two-arms.ts";

const results = (meanMs: number, passes: number, isKept = true): ScriptResults => ({
  checks: [{ group: "::list", name: "is 200", passes, fails: 10 - passes }],
  groups: [{ name: "::list", count: 10, meanMs, p95Ms: 2 * meanMs }],
  requests: [
    { name: "GET /", count: 10, meanMs, p95Ms: 2 * meanMs },
    { name: `GET /${passes}`, count: 1, meanMs: 0, p95Ms: 0 },
  ],
  metrics: [{ name: "orders", values: { count: passes } }],
  thresholds: [
    { metric: "http_req_duration", condition: "p(95)<1", isKept, value: meanMs },
    { metric: "orders", condition: "count>3", isKept: true },
  ],
});

/** Replicates in which the base takes 10 ms and the head as long as this. */
const runs = (...headMs: readonly number[]) =>
  measurement({
    replicates: headMs.map((ms, index) =>
      replicate({ scripts: { base: results(10, 10), head: results(ms, 8, index > 0) } }),
    ),
  });

test("all runs of an arm are one result", () => {
  const { script, scriptChange } = scriptIn(runs(12, 14, 16));
  expect(script).toEqual({
    checks: [{ group: "::list", name: "is 200", passes: 24, fails: 6 }],
    groups: [{ name: "::list", count: 30, meanMs: 14, p95Ms: 28 }],
    requests: [
      { name: "GET /", count: 30, meanMs: 14, p95Ms: 28 },
      { name: "GET /8", count: 3, meanMs: 0, p95Ms: 0 },
    ],
    metrics: [{ name: "orders", values: { count: 8 } }],
    thresholds: [
      { metric: "http_req_duration", condition: "p(95)<1", isKept: true, value: 14 },
      { metric: "orders", condition: "count>3", isKept: true },
    ],
  });
  expect(scriptChange?.base.checks).toEqual([{ group: "::list", name: "is 200", passes: 30, fails: 0 }]);
});

test("a threshold that most runs have crossed is broken", () => {
  expect(scriptIn(runs(12)).script?.thresholds.map(({ isKept }) => isKept)).toEqual([false, true]);
});

test("times change by the ratio of the runs, where both arms have them", () => {
  const { changes } = scriptIn(runs(12, 12, 12)).scriptChange ?? {};
  expect(changes).toEqual(
    ["requests", "groups"].map((of) => ({
      of,
      name: of === "groups" ? "::list" : "GET /",
      effect: { value: expect.closeTo(0.2, 6), interval: expect.anything() },
    })),
  );
});

test("a single run stays as it is, and there may be none", () => {
  const only = results(10, 10);
  const { requests: _, ...plain } = only;
  expect(scriptIn(measurement({ replicates: [replicate({ script: only })] }))).toEqual({ script: only });
  expect(scriptIn(measurement())).toEqual({});
  const [both] = [{ base: plain, head: plain }];
  const made = scriptIn(measurement({ replicates: [replicate({ scripts: both })] }));
  expect(made.script).toEqual(plain);
  expect(made.scriptChange?.changes.map(({ of }) => of)).toEqual(["groups"]);
});
