import { EnvironmentError } from "../errors/errors.ts";
import type { Document } from "../model/measurement/documents.ts";
import type { Measurement } from "../model/measurement/measurement.ts";
import type { ReportPorts } from "../ports/report.ts";

/**
 * Saves the results of a matrix's jobs, each in a folder of its own, in `cells/`, as a single run would have them, so
 * that the report's artifact holds them. A cell with two different documents is left out.
 */
export async function gatherCells(
  documents: readonly Document[],
  measurements: readonly Measurement[],
  save: ReportPorts["save"],
): Promise<void> {
  try {
    for (const file of new Set(measurements.map(({ cell }) => `${cell.id}.json`))) {
      const texts = new Set(documents.filter(({ name }) => fileOf(name) === file).map(({ text }) => text));
      const [text = "", ...others] = texts;
      if (others.length === 0) await save(`cells/${file}`, text);
    }
  } catch (error) {
    // A disk that cannot hold these cannot hold the report either, and the error is reported there.
    if (!(error instanceof EnvironmentError)) throw error;
  }
}

function fileOf(name: string): string {
  return name.split(/[\\/]/).at(-1) ?? name;
}
