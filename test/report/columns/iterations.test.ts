import { describe, expect, test } from "vitest";

import { iterationsOf } from "../../../src/report/columns/columns.ts";
import { cell, details, measurement } from "../../fixtures/measurement.ts";
import { comparisonOf } from "../example.ts";
import { renderSummary as renderMarkdownFile } from "../forms.ts";

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
  expect(markdown).toContain("/ → sleep 100 ms → /api");
  expect(markdown).toContain("Iterations/s");
  expect(markdown).toMatch(/\| 333 \| 108 \|/);
});
