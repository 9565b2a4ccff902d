import { compare, withAccepted } from "../compare/compare.ts";
import type { Comparison } from "../compare/comparison.ts";
import { EnvironmentError, InputError } from "../errors/errors.ts";
import { defined } from "../lists/defined.ts";
import { groupBy } from "../lists/group.ts";
import {
  documentText,
  droppedSentence,
  parseMeasurements,
  parsePlan,
  planOf,
  type SizedCell,
  shortenedDocuments,
} from "../model/measurement/documents.ts";
import type { Measurement } from "../model/measurement/measurement.ts";
import { packed } from "../model/measurement/packed.ts";
import { checkOf, usualCheck } from "../model/thresholds/threshold.ts";
import type { Reporting } from "../model/workload/workload.ts";
import type { ReportPorts } from "../ports/report.ts";
import { exitStatusOf } from "../report/facts/outcome.ts";
import { byteLength } from "../text/length.ts";
import { plural } from "../text/numbers.ts";
import { reportNothing } from "./forge-outcomes.ts";

export interface Results {
  readonly comparison: Comparison;
  readonly measurements: readonly Measurement[];
}

/** Reads and compares the measurements. Throws an `InputError` when there are none. */
export async function compareResults(reporting: Reporting, ports: ReportPorts): Promise<Results> {
  const results = await readResults(reporting, ports).catch(async (error: unknown) => {
    if (error instanceof InputError) await reportNothing(reporting, ports);
    throw error;
  });
  if (results === undefined) {
    await reportNothing(reporting, ports);
    throw new InputError(["results-directory: contains neither a plan nor a result; run `measure` first"]);
  }
  return { ...results, comparison: await withAcceptances(results.comparison, ports) };
}

const noPlan = "There is no plan (`plan.json`), so cells without a result are not shown as missing.";

export async function readResults(
  { planText, check }: Pick<Reporting, "planText" | "check">,
  ports: ReportPorts,
): Promise<Results | undefined> {
  const text = planText ?? (await ports.readPlan());
  const planned = text === undefined ? undefined : parsePlan(text);
  const { measurements, ...read } = parseMeasurements(await ports.readCells(), packed);
  const plan = planned ?? planOf(measurements);
  const [lost] = read.warnings;
  if (plan === undefined && lost !== undefined) throw new InputError([`results-directory: ${lost}`]);
  if (plan === undefined) return undefined;
  const compared = compare(plan, measurements, checkOf(plan.check ?? usualCheck, check));
  const dropped = planText === undefined ? "" : await gatherCells(measurements, compared, ports.save);
  const comparison = {
    ...compared,
    ...defined({ program: ports.program }),
    warnings: [
      ...(text === undefined ? [noPlan] : []),
      ...read.warnings,
      ...compared.warnings,
      ...(dropped === "" ? [] : [dropped]),
    ],
  };
  return { comparison, measurements };
}

/** With accepted slowdowns, read only where something fails. The forge's refusal costs them alone. */
export async function withAcceptances(
  comparison: Comparison,
  { readAcceptances, progress }: Pick<ReportPorts, "readAcceptances" | "progress">,
): Promise<Comparison> {
  if (exitStatusOf(comparison) !== 1) return comparison;
  const outcome = await readAcceptances();
  if (outcome.kind !== "read") {
    if (outcome.kind === "failed")
      progress({ kind: "warning", text: `accepted slowdowns could not be read: ${outcome.reason}` });
    return comparison;
  }
  if (outcome.unread !== undefined)
    progress({
      kind: "warning",
      text: `${plural(outcome.unread.length, "`/loadtest accept` line")} could not be checked, because too many people wrote such lines; ask a member to write a new one`,
    });
  if (outcome.refused.length > 0)
    progress({
      kind: "warning",
      text: `ignored ${plural(outcome.refused.length, "`/loadtest accept` line")} by people without write access to this repository`,
    });
  const { accepted } = outcome;
  return accepted.length === 0 ? comparison : withAccepted(comparison, accepted);
}

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
  const notable = new Set(rows.filter((row) => row.isNotable).map(({ cell }) => cell.id));
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
