import { readFileSync } from "node:fs";

import type { Case, MeasuredCase } from "../cases/cases.ts";
import { publishedFigures } from "../cases/published-figures.ts";
import { type Claim, parseClaims } from "../documents/claims.ts";
import { type PublishedResult, parsePublishedResults } from "../documents/published-results.ts";

/** The published documents as they are. */
export const resultsText: string = readFileSync("reproduce/scenarios/published/results.json", "utf8");
export const claimsText: string = readFileSync("reproduce/scenarios/published/claims.json", "utf8");
export const results: readonly PublishedResult[] = parsePublishedResults(resultsText);
export const claims: readonly Claim[] = parseClaims(claimsText);

/** A published claim. */
export function claim(id: string): Claim {
  const found = claims.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no claim ${id}`);
  return found;
}

/** A case with the figures of a test. */
export function measured(
  id: string,
  figures: MeasuredCase["figures"],
  more: Partial<Omit<MeasuredCase, "kind" | "id" | "figures">> = {},
): MeasuredCase {
  return { kind: "measured", id, figures, intervals: {}, parameters: {}, facts: {}, ...more };
}

/** The published figures as if they had been measured, with load details that the reports lack. */
export function publishedCases(): readonly Case[] {
  const parameters = { VUs: 10_000, W: 16, hold_s: 30, S: 1 };
  const facts = { loop: "asyncio", TCP_NODELAY: "unset" };
  return results.map((result) => measured(result.id, publishedFigures(result), { parameters, facts }));
}
