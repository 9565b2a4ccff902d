import type { Workload } from "../core/config/config.ts";
import { EnvironmentError } from "../core/errors.ts";
import type { Cell } from "../core/measurement/cell.ts";
import type { Failure, Measurement } from "../core/measurement/measurement.ts";
import type { Plan } from "../core/measurement/plan.ts";
import type { MeasurePorts } from "../ports.ts";
import { measureAlone } from "./alone.ts";
import { failureOf, finishedDocument, save, startDocument } from "./document.ts";
import { type Ground, prepare } from "./ground.ts";
import { withStands } from "./stand.ts";
import { measureVersus } from "./versus.ts";

/**
 * Measures every cell of the plan and writes one document each, also for a cell that failed. A result is on disk
 * before the next one starts. Throws an `InputError` before anything is started when the app cannot be imported.
 *
 * @returns the Measurements in the order of the plan; fewer when the user cancelled
 */
export async function measure(plan: Plan, workload: Workload, ports: MeasurePorts): Promise<Measurement[]> {
  await ports.clearResults();
  await ports.save("plan.json", `${JSON.stringify(plan)}\n`);
  ports.progress({ kind: "plan", plan });
  let commits: Measurement["commits"] = {};
  let prepared: Ground;
  try {
    const head = await ports.commitOf(workload.app.folder);
    if (head !== undefined) commits = { head };
    prepared = await prepare(workload, commits, ports);
  } catch (error) {
    if (ports.signal.aborted) return []; // the plan is on disk, so the report shows every cell as missing
    if (!(error instanceof EnvironmentError)) throw error;
    return failAll(plan, failureOf(error), commits, ports);
  }
  await using ground = prepared;
  if (ground.loneArm !== undefined) {
    ports.progress({ kind: "warning", text: `no comparison: ${ground.loneArm.reason}` });
  }
  return ground.arms.base === undefined || plan.design === undefined
    ? await measureEachAlone(plan, ground, ports)
    : await measureVersus(plan.cells, plan.design, ground, ports);
}

async function measureEachAlone(plan: Plan, ground: Ground, ports: MeasurePorts): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const [index, cell] of plan.cells.entries()) {
    if (ports.signal.aborted) break;
    ports.progress({ kind: "cell started", cell, index, total: plan.cells.length });
    const measurement = await measureCell(cell, ground, ports);
    await save(measurement, ports);
    measurements.push(measurement);
    ports.progress({ kind: "cell finished", measurement, index, total: plan.cells.length });
  }
  return measurements;
}

async function measureCell(cell: Cell, ground: Ground, ports: MeasurePorts): Promise<Measurement> {
  const start = startDocument(cell, ground, ports);
  try {
    const replicate = await withStands(cell, ["head"], ground, { variables: {} }, ports, (stands) =>
      measureAlone(cell, "head", stands, ground.workload.warmupSeconds, ports),
    );
    return finishedDocument(start, [replicate]);
  } catch (error) {
    if (ports.signal.aborted) return { ...start, replicates: [], status: "cancelled" };
    if (!(error instanceof EnvironmentError)) throw error;
    return { ...start, replicates: [], status: "failed", failure: failureOf(error) };
  }
}

async function failAll(
  plan: Plan,
  failure: Failure,
  commits: Measurement["commits"],
  ports: MeasurePorts,
): Promise<Measurement[]> {
  const measurements = plan.cells.map((cell): Measurement => {
    return {
      schemaVersion: 1,
      cell,
      startedAt: ports.now(),
      commits,
      replicates: [],
      status: "failed",
      failure,
    };
  });
  for (const measurement of measurements) await save(measurement, ports);
  ports.progress({ kind: "nothing measured", failure });
  return measurements;
}
