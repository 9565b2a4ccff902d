import { expect, test } from "vitest";

import { meanReplyMs } from "../../src/compare/replicate-effect.ts";
import type { Block } from "../../src/model/measurement/measurement.ts";

const block = (more: Partial<Block> = {}): Block => ({
  ...{ startSeconds: 0, seconds: 1, requests: 100, failures: 0, latencyTotalMs: 1_200, latencyMaxMs: 90 },
  ...more,
});

test.for<[what: string, blocks: readonly Block[], ms: number]>([
  ["all replies, where nothing else is known", [block(), block({ latencyTotalMs: 800 })], 10],
  [
    "those within the guards, and of all what is beyond the limit",
    [
      block({ limited: { requests: 50, totalMs: 450 }, beyondMs: 200 }),
      block({ limited: { requests: 30, totalMs: 350 }, beyondMs: 0 }),
    ],
    10 + 1,
  ],
  [
    "all replies, where one block does not know",
    [block({ limited: { requests: 1, totalMs: 1 } }), block()],
    12,
  ],
  ["all replies, where none was within the guards", [block({ limited: { requests: 0, totalMs: 0 } })], 12],
])("the mean time for a reply is that of %s", ([, blocks, ms]) => {
  expect(meanReplyMs(blocks)).toBeCloseTo(ms, 9);
});

test("there is none without replies", () => expect(meanReplyMs([])).toBeNaN());
