import { EnvironmentError } from "../errors/errors.ts";
import { defined } from "../lists/defined.ts";
import type { Generators } from "../model/measurement/generator.ts";
import type { ArmName, Measurement } from "../model/measurement/measurement.ts";
import { type Cell, loadSeconds } from "../model/plan/cell.ts";
import type { Plan, PlannedGenerators } from "../model/plan/plan.ts";
import { generatorDocument, generatorDocumentName } from "../model/scale/generator-documents.ts";
import { type GeneratorRecords, parseGeneratorLogs } from "../model/scale/generator-records.ts";
import { mergeGenerators } from "../model/scale/merged-load.ts";
import {
  replicatesOfLoad,
  type ScaledLoad,
  scaledLoad,
  sliceMs,
  spacingSeconds,
} from "../model/scale/scaled-load.ts";
import { planMark, seedOf } from "../model/scale/scaled-plan.ts";
import { segmentOf, sequenceOf } from "../model/scale/segments.ts";
import type { LoadRequest, LoadTarget } from "../ports/load.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import {
  brokenDocument,
  type DocumentPorts,
  type DocumentStart,
  finishedDocument,
  save,
  startDocument,
} from "./cell-document.ts";
import { type ServerPorts, targetOf, tryEndpoints, withRunningArms } from "./pair/index.ts";
import type { Prepared } from "./preparation/index.ts";

const readySeconds = 7;
const mostProblems = 20;

type Ports = ServerPorts & DocumentPorts & Pick<MeasurePorts, "generateLoad" | "signal">;

/** Measures cells by generators that share each load: all here, or the one of this job of a matrix. */
export async function measureScaled(
  plan: Plan,
  planned: PlannedGenerators,
  prepared: Prepared,
  ports: Ports,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  const total = plan.cells.length;
  let startMs = planned.startMs;
  for (const [index, cell] of plan.cells.entries()) {
    if (ports.signal.aborted) break;
    ports.progress({ kind: "cell started", cell, index, total });
    const measurement = await measureCell(cell, plan, { ...planned, startMs }, prepared, ports);
    measurements.push(measurement);
    // One of several generators has no figures to report.
    if (prepared.workload.generators?.number === undefined || measurement.status !== "measured")
      ports.progress({ kind: "cell finished", measurement, index, total });
    if (startMs !== undefined) startMs += spacingSeconds(cell, plan.design) * 1_000;
  }
  return measurements;
}

async function measureCell(
  cell: Cell,
  plan: Plan,
  planned: PlannedGenerators,
  prepared: Prepared,
  ports: Ports,
): Promise<Measurement> {
  const { number } = prepared.workload.generators ?? {};
  const start = startDocument(cell, prepared, ports);
  // The cell of a matrix has documents of its generators alone: the report shows which one is missing.
  const saved = async (measurement: Measurement) => {
    if (number === undefined) await save(measurement, ports);
    return measurement;
  };
  try {
    const records = await recordsOf(cell, plan, planned, prepared, ports);
    if (number === undefined) return await saved(scaledDocument(start, plan, records));
    for (const each of records)
      await ports.save(generatorDocumentName(each, number), generatorDocument(each));
    return { ...start, replicates: [], status: "measured" };
  } catch (error) {
    return await saved(brokenDocument(start, [], error, ports));
  }
}

async function recordsOf(
  cell: Cell,
  plan: Plan,
  planned: PlannedGenerators,
  prepared: Prepared,
  ports: Ports,
): Promise<GeneratorRecords[]> {
  const scaled = scaledLoad(cell, plan.design);
  const { arms, load } = scaled;
  const { machine, signal } = ports;
  return await withRunningArms(cell, arms, prepared, {}, ports, async (runningArms) => {
    const absent = await tryEndpoints(cell, runningArms, prepared, ports);
    if (absent !== undefined) throw new EnvironmentError("dry request", absent.reason);
    const nowMs = Date.parse(ports.now());
    const startMs = planned.startMs ?? nowMs + readySeconds * 1_000;
    ports.progress({ kind: "load started", seconds: loadSeconds(load) });
    const numbers = numbersHere(planned, prepared);
    const outputs = await Promise.all(
      numbers.map((number) => {
        const request = {
          ...requestOf(cell, scaled, (arm) => targetOf(runningArms, arm), planned),
          name: `${cell.id}-generator-${number}`,
          generator: {
            ...{ cell: cell.id, run: planned.run, plan: planMark(plan), startMs },
            segment: segmentOf(number, planned.count),
            sequence: sequenceOf(planned.count),
            withinSeconds: Math.max(0, startMs - nowMs) / 1_000,
          },
        };
        return ports.generateLoad(request, signal);
      }),
    );
    return outputs.flatMap(({ records, cpuSeconds }) =>
      parseGeneratorLogs([records]).generators.map((each) => {
        // As a share of its part of the CPUs, which generators of one machine have in common.
        const share = (used: number) =>
          (used * numbers.length) / (machine.cores * Math.max(1, each.end?.durationSeconds ?? 1));
        return { ...each, ...(cpuSeconds !== undefined && { cpuShare: share(cpuSeconds) }) };
      }),
    );
  });
}

/** Numbers of the generators that run here: all, or the one of this job. They count from 1. */
function numbersHere({ count }: PlannedGenerators, { workload }: Prepared): number[] {
  const { number } = workload.generators ?? {};
  return number === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [number];
}

/** The load of each generator, but for what is its own. */
export function requestOf(
  cell: Cell,
  { arms, ...load }: ScaledLoad,
  target: (arm: ArmName) => LoadTarget,
  { run }: PlannedGenerators,
): Omit<LoadRequest, "name"> {
  const [first, ...others] = arms;
  return {
    targets: [target(first), ...others.map(target)],
    endpoint: cell.endpoint,
    seed: seedOf(run, cell.id),
    ...load,
  };
}

/** The document of a cell whose load several generators sent: one measurement, or why there is none. */
export function scaledDocument(
  start: DocumentStart,
  plan: Plan,
  records: readonly GeneratorRecords[],
): Measurement {
  const { cell } = start;
  const { run = "", count = 1 } = plan.generators ?? {};
  const merging = mergeGenerators(records, { cell: cell.id, plan: planMark(plan), run, count, sliceMs });
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

function generatorOf({ identity, end }: GeneratorRecords): Generators["each"][number] {
  const { segment, startMs, readyMs, begunMs, clock } = identity;
  return {
    segment,
    requests: end?.requests ?? 0,
    readyMs: readyMs - startMs,
    begunMs: begunMs - startMs,
    ...defined({ clockOffsetMs: clock?.offsetMs, clockErrorMs: clock?.errorMs }),
  };
}
