import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { growth, histogramOf } from "../../../src/model/load/histogram.ts";
import { atLimit, limitMsOf } from "../../../src/model/load/load-records.ts";

const bucketOf = (ms: number) => Math.ceil(Math.log(ms) / Math.log(growth));
/** A slice of requests within the guards, and the longest of each user. */
const slice = (guardedMs: readonly number[], longestMs: readonly number[] = []) => ({
  latency: histogramOf(guardedMs.map(bucketOf)),
  longestMs,
});

describe("limitMsOf", () => {
  test("is three times what nine of ten requests take at most", () => {
    expect(limitMsOf([slice([...Array<number>(9).fill(10), 400])])).toBeCloseTo(30, 0);
  });

  test("is not known without requests", () => expect(limitMsOf([slice([])])).toBeUndefined());
});

describe("atLimit", () => {
  test("counts requests within the guards for the limit at most, and beyond it the longest of each user", () => {
    const { limited, beyondMs } = atLimit([slice([10, 10, 400], [10, 400]), slice([10], [1_030, 20])], 30);
    expect(limited.requests).toBe(4);
    expect(limited.totalMs).toBeCloseTo(60, 0);
    expect(beyondMs).toBe(370 + 1_000);
  });

  test("of requests below the limit is their time, and of the others what is longer", () => {
    const times = fc.array(fc.double({ min: 0.1, max: 100, noNaN: true }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(times, fc.double({ min: 0.1, max: 200, noNaN: true }), (ms, limitMs) => {
        const { limited, beyondMs } = atLimit([slice(ms, ms)], limitMs);
        const all = ms.reduce((sum, each) => sum + each, 0);
        // Each of them in a slice and of a user of its own: both parts together are all of their time.
        expect((limited.totalMs + beyondMs) / all).toBeCloseTo(1, 1);
      }),
    );
  });
});
