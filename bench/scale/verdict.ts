import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as z from "zod";

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
      // 3: the cell has no verdict, and says why.
      await timed([process.execPath, ...argv, "--settings", settings], { statuses: [0, 3] });
      const cell = await cellIn(folder);
      const verdict = cell.verdict ?? cell.status;
      const [low, middle, high] = [
        cell.throughputEffectLow,
        cell.throughputEffect,
        cell.throughputEffectHigh,
      ].map((share) => (share === null ? "–" : rounded(100 * share)));
      print(
        `  ${generators} k6: ${verdict}, ${middle} % (${low} to ${high}) of throughput, ${cell.replicates ?? 0} replicates`,
      );
      for (const reason of await reasonsIn(folder, cell)) print(`    ${reason}`);
      figures[`verdictOf${generators}`] = verdict;
      figures[`effectPercentOf${generators}`] = middle ?? "–";
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return figures;
}

const share = z.number().nullable();
const cellSchema = z.object({
  status: z.string(),
  verdict: z.string().nullable(),
  throughputEffect: share,
  throughputEffectLow: share,
  throughputEffectHigh: share,
  replicates: z.number().nullable(),
  reason: z.string().nullable(),
  gatesNotMet: z.array(z.object({ name: z.string(), evidence: z.string() })).nullable(),
});
const documentSchema = z.object({
  failure: z.object({ reason: z.string() }).optional(),
  generators: z.object({ problems: z.array(z.string()).default([]) }).optional(),
});

async function cellIn(folder: string): Promise<z.infer<typeof cellSchema>> {
  const figures: unknown = JSON.parse(await readFile(join(folder, "figures.json"), "utf8"));
  const [cell] = z.object({ cells: z.array(cellSchema) }).parse(figures).cells;
  if (cell === undefined) throw new Error("the report has no cell");
  return cell;
}

/** Why there is no verdict, or no certain one; none for a cell that is settled. */
async function reasonsIn(folder: string, cell: z.infer<typeof cellSchema>): Promise<string[]> {
  const [name = ""] = await readdir(join(folder, "cells"));
  const document = documentSchema.parse(JSON.parse(await readFile(join(folder, "cells", name), "utf8")));
  const gates = (cell.gatesNotMet ?? []).map((gate) => `${gate.name}: ${gate.evidence}`);
  const told = [cell.reason, document.failure?.reason, ...(document.generators?.problems ?? []), ...gates];
  return told.flatMap((reason) => (reason ? [reason] : []));
}
