import { expect, test } from "vitest";

import { gatherEvidence, partOf, shareOf } from "../../src/diagnosis/evidence.ts";
import { amount, endpoint, handler, line, load, worker } from "./samples.ts";

test("no worker that saw a request, no evidence", () => {
  expect(gatherEvidence([], load())).toBeUndefined();
  expect(gatherEvidence([worker({ endpoints: [] })], load())).toBeUndefined();
});

const other = { ...line, line: 40 };
const first = endpoint({
  partsMs: { total: 1_000, cpu: 400, inThreads: 900 },
  handler: null,
  stalls: [{ ...amount(100, 300), cpuMs: 30 }],
  onLoop: [
    { place: line, totalMs: 12, cpuMs: 10 },
    { place: other, totalMs: 15, cpuMs: 15 },
  ],
  spent: [{ place: line, totalMs: 700 }],
  waited: [
    { place: line, totalMs: 50 },
    { place: other, totalMs: 60 },
  ],
  statements: [{ text: "SELECT ?", ...amount(100, 50, 2) }],
  made: [{ what: "connection", ...amount(100, 20) }],
});
const second = endpoint({
  ...first,
  handler,
  requests: 50,
  longestMs: 400,
  stalls: [{ ...amount(50, 200), place: null, cpuMs: 20 }],
  onLoop: [{ place: line, totalMs: 13, cpuMs: 10 }],
  spent: [
    { place: line, totalMs: 100 },
    { place: other, totalMs: 90 },
  ],
});
const small = endpoint({ method: "POST", route: "/small", requests: 10, partsMs: { total: 10 } });
const evidence = gatherEvidence(
  [
    worker({ endpoints: [small, first] }),
    worker({
      endpoints: [second],
      outside: { stalls: [{ ...amount(10, 900), requests: 0, cpuMs: 900 }], onLoop: [] },
    }),
    worker({ endpoints: [] }),
  ],
  load({ requests: 160 }),
);

test("endpoints of several workers are one", () => {
  expect(evidence?.workers).toHaveLength(2);
  expect([evidence?.requests, evidence?.cpuMs]).toEqual([160, 1_000]);
  const [orders, smaller] = evidence?.endpoints ?? [];
  expect(smaller).toEqual(small);
  expect(orders).toMatchObject({ requests: 150, handler, longestMs: 400, failures: 0 });
  expect(orders?.partsMs).toMatchObject({ total: 2_000, cpu: 800, inThreads: 1_800 });
  expect(orders?.onLoop).toEqual([
    { place: line, totalMs: 25, cpuMs: 20 },
    { place: other, totalMs: 15, cpuMs: 15 },
  ]);
  expect(orders?.waited).toEqual([
    { place: other, totalMs: 120 },
    { place: line, totalMs: 100 },
  ]);
  expect(orders?.spent).toEqual([
    { place: line, totalMs: 800 },
    { place: other, totalMs: 90 },
  ]);
  expect(orders?.statements).toEqual([
    { text: "SELECT ?", place: line, count: 400, requests: 200, mostInOne: 2, totalMs: 100, longestMs: 0.25 },
  ]);
  expect(orders?.made).toMatchObject([{ what: "connection", count: 200, totalMs: 40 }]);
});

test("stalls are those of requests and others, by line; without a line they are the function's", () => {
  expect(
    evidence?.stalls.map(({ place, endpoint: name, totalMs, cpuMs, endpointRequests }) => {
      return [place?.line, name, totalMs, cpuMs, endpointRequests];
    }),
  ).toEqual([
    [37, "", 900, 900, 0],
    [37, "/orders", 300, 30, 100],
    [30, "/orders", 200, 20, 50],
  ]);
});

test("shares are of the requests' own time", () => {
  if (evidence === undefined) throw new Error("there is evidence");
  expect(partOf(evidence, "cpu")).toBe(5);
  expect(shareOf(evidence, "cpu")).toBeCloseTo(800 / 2_010);
  const idle = gatherEvidence([worker()], load());
  expect(idle === undefined ? undefined : shareOf(idle, "cpu")).toBe(0);
});
