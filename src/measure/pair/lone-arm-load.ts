import { defined } from "../../lists/defined.ts";
import { isIteration, isScript } from "../../model/endpoint/endpoint.ts";
import { armRecordOf, slicesInTime } from "../../model/load/load-records.ts";
import { loneSlicing } from "../../model/load/slicing.ts";
import type { ArmName, Replicate } from "../../model/measurement/measurement.ts";
import { type Cell, loadSeconds } from "../../model/plan/cell.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { type LoadingPorts, putLoad, warmupLoad } from "./load.ts";
import { readCounters, startCounters } from "./resources.ts";
import { type RunningArms, runningArmOf, targetOf } from "./running-arms.ts";

const { sliceMs, blockMs } = loneSlicing;

/** True for loads that other tools make in the same way: the figures that those tools print are then kept, too. */
function isAsOtherTools({ endpoint, load }: Cell): boolean {
  return isIteration(endpoint) || load.kind === "stages" || load.kind === "requests";
}

/** Warms up one arm's server, loads it once as the cell says, and returns the counts. */
export async function measureAlone(
  cell: Cell,
  arm: ArmName,
  runningArms: RunningArms,
  warmupSeconds: number,
  ports: LoadingPorts & Pick<MeasurePorts, "cpuSets" | "progress">,
): Promise<Replicate> {
  const runningArm = runningArmOf(runningArms, arm);
  const request = {
    targets: [targetOf(runningArms, arm)],
    endpoint: cell.endpoint,
    sliceMs,
    seed: 1,
    cpus: ports.cpuSets?.others,
  } as const;
  if (warmupSeconds > 0 && !isScript(cell.endpoint)) {
    ports.progress({ kind: "step", text: "warming up" });
    const load = warmupLoad(cell.load, warmupSeconds);
    await putLoad(runningArms, "warm up", { ...request, load, name: `${cell.id}-warmup` }, ports);
  }
  const before = await startCounters(runningArm);
  ports.progress({ kind: "load started", seconds: loadSeconds(cell.load) });
  const { generator, slices, script } = await putLoad(
    runningArms,
    "load",
    { ...request, load: cell.load, name: cell.id, detailed: isAsOtherTools(cell) },
    ports,
  );
  const seconds = loadSeconds(cell.load) ?? generator.durationSeconds;
  const endMs = seconds * 1_000;
  const counted = cell.load.gracefulStopSeconds === 0 ? slicesInTime(slices, sliceMs, endMs) : slices;
  const record = armRecordOf(arm, counted, { sliceMs, blockMs, endMs });
  return {
    generator,
    ...defined({ script }),
    arms: { [arm]: { ...record, ...(await readCounters(runningArm, before)) } },
  };
}
