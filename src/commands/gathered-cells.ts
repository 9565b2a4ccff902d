import type { Comparison } from "../compare/comparison.ts";
import { isNotable } from "../compare/standing.ts";
import { EnvironmentError } from "../errors/errors.ts";
import { groupBy } from "../lists/group.ts";
import type { Measurement } from "../model/measurement/measurement.ts";
import {
  documentText,
  droppedSentence,
  type SizedCell,
  shortenedDocuments,
} from "../model/measurement/shortening.ts";
import type { ReportPorts } from "../ports/report.ts";
import { byteLength } from "../text/length.ts";

/**
 * Saves the results of a matrix's jobs, each in a folder of its own, in `cells/`, as a single run would have them, so
 * that the report's artifact holds them. A cell with two different documents is left out. Returns a sentence about what
 * did not fit; empty when everything did.
 *
 * @param limit bytes of all documents together; absent: what `post` reads
 */
export async function gatherCells(
  measurements: readonly Measurement[],
  { rows }: Comparison,
  save: ReportPorts["save"],
  limit?: number,
): Promise<string> {
  const found = groupBy(measurements, ({ cell }) => cell.id);
  const lone = measurements.filter(({ cell }) => found.get(cell.id)?.length === 1);
  const notable = new Set(rows.filter(isNotable).map(({ cell }) => cell.id));
  const saveCell = async (measurement: Measurement) => {
    const text = documentText(measurement);
    await save(`cells/${measurement.cell.id}.json`, text);
    return byteLength(text);
  };
  try {
    const cells: SizedCell[] = [];
    for (const measurement of lone) cells.push({ measurement, bytes: await saveCell(measurement) });
    const { changed, dropped } = shortenedDocuments(cells, ({ cell }) => notable.has(cell.id), limit);
    for (const each of changed) await saveCell(each);
    return droppedSentence(dropped);
  } catch (error) {
    // A disk that cannot hold these cannot hold the report either, and the error is reported there.
    if (!(error instanceof EnvironmentError)) throw error;
    return "";
  }
}
