import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  mergeGenerators,
  mergeHistograms,
  parseGeneratorLogs,
  quantileMs,
  segmentOf,
  sequenceOf,
} from "../../src/engine.ts";
import { print, rounded } from "../parts/timing.ts";
import { runAsPods } from "./pods.ts";
import { waitingServer } from "./server.ts";

const load = { kind: "rate", requestsPerSecond: 250, virtualUsers: 40, durationSeconds: 6 } as const;
const sliceMs = 1_000;

/** The same load by 1, 2 and 4 processes on one server: counts, and percentiles beside those of all latencies. */
export async function countedLoads(): Promise<Record<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), "bench-scale-"));
  const figures: Record<string, number> = {};
  try {
    for (const count of [1, 2, 4]) {
      await using server = await waitingServer(() => 5 + 10 * Math.random() ** 4);
      const startMs = Date.now() + 8_000;
      const generator = {
        ...{ cell: "cell-1", run: "run1", plan: "plan1", startMs, withinSeconds: 8 },
        ...{ segment: segmentOf(1, 1), sequence: sequenceOf(1) },
      };
      const endpoint = { method: "GET", path: "/" } as const;
      const targets = [{ arm: "head", baseUrl: server.baseUrl }] as const;
      const request = { targets, endpoint, load, sliceMs, seed: 1, name: "load", generator };
      const { logs, latencies } = await runAsPods(request, count, join(folder, `${count}`));
      const { generators } = parseGeneratorLogs(logs);
      const expected = { cell: "cell-1", plan: "plan1", run: "run1", count, sliceMs };
      const merging = mergeGenerators(generators, expected);
      if ("problems" in merging) throw new Error(merging.problems.join("; "));
      const sent = server.gets();
      const merged = mergeHistograms(merging.load.slices.map(({ latency }) => latency));
      const sorted = latencies.toSorted((a, b) => a - b);
      const off = [0.5, 0.95, 0.99].map((share) => {
        const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
        return Math.abs((quantileMs(merged, share) ?? 0) / exact - 1);
      });
      const worst = rounded(100 * Math.max(...off));
      print(
        `  ${count} k6: ${merging.load.requests} in the records, ${sent} at the server, ${latencies.length} samples; ` +
          `p50, p95 and p99 off by ${worst}% at most; began within ${merging.load.beginningsApartMs} ms, clocks ${rounded(merging.load.clocksApartMs)} ms apart`,
      );
      figures[`missedOf${count}`] = sent - merging.load.requests;
      figures[`percentileErrorPercentOf${count}`] = worst;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return figures;
}
