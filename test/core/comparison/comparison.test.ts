import { describe, expect, test } from "vitest";

import { summarise } from "../../src/core/comparison/arm-summary.ts";
import { compare } from "../../src/core/comparison/comparison.ts";
import { histogramOf } from "../../src/core/load/histogram.ts";
import type { Plan } from "../../src/core/measurement/plan.ts";
import { armRecord, cell, failure, measurement } from "../fixtures/measurement.ts";

const planOf = (...cells: Plan["cells"]): Plan => ({ schemaVersion: 1, cells });

describe("compare", () => {
  test("keeps the plan's order, whatever the results' order", () => {
    const [a, b] = [cell({ path: "/a" }), cell({ path: "/b" })];
    const { rows } = compare(planOf(b, a), [measurement({ cell: a }), measurement({ cell: b })]);
    expect(rows.map((row) => [row.cell.endpoint.path, row.status])).toEqual([
      ["/b", "measured"],
      ["/a", "measured"],
    ]);
  });

  test("shows a planned cell without a result as missing", () => {
    const { rows } = compare(planOf(cell()), []);
    expect(rows).toMatchObject([{ status: "missing", arms: {} }]);
  });

  test("keeps the reason of a failed cell", () => {
    const why = failure({ reason: "port taken" });
    const { rows } = compare(planOf(cell()), [measurement({ status: "failed", failure: why })]);
    expect(rows).toMatchObject([{ status: "failed", failure: { reason: "port taken" }, arms: {} }]);
  });

  test("trusts neither of two results for one cell", () => {
    const { rows } = compare(planOf(cell()), [measurement(), measurement()]);
    expect(rows).toMatchObject([
      { status: "invalid", failure: { reason: "2 results claim this cell" }, arms: {} },
    ]);
  });

  test("leaves out a result that nobody planned, and says so", () => {
    const stranger = cell({ path: "/stranger" });
    const { rows, warnings } = compare(planOf(cell()), [measurement(), measurement({ cell: stranger })]);
    expect(rows).toHaveLength(1);
    expect(warnings).toEqual([`Left out a result for \`${stranger.id}\`, which is not in the plan.`]);
  });

  test("adds up dropped iterations and takes the commits from the first result that has them", () => {
    const open = measurement();
    const [replicate] = open.replicates;
    if (replicate === undefined) throw new Error("a measured cell has a replicate");
    const dropping = { ...replicate, generator: { ...replicate.generator, droppedIterations: 4 } };
    const comparison = compare(planOf(cell()), [{ ...open, replicates: [dropping, dropping] }]);
    expect(comparison.rows[0]?.droppedIterations).toBe(8);
    expect(comparison.commits).toEqual(open.commits);
    expect(compare(planOf(cell()), [measurement({ commits: {} })]).commits).toEqual({});
  });
});

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
      responseBytes: 100,
      peakMemoryBytes: 5,
    });
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

  test("is nothing when nothing was counted", () => {
    expect(summarise([])).toBeUndefined();
    expect(summarise([armRecord({ blocks: [{ ...block, requests: 0 }], statuses: {} })])).toBeUndefined();
  });
});
