import { clusteringOf } from "../model/load/clustering.ts";
import { armRecordOf } from "../model/load/load-records.ts";
import type { Generator } from "../model/measurement/generator.ts";
import type { ArmName, ArmRecord, Replicate, SlicePairs } from "../model/measurement/measurement.ts";
import type { ScriptResults } from "../model/measurement/script-results.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { sum } from "../statistics/estimate.ts";
import { putLoad } from "./load.ts";
import { loneSlicing } from "./lone-arm-load.ts";
import { type Pair, type PairLoad, withClustering, withResources } from "./phases.ts";
import { targetOf } from "./running-arms.ts";

/** A document holds no longer slice. */
const longestMs = 1e6;
const nothing: ScriptResults = { checks: [], groups: [], metrics: [], thresholds: [] };

/** Runs a script of the user's own against both arms, one whole run after the other. */
export async function measureRuns(
  pair: Pair,
  order: readonly ArmName[],
  ports: MeasurePorts,
): Promise<Replicate> {
  return await withResources(pair, () => bothRuns(pair, order, ports), ports);
}

/** One run of the script against one arm. */
interface Run {
  readonly generator: Generator;
  readonly generatorCpuSeconds: number | undefined;
  readonly record: ArmRecord;
  readonly results: ScriptResults;
}

async function bothRuns(pair: Pair, order: readonly ArmName[], ports: MeasurePorts): Promise<PairLoad> {
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
    replicate: {
      generator: together(base.generator, head.generator),
      arms: { base: base.record, head: head.record },
      scripts: { base: base.results, head: head.results },
      pairs: pairsOf(base.generator, head.generator),
    },
    generatorCpuSeconds: cpu.length === 2 ? sum(cpu) : undefined,
    ...(load.kind === "script" && load.locust !== undefined && { generatorCpus: load.locust.processes ?? 1 }),
  };
}

async function runOf(arm: ArmName, { cell, runningArms }: Pair, ports: MeasurePorts): Promise<Run> {
  const { sliceMs, blockMs } = loneSlicing;
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
  const endMs = generator.durationSeconds * 1_000;
  return {
    generator,
    generatorCpuSeconds,
    record: {
      ...armRecordOf(arm, slices, { sliceMs, blockMs, endMs }),
      ...withClustering(clusteringOf(slices.map(({ latency }) => latency))),
    },
    results: script,
  };
}

function together(base: Generator, head: Generator): Generator {
  const added = (figure: Exclude<keyof Generator, "details">) => base[figure] + head[figure];
  return {
    requests: added("requests"),
    failures: added("failures"),
    iterations: added("iterations"),
    droppedIterations: added("droppedIterations"),
    durationSeconds: added("durationSeconds"),
  };
}

/** The runs as one pair, as if a single user had sent all requests of a run. */
function pairsOf(base: Generator, head: Generator): SlicePairs {
  const whole = ({ requests, durationSeconds }: Generator) => ({
    cycles: [requests],
    cycleMs: [durationSeconds * 1_000],
  });
  const meanMs = (base.durationSeconds + head.durationSeconds) * 500;
  return {
    sliceMs: Math.min(longestMs, Math.max(1, meanMs)),
    isWholeRuns: true,
    arms: { base: whole(base), head: whole(head) },
  };
}
