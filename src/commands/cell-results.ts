import { InputError } from "../errors/errors.ts";
import { groupBy } from "../lists/group.ts";
import { type Document, parseMeasurements } from "../model/measurement/documents.ts";
import type { Measurement } from "../model/measurement/measurement.ts";
import { packed } from "../model/measurement/packed.ts";
import type { Plan } from "../model/plan/plan.ts";
import { isOfGenerator, parseGenerators } from "../model/scale/generator-documents.ts";
import type { GeneratorRecords } from "../model/scale/generator-records.ts";
import { scaledCells } from "./scaled-cells.ts";

interface CellResults {
  readonly measurements: readonly Measurement[];
  readonly warnings: readonly string[];
}

/**
 * Reads the documents of one cell after the other, and puts the records of its generators together at once: those of a
 * large report do not fit into memory. Throws an `InputError` when there are such records but no plan.
 *
 * @param ofLogs records that came as logs
 */
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
    throw new InputError([
      "results-folder: has no plan.json, without which generators' records say too little",
    ]);
  return scaledCells(plan, records);
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
