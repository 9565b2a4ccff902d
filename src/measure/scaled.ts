import { EnvironmentError } from "../errors/errors.ts";
import type { ArmName, Measurement } from "../model/measurement/measurement.ts";
import { type Cell, loadSeconds } from "../model/plan/cell.ts";
import type { Plan, PlannedGenerators } from "../model/plan/plan.ts";
import { generatorDocument, generatorDocumentName } from "../model/scale/generator-documents.ts";
import { parseGeneratorLogs } from "../model/scale/generator-logs.ts";
import type { GeneratorRecords } from "../model/scale/generator-records.ts";
import { type ScaledLoad, scaledLoad, spacingSeconds } from "../model/scale/scaled-load.ts";
import { planMark, seedOf } from "../model/scale/scaled-plan.ts";
import { segmentOf, sequenceOf } from "../model/scale/segments.ts";
import type { LoadRequest, LoadTarget } from "../ports/load.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { failureOf, save, startDocument } from "./cell-document.ts";
import { tryEndpoints } from "./dry-request.ts";
import type { Prepared } from "./prepared.ts";
import { targetOf, withRunningArms } from "./running-arms.ts";
import { scaledDocument } from "./scaled-document.ts";

/** Time that generators of one machine have for getting ready. */
const readySeconds = 7;

/**
 * Measures cells by generators that share each load. All of them run here, or, as one job of a matrix, the one with
 * this number, which leaves its records for the report.
 */
export async function measureScaled(
  plan: Plan,
  planned: PlannedGenerators,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  const total = plan.cells.length;
  let startMs = planned.startMs;
  for (const [index, cell] of plan.cells.entries()) {
    if (ports.signal.aborted) break;
    ports.progress({ kind: "cell started", cell, index, total });
    const measurement = await measureCell(cell, plan, { ...planned, startMs }, prepared, ports);
    measurements.push(measurement);
    // One of several generators has no figures to tell.
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
  ports: MeasurePorts,
): Promise<Measurement> {
  const { number } = prepared.workload.generators ?? {};
  const start = startDocument(cell, prepared, ports);
  let measurement: Measurement;
  try {
    const records = await recordsOf(cell, plan, planned, prepared, ports);
    measurement = scaledDocument(start, plan, records);
    if (number !== undefined) {
      for (const each of records)
        await ports.save(generatorDocumentName(each, number), generatorDocument(each));
      return { ...start, replicates: [], status: "measured" };
    }
  } catch (error) {
    if (!ports.signal.aborted && !(error instanceof EnvironmentError)) throw error;
    const failed = { ...start, replicates: [] };
    measurement =
      ports.signal.aborted || !(error instanceof EnvironmentError)
        ? { ...failed, status: "cancelled" }
        : { ...failed, status: "failed", failure: failureOf(error) };
  }
  // The cell of a matrix has documents of its generators alone: the report says whose is missing.
  if (number === undefined) await save(measurement, ports);
  return measurement;
}

async function recordsOf(
  cell: Cell,
  plan: Plan,
  planned: PlannedGenerators,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<GeneratorRecords[]> {
  const scaled = scaledLoad(cell, plan.design);
  const { arms, load } = scaled;
  return await withRunningArms(cell, arms, prepared, {}, ports, async (runningArms) => {
    const absent = await tryEndpoints(cell, runningArms, prepared, ports);
    if (absent !== undefined) throw new EnvironmentError("dry request", absent.reason);
    const nowMs = Date.parse(ports.now());
    const startMs = planned.startMs ?? nowMs + readySeconds * 1_000;
    ports.progress({ kind: "load started", seconds: loadSeconds(load) });
    const requests = numbersHere(planned, prepared).map((each) => ({
      ...requestOf(cell, scaled, (arm) => targetOf(runningArms, arm), planned),
      name: `${cell.id}-generator-${each}`,
      generator: {
        cell: cell.id,
        run: planned.run,
        plan: planMark(plan),
        segment: segmentOf(each, planned.count),
        sequence: sequenceOf(planned.count),
        startMs,
        withinSeconds: Math.max(0, startMs - nowMs) / 1_000,
      },
    }));
    const outputs = await Promise.all(requests.map((request) => ports.generateLoad(request, ports.signal)));
    return outputs.flatMap(({ records, cpuSeconds }) =>
      parseGeneratorLogs([records]).generators.map((each) => ({
        ...each,
        ...(cpuSeconds !== undefined && { cpuShare: cpuShareOf(cpuSeconds, each, requests.length, ports) }),
      })),
    );
  });
}

/** Numbers of the generators that run here: all, or the one of this job. They count from 1. */
function numbersHere({ count }: PlannedGenerators, { workload }: Prepared): number[] {
  const { number } = workload.generators ?? {};
  return number === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [number];
}

/** CPU time of k6 as a share of its part of the CPUs, which generators of one machine have in common. */
function cpuShareOf(
  cpuSeconds: number,
  { end }: Pick<GeneratorRecords, "end">,
  together: number,
  { machine }: Pick<MeasurePorts, "machine">,
): number {
  return (cpuSeconds * together) / (machine.cores * Math.max(1, end?.durationSeconds ?? 1));
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
