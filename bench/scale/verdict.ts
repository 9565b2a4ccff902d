import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { print, rounded, timed } from "../parts/timing.ts";
import { waitingServer } from "./server.ts";

/** The head waits 5 % longer. */
const waitsMs = { base: 120, head: 126 } as const;

/** The verdict on a known change by one k6 in short turns, and by four in turns of a second. */
export async function knownSlowDown(): Promise<Record<string, number | string>> {
  const figures: Record<string, number | string> = {};
  for (const generators of [1, 4]) {
    const folder = await mkdtemp(join(tmpdir(), "bench-scale-"));
    try {
      await using base = await waitingServer(() => waitsMs.base);
      await using head = await waitingServer(() => waitsMs.head);
      const hosts = [base, head].map(({ baseUrl }) => new URL(baseUrl).host);
      const settings = [
        ...[`base-url: ${base.baseUrl}`, `head-url: ${head.baseUrl}`, `allow-target: [${hosts.join(", ")}]`],
        ...[`generators: ${generators}`, "max-minutes: 1.4", "fail-on: never"],
      ].join("\n");
      const argv = ["dist/cli.js", "run", "--endpoints", "/", "--vus", "8", "--results-folder", folder];
      await timed([process.execPath, ...argv, "--settings", settings]);
      const { cells } = JSON.parse(await readFile(join(folder, "figures.json"), "utf8"));
      const [{ verdict, throughputEffect, throughputEffectLow, throughputEffectHigh, replicates, reason }] =
        cells;
      const [low, middle, high] = [throughputEffectLow, throughputEffect, throughputEffectHigh].map((share) =>
        rounded(100 * share),
      );
      print(
        `  ${generators} k6: ${verdict}, ${middle} % (${low} to ${high}) of throughput, ${replicates} replicates ${reason ?? ""}`,
      );
      figures[`verdictOf${generators}`] = verdict;
      figures[`effectPercentOf${generators}`] = middle ?? 0;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return figures;
}
