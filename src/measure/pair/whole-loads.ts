import { defined } from "../../lists/defined.ts";
import { isIteration, isScript } from "../../model/endpoint/endpoint.ts";
import { armRecordOf, slicesInTime } from "../../model/load/load-records.ts";
import { loneSlicing } from "../../model/load/slicing.ts";
import { recordOfRun, replicateOfRuns, type WholeRun } from "../../model/load/whole-run.ts";
import type { ArmName, Replicate } from "../../model/measurement/measurement.ts";
import type { ScriptResults } from "../../model/measurement/script-results.ts";
import { type Cell, loadSeconds } from "../../model/plan/cell.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { sum } from "../../statistics/estimate.ts";
import { type LoadingPorts, putLoad, warmupLoad } from "./load.ts";
import type { Pair, PhasePorts } from "./phases.ts";
import { type PairLoad, readCounters, startCounters, withResources } from "./resources.ts";
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

const nothing: ScriptResults = { checks: [], groups: [], metrics: [], thresholds: [] };

/** Runs a script of the user's own against both arms, one whole run after the other. */
export async function measureRuns(
  pair: Pair,
  order: readonly ArmName[],
  ports: PhasePorts,
): Promise<Replicate> {
  const load = () => bothRuns(pair, order, ports);
  return await withResources(pair.runningArms, pair.databases, load, ports);
}

/** One run of the script against one arm. */
interface Run extends WholeRun {
  readonly generatorCpuSeconds: number | undefined;
}

async function bothRuns(pair: Pair, order: readonly ArmName[], ports: PhasePorts): Promise<PairLoad> {
  const run = async (arm: ArmName) => {
    ports.progress({ kind: "step", text: `the script against the ${arm}` });
    return await runOf(arm, pair, ports);
  };
  const isBaseFirst = order[0] === "base";
  const early = await run(isBaseFirst ? "base" : "head");
  const late = await run(isBaseFirst ? "head" : "base");
  const [base, head] = isBaseFirst ? [early, late] : [late, early];
  const { load } = pair.cell;
  const cpu = [base.generatorCpuSeconds, head.generatorCpuSeconds].filter((each) => each !== undefined);
  return {
    replicate: replicateOfRuns(base, head),
    generatorCpuSeconds: cpu.length === 2 ? sum(cpu) : undefined,
    ...(load.kind === "script" && load.locust !== undefined && { generatorCpus: load.locust.processes ?? 1 }),
  };
}

async function runOf(arm: ArmName, { cell, runningArms }: Pair, ports: PhasePorts): Promise<Run> {
  const { sliceMs } = loneSlicing;
  const request = {
    targets: [targetOf(runningArms, arm)],
    endpoint: cell.endpoint,
    load: cell.load,
    isCompared: true,
    sliceMs,
    seed: 1,
    cpus: ports.cpuSets?.others,
    name: `${cell.id}-${arm}`,
  } as const;
  const result = await putLoad(runningArms, "load", request, ports);
  const { generator, slices, generatorCpuSeconds, script = nothing } = result;
  return {
    generator,
    generatorCpuSeconds,
    record: recordOfRun(arm, slices, generator.durationSeconds * 1_000),
    results: script,
  };
}
