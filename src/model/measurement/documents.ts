import type * as z from "zod";

import { InputError } from "../../errors/errors.ts";
import { jsonOf } from "../../text/json.ts";
import { shortenEnd } from "../../text/length.ts";
import { type Plan, planSchema } from "../plan/plan.ts";
import { type Measurement, measurementSchema } from "./measurement.ts";

export interface Document {
  readonly name: string;
  readonly text: string;
  /** Reason why it could not be read; it has no text then. */
  readonly problem?: string;
}

/** A reason may hold a stranger's words. */
const longestReason = 300;

/** Reads a plan; throws an `InputError` with the mistake in it. */
export function parsePlan(text: string): Plan {
  const result = planSchema.safeParse(jsonOf(text));
  if (!result.success)
    throw new InputError([`plan: is not a plan that this version wrote: ${firstIssue(result.error)}`]);
  return result.data;
}

/** Reads foreign cell documents. A wrong one costs only itself, and a copy counts once. */
export function parseMeasurements(documents: readonly Document[]): {
  readonly measurements: readonly Measurement[];
  readonly warnings: readonly string[];
} {
  const measurements: Measurement[] = [];
  const warnings: string[] = [];
  const seen = new Map<string, string[]>();
  for (const { name, text, problem } of documents) {
    const file = name.split(/[\\/]/).at(-1) ?? name;
    const others = seen.get(file) ?? [];
    if (others.includes(text)) continue;
    seen.set(file, [...others, text]);
    if (problem !== undefined) {
      warnings.push(`Left out ${file}: it ${problem}.`);
      continue;
    }
    const result = measurementSchema.safeParse(jsonOf(text));
    if (!result.success)
      warnings.push(`Left out ${file}: not a result of this version (${firstIssue(result.error)}).`);
    else if (file !== `${result.data.cell.id}.json`)
      warnings.push(`Left out ${file}: it claims another cell.`);
    else measurements.push(result.data);
  }
  return { measurements, warnings };
}

/** The plan that a folder's results imply, when no plan came with them. */
export function planOf(measurements: readonly Measurement[]): Plan | undefined {
  const cells = new Map(measurements.map(({ cell }) => [cell.id, cell]));
  return cells.size === 0 ? undefined : { schemaVersion: 1, cells: [...cells.values()] };
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  const reason = issue && `${issue.path.join(".") || "document"}: ${issue.message}`;
  return shortenEnd(reason ?? "unknown form", longestReason);
}
