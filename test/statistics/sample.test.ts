import { describe, expect, test } from "vitest";

import { sampleOf } from "../../src/statistics/student.ts";

describe("sampleOf", () => {
  test("without a prior is the sample's own mean and variance", () => {
    expect(sampleOf([1, 2, 3, 4, 5])).toEqual({
      count: 5,
      mean: 3,
      variance: 2.5,
      degrees: 4,
      priorDegrees: 0,
    });
  });

  test("weights the sample's variance and the prior's by their degrees of freedom", () => {
    const { variance, degrees, priorDegrees } = sampleOf([1, 2, 3, 4, 5], { variance: 1, degrees: 8 });
    expect(variance).toBeCloseTo((4 * 2.5 + 8 * 1) / 12, 12);
    expect([degrees, priorDegrees]).toEqual([12, 8]);
  });

  test.for([[[]], [[7]]] as const)("%j has no variance, whatever was known before", ([values]) => {
    expect(sampleOf(values, { variance: 1, degrees: 8 }).variance).toBeNaN();
  });
});
