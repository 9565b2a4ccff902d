import { describe, expect, test } from "vitest";

import { throughputSample } from "../../src/compare/throughput-sample.ts";
import { replicate, slicePairs } from "./two-arms.ts";

/** A replicate of blocks with the given effects, 20 slice pairs each. */
const ofBlocks = (effects: readonly number[]) =>
  replicate({ pairs: slicePairs(effects.flatMap((effect) => Array<number>(20).fill(effect))) });

describe("throughputSample", () => {
  test("moderates the variance by what the blocks scatter, over the number of blocks", () => {
    // Blocks at a distance of 0.06 have a variance of 0.0018 with one degree of freedom, their mean half of that.
    const { mean, variance, degrees, priorDegrees } = throughputSample(
      [0, 0.02, 0.04].map((middle) => ofBlocks([middle - 0.03, middle + 0.03])),
    );
    expect(mean).toBeCloseTo(0.02, 12);
    expect([degrees, priorDegrees]).toEqual([5, 3]);
    expect(variance).toBeCloseTo((2 * 0.0004 + 3 * 0.0009) / 5, 12);
  });

  test.for<[layouts: string, spread: number, last: { isLaidOutAlike?: true | undefined }]>([
    ["one layout for both", 0.007, {}],
    ["layouts of their own, be it once", 0.02, { isLaidOutAlike: undefined }],
  ])("takes blocks that hardly scatter for as noisy as two starts of equal code: %s", ([, spread, last]) => {
    const replicates = [0, 0, 0].map(() => ofBlocks([0.01, 0.01]));
    const { variance, priorDegrees } = throughputSample([
      ...replicates.slice(1),
      { ...ofBlocks([0.01, 0.01]), ...last },
    ]);
    expect(variance).toBeCloseTo((3 * spread ** 2) / 5, 12);
    expect(priorDegrees).toBe(3);
  });

  // Three replicates of two blocks: F with 2 and 3 degrees of freedom, whose quantile at 90% is 5.46.
  test.for<[what: string, spread: number, priorDegrees: number]>([
    ["starts that differ a little more than blocks let expect", 0.007 * Math.sqrt(5.4), 3],
    ["starts that differ by more than that", 0.007 * Math.sqrt(5.5), 0],
  ])("counts blocks for nothing where replicates refute them: %s", ([, spread, priorDegrees]) => {
    const sample = throughputSample([-spread, 0, spread].map((middle) => ofBlocks([middle, middle])));
    expect(sample.priorDegrees).toBe(priorDegrees);
    if (priorDegrees === 0) expect(sample.variance).toBeCloseTo(spread ** 2, 12);
  });

  test("counts blocks for eight degrees of freedom at most", () => {
    const { degrees, priorDegrees } = throughputSample(Array.from({ length: 12 }, () => ofBlocks([0, 0.01])));
    expect([degrees, priorDegrees]).toEqual([19, 8]);
  });

  test.for<[what: string, effects: readonly number[], most: number | undefined]>([
    ["a large effect on a loud machine", [-0.9, -1.5, -2.1], 0.25],
    ["equal code", [0, 0.01, -0.01], 0.25],
    ["one wild replicate of three", [0, 0, -3.9], undefined],
    ["one of two", [0, -3], undefined],
    ["one of six", [0, 0, 0, 0, 0, -4], undefined],
    ["one replicate", [-2], undefined],
    ["none", [], undefined],
  ])(
    "takes no machine for louder than any that was seen, unless its values say so: %s",
    ([, effects, most]) => {
      expect(throughputSample(effects.map((effect) => ofBlocks([effect, effect]))).mostVariance).toBe(most);
    },
  );

  test("knows no limit for whole runs of a script", () => {
    const runs = [-0.9, -1.5, -2.1].map((effect) => {
      const { pairs, ...rest } = ofBlocks([effect, effect]);
      return { ...rest, ...(pairs && { pairs: { ...pairs, isWholeRuns: true as const } }) };
    });
    expect(throughputSample(runs).mostVariance).toBeUndefined();
  });

  test("knows nothing beforehand of replicates with one block each", () => {
    const ofOne = (effect: number) => replicate({ pairs: slicePairs(Array<number>(9).fill(effect)) });
    expect(throughputSample([ofOne(0), ofOne(0.02)])).toMatchObject({
      degrees: 1,
      priorDegrees: 0,
    });
    expect(throughputSample([]).count).toBe(0);
  });
});
