import { expect, test } from "vitest";
import { judge } from "../../src/compare/compare.ts";
import { phases } from "../../src/errors/errors.ts";
import type { Measurement } from "../../src/model/measurement/measurement.ts";
import { usualCheck } from "../../src/model/thresholds/threshold.ts";
import { plainText } from "../../src/report/document/inline.ts";
import { problemWords } from "../../src/report/facts/absences.ts";
import { headline } from "../../src/report/facts/headline.ts";
import { resultLine } from "../../src/report/progress/cell-progress.ts";
import { armRecord, cell, failure, measurement } from "../fixtures/measurement.ts";
import { comparisonOf, grid } from "../report/example.ts";

test.for([
  [grid(1), "1 cell measured"],
  [grid(8), "8 cells measured"],
  [
    grid(8, undefined, (_, index) => (index === 3 ? { status: "failed", failure: failure() } : {})),
    "7 of 8 cells measured: 1 failed",
  ],
  [grid(2, undefined, () => ({ status: "cancelled" })), "0 of 2 cells measured: 2 cancelled"],
  [comparisonOf([cell()], [measurement({ replicates: [] })]), "0 of 1 cell measured: 1 invalid"],
  [judge({ design: undefined, check: usualCheck, rows: [], commits: {}, warnings: [] }), "0 cells measured"],
] as const)("case %#: %s", ([comparison, expected]) => {
  expect(plainText(headline(comparison))).toBe(expected);
});

test.for<readonly [name: string, overrides: Partial<Measurement>, expected: string]>([
  ["failed", { status: "failed" }, "failed: no reason was given"],
  ["cancelled", { status: "cancelled" }, "cancelled: stopped before it was complete"],
  [
    "cancelled under load",
    { status: "cancelled", failure: failure({ phase: "load", reason: "Ctrl-C" }) },
    "cancelled under load: Ctrl-C",
  ],
  ["without a request", { replicates: [] }, "invalid: no request was counted"],
])("a cell %s says so", ([, overrides, expected]) => {
  const problems = comparisonOf([cell()], [measurement(overrides)]).rows.map(({ problem }) => problem);
  expect(problems.map((problem) => problem && problemWords(problem))).toEqual([expected]);
});

test("says in words what was under way", () => {
  const words = phases.map((phase) =>
    resultLine(measurement({ status: "failed", failure: failure({ phase, reason: "x" }) })),
  );
  expect(words).toMatchInlineSnapshot(`
    [
      "/health, 1 worker: failed while installing the app: x",
      "/health, 1 worker: failed while starting Postgres: x",
      "/health, 1 worker: failed while seeding the database: x",
      "/health, 1 worker: failed while copying the database: x",
      "/health, 1 worker: failed while starting the app: x",
      "/health, 1 worker: failed while logging in: x",
      "/health, 1 worker: failed before the load: x",
      "/health, 1 worker: failed while warming up: x",
      "/health, 1 worker: failed under load: x",
      "/health, 1 worker: failed while reading the results: x",
      "/health, 1 worker: failed while writing the results: x",
    ]
  `);
});

test.for([
  [measurement(), "/health, 1 worker: 1,000 ± 11 req/s, p95 15.0 ms"],
  [
    measurement({ cell: cell({ endpoint: { method: "POST", path: "/orders" }, workers: 4 }) }),
    "POST /orders, 4 workers: 1,000 ± 11 req/s, p95 15.0 ms",
  ],
  [
    measurement({
      arm: armRecord({
        blocks: [
          { startSeconds: 0, seconds: 1, requests: 10, failures: 4, latencyTotalMs: 80, latencyMaxMs: 9 },
        ],
        statuses: { "200": 6, "500": 3, "error 1212": 1 },
      }),
    }),
    "/health, 1 worker: 10.0 req/s, p95 15.0 ms, failed: 4 of 10 (3 × 500, 1 × connection refused)",
  ],
] as const)("case %#: %s", ([measured, expected]) => {
  expect(resultLine(measured)).toBe(expected);
});
