import { expect, test } from "vitest";

import { secondsPerReplicate } from "../../src/compare/replicate-effect.ts";
import { replicate } from "./two-arms.ts";

test.for<readonly [loads: readonly number[], seconds: number]>([
  [[5], 6.5],
  [[2, 4], 4.5],
  [[6], 8.4],
  [[12], 16.8],
  [[10, 12, 14], 16.8],
])("loads of %j s: %d s for each replicate", ([loads, seconds]) => {
  const replicates = loads.map((durationSeconds) => {
    const made = replicate();
    return { ...made, generator: { ...made.generator, durationSeconds } };
  });
  expect(secondsPerReplicate(replicates)).toBeCloseTo(seconds, 9);
});
