import { describe, expect, test } from "vitest";

import { compare } from "../../src/compare/compare.ts";
import { endpointLabel } from "../../src/model/endpoint/endpoint.ts";
import { histogramOf } from "../../src/model/load/histogram.ts";
import type { Plan } from "../../src/model/plan/plan.ts";
import { cell, details, failure, measurement } from "../fixtures/measurement.ts";
import { around, compared, design } from "./two-arms.ts";

const planOf = (...cells: Plan["cells"]): Plan => ({ schemaVersion: 1, cells });

describe("compare", () => {
  test("keeps the plan's order, whatever the results' order", () => {
    const [a, b] = [cell({ path: "/a" }), cell({ path: "/b" })];
    const { rows } = compare(planOf(b, a), [measurement({ cell: a }), measurement({ cell: b })]);
    expect(rows.map((row) => [endpointLabel(row.cell.endpoint), row.status])).toEqual([
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
      { status: "invalid", failure: { reason: "2 results claim to belong to this cell" }, arms: {} },
    ]);
  });

  test("leaves out a result that nobody planned, and says so", () => {
    const stranger = cell({ path: "/stranger" });
    const { rows, warnings } = compare(planOf(cell()), [measurement(), measurement({ cell: stranger })]);
    expect(rows).toHaveLength(1);
    expect(warnings).toEqual([`Ignored a result for \`${stranger.id}\`, which is not in the plan.`]);
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

test("adds up what was dropped at the rate that two arms got", () => {
  const made = compared(around(0, 0.001, 4));
  const latency = histogramOf([100]);
  const phase = { latency, requests: 1, failures: 0 };
  const replicates = made.replicates.map((each, index) =>
    index < 2
      ? { ...each, open: { requestsPerSecond: 9, droppedIterations: 3, arms: { base: phase, head: phase } } }
      : each,
  );
  expect(compare(planOf(cell()), [made]).rows[0]?.droppedIterations).toBe(0);
  expect(compare(planOf(cell()), [{ ...made, replicates }]).rows[0]?.droppedIterations).toBe(6);
});

test("k6's own figures come along where they were asked for", () => {
  const plain = measurement();
  expect(compare(planOf(cell()), [plain]).rows[0]?.details).toBeUndefined();
  const [replicate] = plain.replicates;
  if (replicate === undefined) throw new Error("a measured cell has a replicate");
  const detailed = { ...replicate, generator: { ...replicate.generator, details } };
  expect(compare(planOf(cell()), [{ ...plain, replicates: [detailed] }]).rows[0]?.details).toEqual(details);
});

describe("compare, head against base", () => {
  const slower = around(-0.1, 0.004, 4);
  const [a, b] = [cell({ path: "/a" }), cell({ path: "/b" })];

  test("judges by the plan's design, and repeats it", () => {
    const plan = { ...planOf(a, b), design: design({ cells: 2 }) };
    const { design: repeated, rows } = compare(plan, [
      compared(around(0, 0.001, 4), { cell: b }),
      compared(slower, { cell: a }),
    ]);
    expect(repeated).toEqual(plan.design);
    expect(rows.map(({ versus }) => versus?.verdict.kind)).toEqual(["slower", "unchanged"]);
    expect(rows[0]?.arms.base?.throughput.value).toBeCloseTo(1_000, 6);
    expect(rows[0]?.arms.head?.throughput.value).toBeLessThan(910);
  });

  test("judges nothing without a design", () => {
    const { design: none, rows } = compare(planOf(a), [compared(slower, { cell: a })]);
    expect([none, rows[0]?.versus]).toEqual([undefined, undefined]);
    expect(Object.keys(rows[0]?.arms ?? {})).toEqual(["base", "head"]);
  });

  test.for([
    { name: "two results", results: [compared(slower, { cell: a }), compared(slower, { cell: a })] },
    { name: "a failed cell", results: [compared(slower, { cell: a, status: "failed", failure: failure() })] },
    { name: "a cancelled cell", results: [compared(slower, { cell: a, status: "cancelled" })] },
    { name: "a stranger", results: [compared(slower, { cell: b })] },
    { name: "one arm", results: [measurement({ cell: a })] },
  ])("does not judge $name", ({ results }) => {
    const { rows } = compare({ ...planOf(a), design: design() }, results);
    expect(rows[0]?.versus).toBeUndefined();
  });

  test("what cannot be used leaves the levels of the others as they are", () => {
    const strange = compared(slower, { cell: cell({ path: "/stranger" }) });
    const plan = { ...planOf(a), design: design() };
    const alone = compare(plan, [compared(slower, { cell: a })]);
    expect(compare(plan, [strange, compared(slower, { cell: a })]).rows).toEqual(alone.rows);
  });

  test("passes on why there is only one arm", () => {
    const loneArm = { kind: "added", reason: "/a is not in the base", logTail: "" } as const;
    const { rows } = compare({ ...planOf(a), design: design() }, [measurement({ cell: a, loneArm })]);
    expect(rows).toMatchObject([{ status: "measured", loneArm, versus: undefined }]);
    expect(Object.keys(rows[0]?.arms ?? {})).toEqual(["head"]);
  });
});
