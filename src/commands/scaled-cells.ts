import { InputError, messageOf } from "../errors/errors.ts";
import { groupBy } from "../lists/group.ts";
import { scaledDocument } from "../measure/generators.ts";
import type { Measurement } from "../model/measurement/measurement.ts";
import type { Plan } from "../model/plan/plan.ts";
import { type GeneratorLogs, parseGeneratorLogs } from "../model/scale/generator-logs.ts";
import type { GeneratorRecords } from "../model/scale/generator-records.ts";
import { plural } from "../text/numbers.ts";

/** Puts the records of generators together: one measurement for each cell that has any. */
export function scaledCells(
  plan: Plan,
  records: readonly GeneratorRecords[],
): { readonly measurements: readonly Measurement[]; readonly warnings: readonly string[] } {
  const byCell = groupBy(records, ({ identity }) => identity.cell);
  const planned = new Set(plan.cells.map(({ id }) => id));
  const strangers = [...byCell.keys()].filter((id) => !planned.has(id));
  const measurements = plan.cells.flatMap((cell) => {
    const own = byCell.get(cell.id) ?? [];
    const startMs = own[0]?.identity.startMs;
    if (startMs === undefined) return [];
    const startedAt = new Date(startMs).toISOString();
    return [scaledDocument({ schemaVersion: 1, cell, startedAt, commits: {} }, plan, own)];
  });
  return {
    measurements,
    warnings: strangers.map(
      (id) => `Left out records of generators for \`${id}\`, which is not in the plan.`,
    ),
  };
}

/** Reads the logs of generators. Throws an `InputError` when no line in them is of one. */
export function readGeneratorLogs(logs: readonly string[]): {
  readonly records: readonly GeneratorRecords[];
  readonly warnings: readonly string[];
} {
  if (logs.length === 0) return { records: [], warnings: [] };
  const read = parsed(logs);
  if (read.generators.length === 0)
    throw new InputError([
      `logs: no line in ${plural(logs.length, "file")} says which generator it is of; give all logs of the k6 containers from their beginning`,
    ]);
  const { skippedLines, damagedLines, strayRecords } = read;
  const told = [
    skippedLines > 0 && `${plural(skippedLines, "line")} of others skipped`,
    damagedLines > 0 && `${plural(damagedLines, "line")} cut or damaged`,
    strayRecords > 0 && `${plural(strayRecords, "record")} of unknown generators left out`,
  ].filter((each) => each !== false);
  return {
    records: read.generators,
    warnings:
      told.length === 0
        ? []
        : [`Logs of ${plural(read.generators.length, "generator")}: ${told.join(", ")}.`],
  };
}

function parsed(logs: readonly string[]): GeneratorLogs {
  try {
    return parseGeneratorLogs(logs);
  } catch (error) {
    throw new InputError([`logs: ${messageOf(error)}`]);
  }
}
