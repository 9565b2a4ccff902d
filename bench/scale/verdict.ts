import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { timed } from "../parts/timing.ts";
import { judged } from "./judged.ts";
import { twoArms } from "./server.ts";

/** The head waits 5% longer. */
const waitsMs = { base: 120, head: 126 } as const;

/** The verdict on a known change by one k6 in short turns, and by four in turns of a second. */
export async function knownSlowDown(): Promise<Record<string, number | string>> {
  const figures: Record<string, number | string> = {};
  for (const generators of [1, 4]) {
    const folder = await mkdtemp(join(tmpdir(), "bench-scale-"));
    try {
      await using arms = await twoArms(waitsMs);
      const settings = [...arms.settings, `generators: ${generators}`, "max-minutes: 1.4"].join("\n");
      const argv = ["dist/cli.js", "run", "--endpoints", "/", "--vus", "8", "--results-directory", folder];
      // 3: the cell has no verdict, and says why.
      await timed([process.execPath, ...argv, "--settings", settings], { statuses: [0, 3] });
      const { verdict, effectPercent } = await judged(`${generators} k6`, folder);
      figures[`verdictOf${generators}`] = verdict;
      figures[`effectPercentOf${generators}`] = effectPercent;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return figures;
}
