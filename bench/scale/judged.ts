import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import * as z from "zod";

import { print, rounded } from "../parts/timing.ts";

/** Prints what a report's only cell says, with the reasons where it is not settled. Effect: percent of throughput. */
export async function judged(
  name: string,
  folder: string,
): Promise<{ readonly verdict: string; readonly effectPercent: number | string }> {
  const cell = await cellIn(folder);
  const verdict = cell.verdict ?? cell.status;
  const [low, middle, high] = [
    cell.throughputEffectLow,
    cell.throughputEffect,
    cell.throughputEffectHigh,
  ].map((share) => (share === null ? "–" : rounded(100 * share)));
  print(
    `  ${name}: ${verdict}, ${middle}% (${low} to ${high}) of throughput, ${cell.replicates ?? 0} replicates`,
  );
  for (const reason of await reasonsIn(folder, cell)) print(`    ${reason}`);
  return { verdict, effectPercent: middle ?? "–" };
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
  const document = await documentIn(join(folder, "cells"));
  const gates = (cell.gatesNotMet ?? []).map((gate) => `${gate.name}: ${gate.evidence}`);
  const told = [cell.reason, document.failure?.reason, ...(document.generators?.problems ?? []), ...gates];
  return told.flatMap((reason) => (reason ? [reason] : []));
}

/** A report of logs leaves no document. */
async function documentIn(folder: string): Promise<z.infer<typeof documentSchema>> {
  const [name] = await readdir(folder).catch(() => []);
  return name === undefined
    ? {}
    : documentSchema.parse(JSON.parse(await readFile(join(folder, name), "utf8")));
}
