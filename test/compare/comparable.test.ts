import { describe, expect, test } from "vitest";

import { sliceGate } from "../../src/compare/gates.ts";
import { shareSeen, slicedLoad } from "./sliced-load.ts";
import { replicate } from "./two-arms.ts";

const latencies = [1, 4, 5, 20, 100, 250, 350, 385, 480, 600, 800, 1_000, 1_250, 1_600, 2_500, 5_000];

/** What the gate says of the load that the slicing makes: `""`, or which remedy it names. */
function saidOf(virtualUsers: number, latencyMs: number): string | undefined {
  const replicates = [1, 2].map((seed) =>
    replicate({ pairs: slicedLoad({ virtualUsers, latencyMs, seed }) }),
  );
  const { isMet, evidence } = sliceGate(replicates) ?? {};
  if (isMet) return "";
  return /raise `vus`|too long/.exec(evidence ?? "")?.[0];
}

/** The table of docs/measurement.md: how slow an endpoint may be. */
describe("which endpoints can be compared in slices", () => {
  test.for([
    { virtualUsers: 1, upToMs: 350 },
    { virtualUsers: 2, upToMs: 600 },
    { virtualUsers: 8, upToMs: 1_000 },
    { virtualUsers: 50, upToMs: 1_000 },
  ])("vus $virtualUsers: up to $upToMs ms", ({ virtualUsers, upToMs }) => {
    const said = latencies.map((latencyMs) => [latencyMs, saidOf(virtualUsers, latencyMs)]);
    const expected = latencies.map((ms) => [
      ms,
      ms <= upToMs ? "" : ms <= 1_000 ? "raise `vus`" : "too long",
    ]);
    expect(said).toEqual(expected);
  });
});

describe("a change of 10%, with requests that share a CPU", () => {
  test.for([
    { virtualUsers: 1, latencyMs: 250 },
    { virtualUsers: 2, latencyMs: 500 },
    { virtualUsers: 8, latencyMs: 250 },
    { virtualUsers: 8, latencyMs: 800 },
    { virtualUsers: 8, latencyMs: 1_000 },
    { virtualUsers: 50, latencyMs: 1_000 },
  ])("is read right: vus $virtualUsers, $latencyMs ms", ({ virtualUsers, latencyMs }) => {
    const share = shareSeen({ virtualUsers, latencyMs }, -0.1, 200);
    expect(share).toBeGreaterThan(0.85);
    expect(share).toBeLessThan(1.15);
  });

  test.for([
    { virtualUsers: 8, latencyMs: 1_500 },
    { virtualUsers: 8, latencyMs: 2_000 },
    { virtualUsers: 50, latencyMs: 1_500 },
  ])("would be read too large: vus $virtualUsers, $latencyMs ms", ({ virtualUsers, latencyMs }) => {
    expect(shareSeen({ virtualUsers, latencyMs }, -0.1, 200)).toBeGreaterThan(1.3);
  });

  test("requests that only wait are read right however long they are", () => {
    const share = shareSeen({ virtualUsers: 8, latencyMs: 2_000, kind: "wait" }, -0.1, 200);
    expect(share).toBeGreaterThan(0.85);
    expect(share).toBeLessThan(1.15);
  });
});
