import { loneSlicing } from "../../model/load/slicing.ts";
import { recordOfRun, replicateOfRuns, type WholeRun } from "../../model/load/whole-run.ts";
import type { ArmName, Replicate } from "../../model/measurement/measurement.ts";
import type { ScriptResults } from "../../model/measurement/script-results.ts";
import { sum } from "../../statistics/estimate.ts";
import { putLoad } from "./load.ts";
import type { Pair, PhasePorts } from "./phases.ts";
import { type PairLoad, withResources } from "./resources.ts";
import { targetOf } from "./running-arms.ts";

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
