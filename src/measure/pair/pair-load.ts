import { longerSlicing } from "../../compare/gates.ts";
import { saturationRate } from "../../compare/replicate-effect.ts";
import { isIteration, isSocket, pauseSecondsPerRequest } from "../../model/endpoint/endpoint.ts";
import type { Slice } from "../../model/load/load-records.ts";
import { closedPhase, hasOpenPhase, type LoadPhase, openPhase, openRate } from "../../model/load/phases.ts";
import { latencyToFitMs, type Slicing, slicingFor } from "../../model/load/slicing.ts";
import { cpuCount } from "../../model/measurement/cpu-list.ts";
import type { ArmName, Replicate, SlicePairs } from "../../model/measurement/measurement.ts";
import type { Cell } from "../../model/plan/cell.ts";
import { queueGrowth } from "./load.ts";
import { measureClosed, measureOpen, type Pair, type PhasePorts } from "./phases.ts";

/** Facts that a cell's first replicate finds out for all others. */
export interface CellMemory {
  /** Number of replicates begun so far. */
  replicates?: number;
  slicing?: Slicing;
  /** Set once it is decided; its `phase` is `undefined` when the cell has no open phase. */
  open?: { readonly phase: LoadPhase | undefined };
  /** Slowest of the first requests and the first warm-up: what loads things on first use does so after every start. */
  slowestMs?: number;
  /** Time that starting both servers took last time, with what comes before the load. */
  startSeconds?: number;
  /** The same until they were ready. */
  serversSeconds?: number;
  /** Order of the last two whole runs of a script. */
  order?: readonly ArmName[];
}

/** The loads of one replicate on both arms: at saturation, and in some replicates at one arrival rate. */
export async function measurePair(
  pair: Pair,
  { warm, warmupSeconds }: { readonly warm: readonly Slice[]; readonly warmupSeconds: number },
  memory: CellMemory,
  ports: PhasePorts,
): Promise<Replicate> {
  const { load } = pair.cell;
  const virtualUsers = "virtualUsers" in load ? load.virtualUsers : 1; // stages are never compared
  // Slices grow by the pauses between requests, so that they still hold as many cycles.
  const pauseMs = pauseSecondsPerRequest(pair.cell.endpoint) * 1_000;
  memory.slicing ??= slicingFor((latencyToFitMs(warm) ?? 0) * queueGrowth(load) + pauseMs);
  const index = memory.replicates ?? 0;
  memory.replicates = index + 1;
  const closed = closedPhase(virtualUsers, memory.slicing, { ...memory, warmupSeconds });
  ports.progress({ kind: "load started", seconds: closed.load.durationSeconds });
  const first = await measureClosed(pair, closed, ports);
  const replicate =
    (await measureAgain(pair, first.pairs, { pauseMs, virtualUsers }, memory, ports)) ?? first;
  memory.open ??= { phase: openPhaseOf(pair.cell, replicate.pairs, virtualUsers, ports) };
  const { phase } = memory.open;
  if (phase === undefined || !hasOpenPhase(index)) return replicate;
  ports.progress({ kind: "load started", seconds: phase.load.durationSeconds });
  return { ...replicate, open: await measureOpen(pair, phase, ports) };
}

/**
 * Measures the closed phase again when requests took longer than the warm-up showed: slices too short for them distort
 * the figures. All later replicates use the longer slices. Somebody's running app gets no second load.
 */
async function measureAgain(
  pair: Pair,
  pairs: SlicePairs,
  { pauseMs, virtualUsers }: { readonly pauseMs: number; readonly virtualUsers: number },
  memory: CellMemory,
  ports: PhasePorts,
): Promise<Awaited<ReturnType<typeof measureClosed>> | undefined> {
  const isElsewhere = [...pair.runningArms.values()].some(({ app }) => app.isElsewhere);
  const slicing = isElsewhere ? undefined : longerSlicing(pairs, pauseMs);
  if (slicing === undefined) return undefined;
  memory.slicing = slicing;
  const closed = closedPhase(virtualUsers, slicing, memory);
  ports.progress({ kind: "step", text: "once more, in longer slices" });
  ports.progress({ kind: "load started", seconds: closed.load.durationSeconds });
  return await measureClosed(pair, closed, ports);
}

/**
 * The open phase at the requested rate, else at a share of the base's capacity. An iteration has none, because its
 * requests wait for each other, and neither have messages through a WebSocket.
 */
function openPhaseOf(
  { load, endpoint }: Cell,
  pairs: SlicePairs,
  virtualUsers: number,
  { cpuSets, machine }: Pick<PhasePorts, "cpuSets" | "machine">,
): LoadPhase | undefined {
  if (isIteration(endpoint) || isSocket(endpoint)) return undefined;
  const capacity = saturationRate(pairs, "base", virtualUsers);
  const generatorCpus = cpuSets === undefined ? machine.cores : cpuCount(cpuSets.others);
  const rate = load.kind === "rate" ? load.requestsPerSecond : openRate(capacity, generatorCpus);
  return openPhase(rate, virtualUsers, (1_000 * virtualUsers) / capacity); // Little's law
}
