import { compare } from "../compare/compare.ts";
import type { Comparison } from "../compare/comparison.ts";
import { InputError } from "../errors/errors.ts";
import { parseMeasurements, parsePlan, planOf } from "../model/measurement/documents.ts";
import type { Measurement } from "../model/measurement/measurement.ts";
import { checkOf } from "../model/plan/check.ts";
import { isOfGenerator, parseGenerators } from "../model/scale/generator-documents.ts";
import type { Reporting } from "../model/workload/workload.ts";
import type { ReportPorts } from "../ports/report.ts";
import { withAcceptances } from "./accepted-cells.ts";
import { gatherCells } from "./gathered-cells.ts";
import { reportNothing } from "./no-report.ts";
import { readGeneratorLogs, scaledCells } from "./scaled-cells.ts";

/** The inputs of a report. */
export interface Results {
  readonly comparison: Comparison;
  readonly measurements: readonly Measurement[];
}

/**
 * Reads the measurements and compares them. Throws an `InputError` when there are none, after correcting an earlier
 * comment.
 */
export async function compareResults(reporting: Reporting, ports: ReportPorts): Promise<Results> {
  const results = await readResults(reporting, ports).catch(async (error: unknown) => {
    if (error instanceof InputError) await reportNothing(reporting, ports);
    throw error;
  });
  if (results === undefined) {
    await reportNothing(reporting, ports);
    throw new InputError(["results-folder: holds neither a plan nor a result; run `measure` first"]);
  }
  return { ...results, comparison: await withAcceptances(results.comparison, ports) };
}

const noPlan =
  "There was no plan (`plan.json`): cells that left no result are not known, and so not shown as missing.";

/** `undefined` when there is neither a plan nor a result. */
async function readResults(
  { planText, check, logs = [] }: Reporting,
  ports: ReportPorts,
): Promise<Results | undefined> {
  const documents = await ports.readCells();
  const { measurements: whole, ...read } = parseMeasurements(
    documents.filter((each) => !isOfGenerator(each)),
  );
  const ofJobs = parseGenerators(documents.filter(isOfGenerator));
  const ofLogs = readGeneratorLogs(await ports.readLogs(logs));
  const records = [...ofJobs.records, ...ofLogs.records];
  if (planText !== undefined) await gatherCells(documents, whole, ports.save);
  const text = planText ?? (await ports.readPlan());
  if (text === undefined && records.length > 0)
    throw new InputError([
      "results-folder: has no plan.json, without which generators' records say too little",
    ]);
  const plan = text === undefined ? planOf(whole) : parsePlan(text);
  if (plan === undefined) return undefined;
  const scaled = scaledCells(plan, records);
  const measurements = [...whole, ...scaled.measurements];
  const warnings = [...read.warnings, ...ofJobs.warnings, ...ofLogs.warnings, ...scaled.warnings];
  const compared = compare(plan, measurements);
  const comparison = {
    ...compared,
    check: checkOf(compared.check, check),
    warnings: [...(text === undefined ? [noPlan] : []), ...warnings, ...compared.warnings],
  };
  return { comparison, measurements };
}
