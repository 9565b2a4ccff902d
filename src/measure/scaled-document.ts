import { groupBy } from "../lists/group.ts";
import { isScript } from "../model/endpoint/endpoint.ts";
import type { Generators } from "../model/measurement/generators.ts";
import type { Measurement, Replicate } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { Plan } from "../model/plan/plan.ts";
import type { GeneratorRecords } from "../model/scale/generator-records.ts";
import { mergeGenerators } from "../model/scale/merged-load.ts";
import { replicatesOfLoad, sliceMs } from "../model/scale/scaled-load.ts";
import { planMark } from "../model/scale/scaled-plan.ts";
import { mergeTurns, replicatesOfTurns } from "../model/scale/script-turns.ts";
import { sum } from "../statistics/estimate.ts";
import { type DocumentStart, finishedDocument } from "./cell-document.ts";

/** The document of a cell whose load several generators sent: one measurement, or why there is none. */
export function scaledDocument(
  start: DocumentStart,
  plan: Plan,
  records: readonly GeneratorRecords[],
): Measurement {
  const { cell } = start;
  const merging = isScript(cell.endpoint)
    ? mergedScript(cell, plan, records)
    : mergedLoad(cell, plan, records);
  if ("replicates" in merging) {
    const { replicates, used } = merging;
    return { ...finishedDocument(start, replicates), generators: { each: generatorsOf(used), problems: [] } };
  }
  const problems = merging.problems.slice(0, mostProblems).map((problem) => problem.slice(0, 1_000));
  const reason = problems.join("; ").slice(0, 1_000);
  return {
    ...start,
    status: "failed",
    failure: { phase: "read results", reason, logTail: "" },
    replicates: [],
    generators: { each: generatorsOf(records).slice(0, 1_000), problems },
  };
}

const mostProblems = 20;

type Merged =
  | { readonly replicates: Replicate[]; readonly used: readonly GeneratorRecords[] }
  | { readonly problems: readonly string[] };

function mergedLoad(cell: Cell, plan: Plan, records: readonly GeneratorRecords[]): Merged {
  const merging = mergeGenerators(records, { ...expectedOf(cell, plan), sliceMs });
  if ("problems" in merging) return merging;
  return { replicates: replicatesOfLoad(merging.load, cell, plan.design), used: merging.load.generators };
}

function mergedScript(cell: Cell, plan: Plan, records: readonly GeneratorRecords[]): Merged {
  const expected = expectedOf(cell, plan);
  const merging = mergeTurns(records, expected);
  if ("problems" in merging) return merging;
  const of = { ...expected, isCompared: plan.design !== undefined };
  return {
    replicates: replicatesOfTurns(merging.turns, of),
    used: merging.turns.flatMap(({ generators }) => generators),
  };
}

function expectedOf({ id }: Cell, plan: Plan) {
  const { run = "", count = 1 } = plan.generators ?? {};
  return { cell: id, plan: planMark(plan), run, count };
}

/** Each of the processes; with turns the latest of them counts. */
function generatorsOf(records: readonly GeneratorRecords[]): Generators["each"] {
  const processes = groupBy(records, ({ identity }) => identity.process);
  return [...processes.values()].flatMap((own) => own.slice(0, 1).map((first) => generatorOf(first, own)));
}

function generatorOf(
  { identity: { segment, clock } }: GeneratorRecords,
  own: readonly GeneratorRecords[],
): Generators["each"][number] {
  const latest = (key: "readyMs" | "begunMs") =>
    Math.max(...own.map(({ identity }) => identity[key] - identity.startMs));
  return {
    segment,
    requests: sum(own.map(({ end }) => end?.requests ?? 0)),
    readyMs: latest("readyMs"),
    begunMs: latest("begunMs"),
    ...(clock !== null && { clockOffsetMs: clock.offsetMs, clockErrorMs: clock.errorMs }),
  };
}
