import { expect, test } from "vitest";

import { errorShare, usualComparisons } from "../../../src/model/bisection/bisection.ts";

test.each([
  [0, 1],
  [1, 1],
  [2, 2],
  [20, 6],
  [64, 7],
])("a range of %i commits usually needs %i comparisons", (commits, comparisons) => {
  expect(usualComparisons(commits)).toBe(comparisons);
});

test.each([1, 2, 20, 1_000])(
  "however many comparisons of %i commits have no more errors than allowed",
  (commits) => {
    const shares = Array.from({ length: 60 }, (_, index) => errorShare(0.01, commits, index));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(0.01);
    expect(Math.min(...shares)).toBeGreaterThan(0);
    const usual = usualComparisons(commits);
    expect(new Set(shares.slice(0, usual)).size).toBe(1);
    expect(shares[0]).toBeGreaterThan(0.0008);
  },
);
