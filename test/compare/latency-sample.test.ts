import { expect, test } from "vitest";
import { type LatencyPair, latencySample } from "../../src/compare/latency-change.ts";
import { type Histogram, histogramOf } from "../../src/model/load/histogram.ts";

/** Requests in bucket 100, of which a share is in bucket 300. */
const withSlow = (share: number, requests = 1_000): Histogram =>
  histogramOf(
    Array.from({ length: requests }, (_, index) => (index < share * requests ? 300 : 100 + (index % 5))),
  );
const pair = (base: Histogram, head: Histogram, clustering: number | undefined = 1): LatencyPair => ({
  base,
  head,
  clustering,
});

test("has one value for each replicate in which both arms answered", () => {
  const sample = latencySample(
    [pair(withSlow(0), withSlow(0)), pair(histogramOf([]), withSlow(0)), pair(withSlow(0), withSlow(0.1))],
    0.95,
  );
  expect(sample.count).toBe(2);
  expect(sample.priorDegrees).toBe(8);
  expect(sample.mean).toBeGreaterThan(0);
});

test("without any answer it is empty", () => {
  expect(latencySample([pair(histogramOf([]), withSlow(0))], 0.5)).toMatchObject({
    count: 0,
    priorDegrees: 0,
  });
});

test("equal replicates do not make a percentile sure that lies on the edge of the slow requests", () => {
  // By chance the head's p95 was slow three times, and the base's never: an edge that 5 % of the requests make.
  const edge = Array<LatencyPair>(3).fill(pair(withSlow(0.049), withSlow(0.051)));
  const inside = Array<LatencyPair>(3).fill(pair(withSlow(0.2), withSlow(0.2)));
  expect(Math.sqrt(latencySample(edge, 0.95).variance)).toBeGreaterThan(1);
  expect(Math.sqrt(latencySample(inside, 0.5).variance)).toBeLessThan(0.05);
});

test("slow requests that keep together say less, and unknown ones are taken to do so", () => {
  const of = (clustering: number | undefined) =>
    latencySample(Array<LatencyPair>(4).fill(pair(withSlow(0.03), withSlow(0.03), clustering)), 0.95)
      .variance;
  expect(of(100)).toBeGreaterThan(100 * of(1));
  const unknown = Array<LatencyPair>(4).fill({
    base: withSlow(0.03),
    head: withSlow(0.03),
    clustering: undefined,
  });
  expect(latencySample(unknown, 0.95).variance).toBeGreaterThan(100 * of(1));
});

test("no spread is taken for less than that of two starts", () => {
  const same = Array<LatencyPair>(3).fill(pair(histogramOf([5, 5, 5]), histogramOf([5, 5, 5])));
  expect(latencySample(same, 0.5).variance).toBeCloseTo((8 / 10) * 0.02 ** 2, 12);
});
