import { describe, expect, test } from "vitest";
import {
  companionColumn,
  failureCounts,
  iterationsOf,
  statusCounts,
} from "../../../src/report/columns/figure-columns.ts";
import { cell, details, measurement } from "../../fixtures/measurement.ts";
import { row } from "../compared.ts";
import { comparisonOf } from "../example.ts";
import { renderSummary as renderMarkdownFile } from "../forms.ts";

test("what ran beside each server is told by its name, or not known", () => {
  const beside = (redis: number, worker: number) => ({ companionCpuSeconds: { redis, worker } });
  const both = row({ cell: cell(), arm: beside(1, 2), headArm: beside(1, 4) });
  expect(companionColumn.isKnown?.(both)).toBe(true);
  expect(companionColumn.text(both)).toMatch(/^redis [\d.]+, worker [\d.]+ → redis [\d.]+, worker [\d.]+$/);
  const none = row({ cell: cell() });
  expect(companionColumn.isKnown?.(none)).toBe(false);
  expect(
    companionColumn.text(row({ cell: cell(), arm: beside(1, 2), headArm: { companionCpuSeconds: {} } })),
  ).toMatch(/ → –$/);
});

test.for([
  [{}, "", ""],
  [{ "200": 1_990 }, "1,990 × 200", ""],
  [{ "503": 5, "200": 1_990, "500": 5 }, "1,990 × 200, 5 × 500, 5 × 503", "5 × 500, 5 × 503"],
  [{ "301": 1, "error 1212": 2 }, "2 × connection refused, 1 × 301", "2 × connection refused"],
  [{ "cut off": 3, "200": 1 }, "3 × cut off, 1 × 200", "3 × cut off"],
  [{ "error 1999": 1 }, "1 × error 1999", "1 × error 1999"],
  [{ "<b>@octocat": 1 }, "1 × other", "1 × other"],
  [{ "503": 5, "500": 5, "502": 5 }, "5 × 500, 5 × 502, 5 × 503", "5 × 500, 5 × 502, 5 × 503"],
  [{ b: 5, a: 5 }, "5 × other, 5 × other", "5 × other, 5 × other"],
] as const)("%j reads %j, of which failed %j", ([statuses, all, failed]) => {
  expect(statusCounts(statuses)).toBe(all);
  expect(failureCounts(statuses)).toBe(failed);
});

const steps = [
  { method: "GET", path: "/" } as const,
  { pauseSeconds: 0.1 },
  { method: "GET", path: "/api" } as const,
];
const iteration = cell({ endpoint: { steps } });

function comparison(of = iteration) {
  const plain = measurement({ cell: of });
  const replicates = plain.replicates.map((each) => ({
    ...each,
    generator: { ...each.generator, details },
  }));
  return comparisonOf([of], [{ ...plain, replicates }]);
}

describe("iterationsOf", () => {
  test("tells what k6 says of whole iterations", () => {
    expect(iterationsOf({ cell: iteration, details })).toEqual({
      perSecond: 333.3333,
      p50Ms: 108.4,
      p95Ms: 131.25,
    });
  });

  test("of one endpoint there are none beside its requests", () => {
    expect(iterationsOf({ cell: cell(), details })).toBeUndefined();
    expect(iterationsOf({ cell: iteration, details: undefined })).toBeUndefined();
  });
});

test("the report names the steps and shows whole iterations", () => {
  const markdown = renderMarkdownFile(comparison());
  expect(markdown).toContain("/ → sleep 100 ms → /<wbr>api");
  expect(markdown).toContain("Iterations/s");
  expect(markdown).toMatch(/\| 333 \| 108 \|/);
});
