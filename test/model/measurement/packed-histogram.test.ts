import fc from "fast-check";
import { expect, test } from "vitest";

import { emptyHistogram, mergeHistograms } from "../../../src/model/load/histogram.ts";
import { histogramPacker } from "../../../src/model/measurement/packed.ts";

const most = 0xffff;
const packedHistogram = histogramPacker();
const histograms = fc
  .uniqueArray(
    fc.record({
      bucket: fc.integer({ min: -10_000, max: 10_000 }),
      count: fc.integer({ min: 1, max: most }),
    }),
    {
      selector: ({ bucket }) => bucket,
      maxLength: 5_000,
    },
  )
  .map((all) => all.toSorted((one, other) => one.bucket - other.bucket))
  .map((all) => ({ buckets: all.map(({ bucket }) => bucket), counts: all.map(({ count }) => count) }));

test("a packed histogram reads, is written and adds up as the lists did", () => {
  fc.assert(
    fc.property(histograms, (histogram) => {
      const packed = packedHistogram(histogram);
      expect({ buckets: [...packed.buckets], counts: [...packed.counts] }).toEqual(histogram);
      expect(JSON.stringify(packed)).toBe(JSON.stringify(histogram));
      expect(mergeHistograms([packed, packed])).toEqual(mergeHistograms([histogram, histogram]));
    }),
    { numRuns: 50 },
  );
});

test.for([
  ["the most that a histogram may hold", Array.from({ length: 5_000 }, (_, index) => index - 10_000)],
  ["the last bucket", [10_000]],
  ["nothing", emptyHistogram.buckets],
] as const)("it holds %s", ([, buckets]) => {
  const histogram = { buckets: [...buckets], counts: buckets.map(() => most) };
  const packed = packedHistogram(histogram);
  expect({ buckets: [...packed.buckets], counts: [...packed.counts] }).toEqual(histogram);
});

test("a count that does not fit leaves the histogram as it is", () => {
  const large = { buckets: [1, 2], counts: [most, most + 1] };
  expect(packedHistogram(large)).toBe(large);
});
