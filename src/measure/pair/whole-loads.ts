import { defined } from "../../lists/defined.ts";
import { isIteration, isScript } from "../../model/endpoint/endpoint.ts";
import { clusteringOf } from "../../model/load/clustering.ts";
import { armRecordOf, type Slice, slicesInTime } from "../../model/load/load-records.ts";
import { loneSlicing } from "../../model/load/slicing.ts";
import type { Generator, ScriptResults } from "../../model/measurement/generator.ts";
import type { ArmName, ArmRecord, Replicate, SlicePairs } from "../../model/measurement/measurement.ts";
import { type Cell, loadSeconds } from "../../model/plan/cell.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { sum } from "../../statistics/estimate.ts";
import { noteTroubles } from "../notices.ts";
import { type LoadingPorts, putLoad, warmupLoad } from "./load.ts";
import type { Pair, PhasePorts } from "./phases.ts";
import { type PairLoad, readCounters, startCounters, withResources } from "./resources.ts";
import { type RunningArms, runningArmOf } from "./running-arms.ts";

const { sliceMs, blockMs } = loneSlicing;

/** True for loads that other tools make in the same way: the figures that those tools print are then recorded, too. */
function isAsOtherTools({ endpoint, load }: Cell): boolean {
  return isIteration(endpoint) || load.kind === "stages" || load.kind === "requests";
}

/** Warms up one arm's server, loads it once as the cell says, and returns the counts. */
export async function measureAlone(
  cell: Cell,
  arm: ArmName,
  runningArms: RunningArms,
  warmupSeconds: number,
  ports: LoadingPorts & Pick<MeasurePorts, "progress">,
): Promise<Replicate> {
  const runningArm = runningArmOf(runningArms, arm);
  const request = { arm, endpoint: cell.endpoint, sliceMs };
  if (warmupSeconds > 0 && !isScript(cell.endpoint)) {
    ports.progress({ kind: "step", text: "warming up" });
    const load = warmupLoad(cell.load, warmupSeconds);
    await putLoad(runningArms, "warm up", { ...request, load, name: `${cell.id}-warmup` }, ports);
  }
  const before = await startCounters(runningArm);
  ports.progress({ kind: "load started", seconds: loadSeconds(cell.load) });
  const load = { ...request, load: cell.load, name: cell.id, detailed: isAsOtherTools(cell) };
  const { generator, slices, script } = await putLoad(runningArms, "load", load, ports);
  noteTroubles(cell, runningArms);
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

async function bothRuns(
  { cell, runningArms }: Pair,
  order: readonly ArmName[],
  ports: PhasePorts,
): Promise<PairLoad> {
  const { endpoint, load } = cell;
  const run = async (arm: ArmName) => {
    ports.progress({ kind: "step", text: `running the script against the ${arm}` });
    const request = { arm, endpoint, load, isCompared: true, sliceMs, name: `${cell.id}-${arm}` } as const;
    const { script = nothing, ...result } = await putLoad(runningArms, "load", request, ports);
    const { generator, slices } = result;
    const record = recordOfRun(arm, slices, generator.durationSeconds * 1_000);
    return { ...result, record, results: script };
  };
  const isBaseFirst = order[0] === "base";
  const early = await run(isBaseFirst ? "base" : "head");
  const late = await run(isBaseFirst ? "head" : "base");
  const [base, head] = isBaseFirst ? [early, late] : [late, early];
  const cpu = [base, head].flatMap(({ generatorCpuSeconds }) => generatorCpuSeconds ?? []);
  return {
    replicate: replicateOfRuns(base, head),
    generatorCpuSeconds: cpu.length === 2 ? sum(cpu) : undefined,
    ...(load.kind === "script" && load.locust !== undefined && { generatorCpus: 1 }),
  };
}

/** A document holds no longer slice. */
const longestMs = 1e6;

interface WholeRun {
  readonly generator: Generator;
  readonly record: ArmRecord;
  readonly results: ScriptResults;
}

function recordOfRun(arm: ArmName, slices: readonly Slice[], endMs: number): ArmRecord {
  const latencyClustering = clusteringOf(slices.map(({ latency }) => latency));
  return {
    ...armRecordOf(arm, slices, { ...loneSlicing, endMs }),
    ...defined({ latencyClustering }),
  };
}

function replicateOfRuns(base: WholeRun, head: WholeRun) {
  return {
    generator: together(base.generator, head.generator),
    arms: { base: base.record, head: head.record },
    scripts: { base: base.results, head: head.results },
    pairs: pairsOf(base.generator, head.generator),
  } satisfies Replicate;
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
