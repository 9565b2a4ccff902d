import { expect, test } from "vitest";
import { openLatencyChange } from "../../src/compare/explanations.ts";
import { growth, type Histogram, histogramOf } from "../../src/model/load/histogram.ts";
import { design, replicate } from "./two-arms.ts";

/** So many requests in the buckets around one, evenly. */
const latency = (bucket: number, requests: number, spread = 20): Histogram =>
  histogramOf(Array.from({ length: requests }, (_, index) => bucket + (index % spread)));

const open = (head: number, requests: number) =>
  replicate({
    open: {
      requestsPerSecond: 600,
      droppedIterations: 0,
      arms: {
        base: { latency: latency(100, requests), requests, failures: 0 },
        head: { latency: latency(head, requests), requests, failures: 0 },
      },
    },
  });

const four = (head: number, requests = 500) => Array.from({ length: 4 }, () => open(head, requests));

test.for([
  { name: "equal arms", head: 100, share: 0.5, isOff: false },
  { name: "a little longer, as no second of load can tell", head: 105, share: 0.5, isOff: false },
  { name: "twice as long", head: 240, share: 0.5, isOff: true },
  { name: "p99 twice as long", head: 240, share: 0.99, isOff: true },
])("$name: the interval is off 0: $isOff", ({ head, share, isOff }) => {
  const change = openLatencyChange(four(head), share, design());
  expect(change?.value).toBeCloseTo(growth ** (head - 100) - 1, 2);
  expect((change?.interval?.low ?? Number.NaN) > 0).toBe(isOff);
  expect(change?.interval?.high).toBeGreaterThanOrEqual(change?.value ?? Number.NaN);
});

test("a report with more cells has wider intervals", () => {
  const high = (cells: number) =>
    openLatencyChange(four(100), 0.5, design({ cells }))?.interval?.high ?? Number.NaN;
  expect(high(24)).toBeGreaterThan(high(1));
});

test.for([
  { name: "too few requests", replicates: four(100, 100), share: 0.99 },
  { name: "one replicate", replicates: [open(100, 500)], share: 0.5 },
])("$name: no interval", ({ replicates, share }) => {
  expect(openLatencyChange(replicates, share, design())).toMatchObject({ interval: undefined });
});

test("nothing without an open phase, or without replies in it", () => {
  expect(openLatencyChange([replicate()], 0.5, design())).toBeUndefined();
  expect(openLatencyChange([open(100, 0)], 0.5, design())).toBeUndefined();
});
