import { agingOf } from "../compare/aging.ts";
import { phaseLoad, phaseSliceMs, startWithinSeconds } from "../diagnosis/diagnosis-phase.ts";
import { type MemoryDocuments, parseMemoryDocuments } from "../diagnosis/memory/memory-documents.ts";
import { type KeptOf, memoryFindings } from "../diagnosis/memory/memory-findings.ts";
import { EnvironmentError } from "../errors/errors.ts";
import { byTurns, endpointLabel } from "../model/endpoint/endpoint.ts";
import type { ArmName, Measurement } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { Plan } from "../model/plan/plan.ts";
import type { Probe } from "../ports/app.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { sum } from "../statistics/estimate.ts";
import { shortenEnd } from "../text/length.ts";
import { putLoad } from "./load.ts";
import type { Prepared } from "./prepared.ts";
import { type RunningArm, targetOf } from "./running-arms.ts";
import { tellLines } from "./told-lines.ts";
import { withWatchedArm } from "./watched-arm.ts";

/** What is kept once and for all must be kept before one counts: caches, pools, compiled expressions. */
const warmupSeconds = 2;
const countedSeconds = 3;
/** Besides the load and the start of a server: to look through the memory takes a second or two. */
const besidesSeconds = 10;
/** Looks until all processes have told, and until one has. */
const mostLooks = { ofAll: 4, ofOne: 10 } as const;
const longestEndpoint = 300;

/**
 * Adds the lines that allocate what the head keeps more than the base, where its memory surely grows more: each arm
 * starts once more, with Python's allocations traced. A failure costs only that, and is told; `undefined` when the user
 * cancelled.
 */
export async function tellMemory(
  { aged, cell }: Measurement,
  diagnosis: Measurement["diagnosis"],
  { cells, design }: Plan,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<Measurement["diagnosis"]> {
  const aging = aged && design && agingOf(aged, design, 1);
  if (aging?.memoryGrowth === undefined || !aging.isMemoryGrowing) return diagnosis;
  const ofAged = cells.filter(({ id }) => aged?.cells.includes(id)).map(({ endpoint }) => endpoint);
  const looked: Cell = { ...cell, endpoint: byTurns(ofAged) ?? cell.endpoint };
  const { value, interval } = aging.memoryGrowth.extra;
  const measured = {
    value: value / 1_000,
    interval: interval && { low: interval.low / 1_000, high: interval.high / 1_000 },
  };
  const endpoint =
    ofAged.length > 1 ? undefined : shortenEnd(endpointLabel(looked.endpoint), longestEndpoint);
  const look = async () => {
    const kept = await keptOfArms(looked, prepared, ports);
    return typeof kept === "string" ? kept : memoryFindings(kept, { endpoint, measured });
  };
  return await tellLines("the lines that keep memory", look, diagnosis, prepared, ports);
}

/** What each arm keeps under the cell's load, or why that is not known. */
async function keptOfArms(
  cell: Cell,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<Readonly<Record<ArmName, KeptOf>> | string> {
  const readyWithinSeconds = Math.min(prepared.workload.server.readyWithinSeconds, startWithinSeconds);
  const mostSeconds = 2 * (readyWithinSeconds + warmupSeconds + countedSeconds + besidesSeconds);
  using deadline = ports.startDeadline(ports.signal, mostSeconds);
  const limited = { ...ports, signal: deadline.signal };
  const look = (arm: ArmName) =>
    withWatchedArm(arm, cell, { name: "memory" }, prepared, limited, (runningArm, probe) =>
      keptBy(cell, new Map([[arm, runningArm]]), arm, probe, limited),
    );
  try {
    const head = await look("head");
    if (typeof head === "string") return head;
    const base = await look("base");
    return typeof base === "string" ? base : { base, head };
  } catch (error) {
    if (deadline.isOver) throw new EnvironmentError("load", `it took more than ${mostSeconds} s`);
    throw error;
  }
}

async function keptBy(
  cell: Cell,
  runningArms: ReadonlyMap<ArmName, RunningArm>,
  arm: ArmName,
  probe: Probe,
  ports: MeasurePorts,
): Promise<KeptOf | string> {
  const name = `${cell.id}-memory`;
  const load = (seconds: number) => ({
    targets: [targetOf(runningArms, arm)] as const,
    endpoint: cell.endpoint,
    load: phaseLoad(cell.load, seconds),
    ...{ sliceMs: phaseSliceMs, seed: 1, cpus: ports.cpuSets?.others, name },
  });
  await probe.openWindow(`${name} warm-up`);
  await putLoad(runningArms, "warm up", load(warmupSeconds), ports);
  await probe.openWindow(name);
  await readMemory(probe, name);
  const { slices } = await putLoad(runningArms, "load", load(countedSeconds), ports);
  await probe.openWindow(`${name} after`);
  const { documents, doubts } = await readMemory(probe, `${name} after`);
  const requests = sum(slices.map((slice) => slice.requests));
  const [doubt = documents.length === 0 ? "no process told of it in time" : undefined] = doubts;
  if (doubt !== undefined) return doubt;
  return requests === 0 ? "no request was answered" : { documents, requests };
}

/** Waits until all processes have looked through their memory, which takes the longer the more there is. */
async function readMemory(probe: Probe, window: string): Promise<MemoryDocuments> {
  for (let look = 1; ; look += 1) {
    const read = parseMemoryDocuments(await probe.readFiles(), window);
    const isAll = read.documents.length > 0 && read.behind === 0;
    const most = read.documents.length > 0 ? mostLooks.ofAll : mostLooks.ofOne;
    if (isAll || read.doubts.length > 0 || look >= most) return read;
  }
}
