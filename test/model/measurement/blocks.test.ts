import { expect, test } from "vitest";

import { addBlocks, type Block } from "../../../src/model/measurement/measurement.ts";

const block = (more: Partial<Block> = {}): Block => ({
  ...{ startSeconds: 2, seconds: 1, requests: 10, failures: 1, latencyTotalMs: 100, latencyMaxMs: 30 },
  ...more,
});

test("two blocks are one that begins with the first and has the sums of both", () => {
  expect(addBlocks(block(), block({ startSeconds: 4, latencyMaxMs: 50 }))).toEqual({
    ...{ startSeconds: 2, seconds: 2, requests: 20, failures: 2, latencyTotalMs: 200, latencyMaxMs: 50 },
  });
});

const limited = (requests: number, totalMs: number) => ({ limited: { requests, totalMs } });

test.for<[what: string, one: Partial<Block>, next: Partial<Block>, sum: Partial<Block>]>([
  [
    "both know",
    { ...limited(4, 40), beyondMs: 5 },
    { ...limited(6, 50), beyondMs: 0 },
    { ...limited(10, 90), beyondMs: 5 },
  ],
  ["both know, but nothing is beyond", limited(4, 40), limited(6, 50), { ...limited(10, 90), beyondMs: 0 }],
  ["one knows", { ...limited(4, 40), beyondMs: 5 }, {}, { limited: undefined, beyondMs: undefined }],
])("the parts up to a limit and beyond it are added where %s", ([, one, next, sum]) => {
  const { limited: both, beyondMs } = addBlocks(block(one), block(next));
  expect({ limited: both, beyondMs }).toEqual(sum);
});
