import type { Generators } from "../model/measurement/generators.ts";
import type { Measurement } from "../model/measurement/measurement.ts";
import type { Plan } from "../model/plan/plan.ts";
import type { GeneratorRecords } from "../model/scale/generator-records.ts";
import { mergeGenerators } from "../model/scale/merged-load.ts";
import { replicatesOfLoad, sliceMs } from "../model/scale/scaled-load.ts";
import { planMark } from "../model/scale/scaled-plan.ts";
import { type DocumentStart, finishedDocument } from "./cell-document.ts";

/** The document of a cell whose load several generators sent: one measurement, or why there is none. */
export function scaledDocument(
  start: DocumentStart,
  plan: Plan,
  records: readonly GeneratorRecords[],
): Measurement {
  const { cell } = start;
  const { run = "", count = 1 } = plan.generators ?? {};
  const expected = { cell: cell.id, plan: planMark(plan), run, count, sliceMs };
  const merging = mergeGenerators(records, expected);
  if ("load" in merging) {
    const { load } = merging;
    return {
      ...finishedDocument(start, replicatesOfLoad(load, cell, plan.design)),
      generators: { each: load.generators.map(generatorOf), problems: [] },
    };
  }
  const problems = merging.problems.slice(0, mostProblems).map((problem) => problem.slice(0, 1_000));
  const reason = problems.join("; ").slice(0, 1_000);
  return {
    ...start,
    status: "failed",
    failure: { phase: "read results", reason, logTail: "" },
    replicates: [],
    generators: { each: records.slice(0, 1_000).map(generatorOf), problems },
  };
}

const mostProblems = 20;

function generatorOf({ identity, end }: GeneratorRecords): Generators["each"][number] {
  const { segment, startMs, readyMs, begunMs, clock } = identity;
  return {
    segment,
    requests: end?.requests ?? 0,
    readyMs: readyMs - startMs,
    begunMs: begunMs - startMs,
    ...(clock !== null && { clockOffsetMs: clock.offsetMs, clockErrorMs: clock.errorMs }),
  };
}
