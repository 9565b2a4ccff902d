import { InputError, messageOf } from "../errors/errors.ts";
import { groupBy } from "../lists/group.ts";
import { scaledDocument } from "../measure/generators.ts";
import { type Document, parseMeasurements } from "../model/measurement/documents.ts";
import type { Measurement } from "../model/measurement/measurement.ts";
import { packed } from "../model/measurement/packed.ts";
import type { Plan } from "../model/plan/plan.ts";
import { isOfGenerator, parseGenerators } from "../model/scale/generator-documents.ts";
import {
  type GeneratorLogs,
  type GeneratorRecords,
  parseGeneratorLogs,
} from "../model/scale/generator-records.ts";
import { plural } from "../text/numbers.ts";

interface CellResults {
  readonly measurements: readonly Measurement[];
  readonly warnings: readonly string[];
}

/** Reads one cell's documents after the other, and merges generators' records. Throws an `InputError`. */
export function readCellDocuments(
  documents: Iterable<Document>,
  plan: Plan | undefined,
  ofLogs: readonly GeneratorRecords[],
): CellResults {
  const measurements: Measurement[] = [];
  const warnings: string[] = [];
  const add = (results: CellResults) => {
    measurements.push(...results.measurements.map(packed));
    warnings.push(...results.warnings);
  };
  const logged = new Map(groupBy(ofLogs, ({ identity }) => identity.cell));
  for (const own of byCell(documents)) {
    const whole = parseMeasurements(own.filter((each) => !isOfGenerator(each)));
    const { records, warnings: unread } = parseGenerators(own.filter(isOfGenerator));
    const merged = new Set(records.map(({ identity }) => identity.cell));
    const alsoLogged = [...merged].flatMap((id) => logged.get(id) ?? []);
    for (const id of merged) logged.delete(id);
    add({
      // An earlier report has left what it put together of the same records.
      measurements: whole.measurements.filter(
        ({ generators, cell }) => generators === undefined || !merged.has(cell.id),
      ),
      warnings: [...whole.warnings, ...unread],
    });
    add(scaled(plan, [...records, ...alsoLogged]));
  }
  add(scaled(plan, [...logged.values()].flat()));
  return { measurements, warnings };
}

function scaled(plan: Plan | undefined, records: readonly GeneratorRecords[]): CellResults {
  if (records.length === 0) return { measurements: [], warnings: [] };
  if (plan === undefined)
    throw new InputError(["results-directory: has no plan.json, which generators' records need"]);
  const unplanned = new Map(groupBy(records, ({ identity }) => identity.cell));
  const measurements = plan.cells.flatMap((cell) => {
    const own = unplanned.get(cell.id) ?? [];
    unplanned.delete(cell.id);
    const startMs = own[0]?.identity.startMs;
    if (startMs === undefined) return [];
    const startedAt = new Date(startMs).toISOString();
    return [scaledDocument({ schemaVersion: 1, cell, startedAt, commits: {} }, plan, own)];
  });
  const warnings = [...unplanned.keys()].map(
    (id) => `Left out records of generators for \`${id}\`, which is not in the plan.`,
  );
  return { measurements, warnings };
}

/** Neighbours whose files are named after one cell. */
function* byCell(documents: Iterable<Document>): Generator<readonly Document[]> {
  let own: Document[] = [];
  for (const document of documents) {
    if (own[0] !== undefined && cellIn(document) !== cellIn(own[0])) {
      yield own;
      own = [];
    }
    own.push(document);
  }
  if (own.length > 0) yield own;
}

function cellIn({ name }: Document): string {
  const file = name.split(/[\\/]/).at(-1) ?? name;
  return file.split(".", 1)[0] ?? file;
}

/** Reads the logs of generators. Throws an `InputError` when no line in them is of one. */
export function readGeneratorLogs(logs: readonly string[]): {
  readonly records: readonly GeneratorRecords[];
  readonly warnings: readonly string[];
} {
  if (logs.length === 0) return { records: [], warnings: [] };
  const { generators: records, skippedLines, damagedLines, strayRecords } = parsed(logs);
  if (records.length === 0)
    throw new InputError([
      `logs: no line in ${plural(logs.length, "file")} names its generator; pass the whole logs of all k6 containers`,
    ]);
  const lost = [
    skippedLines > 0 && `${plural(skippedLines, "line")} of others skipped`,
    damagedLines > 0 && `${plural(damagedLines, "line")} cut or damaged`,
    strayRecords > 0 && `${plural(strayRecords, "record")} of unknown generators left out`,
  ].filter((each) => each !== false);
  const warning = `Logs of ${plural(records.length, "generator")}: ${lost.join(", ")}.`;
  return { records, warnings: lost.length === 0 ? [] : [warning] };
}

function parsed(logs: readonly string[]): GeneratorLogs {
  try {
    return parseGeneratorLogs(logs);
  } catch (error) {
    throw new InputError([`logs: ${messageOf(error)}`]);
  }
}
