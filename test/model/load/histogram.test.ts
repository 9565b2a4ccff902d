import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  emptyHistogram,
  growth,
  histogramCount,
  histogramOf,
  mergeHistograms,
  quantileMs,
  relativeError,
} from "../../../src/model/load/histogram.ts";

const bucketOf = (ms: number) => Math.ceil(Math.log(ms) / Math.log(growth));

describe("quantileMs", () => {
  test("is unknown when nothing was counted", () => {
    expect(quantileMs(emptyHistogram, 0.5)).toBeUndefined();
  });

  test("stays within the promised relative error of the sample quantile", () => {
    const latencies = fc.array(fc.double({ min: 0.01, max: 60_000, noNaN: true }), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(latencies, fc.constantFrom(0.5, 0.9, 0.95, 0.99, 1), (sample, share) => {
        const sorted = sample.toSorted((a, b) => a - b);
        const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
        const read = quantileMs(histogramOf(sample.map(bucketOf)), share) ?? Number.NaN;
        expect(Math.abs(read - exact) / exact).toBeLessThanOrEqual(relativeError * 1.0001);
      }),
    );
  });
});

test("merging histograms equals counting everything at once", () => {
  const part = fc.array(fc.integer({ min: -500, max: 1_500 }));
  fc.assert(
    fc.property(part, part, (a, b) => {
      const merged = mergeHistograms([histogramOf(a), histogramOf(b)]);
      expect(merged).toEqual(histogramOf([...a, ...b]));
      expect(histogramCount(merged)).toBe(a.length + b.length);
    }),
  );
});
