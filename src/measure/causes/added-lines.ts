import { agingOf } from "../../compare/aging.ts";
import { footprintChanges } from "../../compare/footprint-change.ts";
import { type ArmMemory, memoryFindings } from "../../diagnosis/memory/memory-findings.ts";
import { type MemoryDocuments, parseMemoryDocuments } from "../../diagnosis/probe-documents.ts";
import { startFindings } from "../../diagnosis/start/start-findings.ts";
import { byTurns } from "../../model/endpoint/endpoint.ts";
import type { StackDocument } from "../../model/findings/stack-document.ts";
import type { ArmName, Measurement } from "../../model/measurement/measurement.ts";
import type { Cell } from "../../model/plan/cell.ts";
import type { Design, Plan } from "../../model/plan/plan.ts";
import type { Probe } from "../../ports/app.ts";
import { type Estimate, sum } from "../../statistics/estimate.ts";
import { putLoad, type RunningArms } from "../pair/index.ts";
import type { Prepared } from "../preparation/index.ts";
import {
  addLines,
  type Diagnosis,
  nameOf,
  probeOf,
  readStacks,
  readyWithin,
  type WatchPorts,
  watchedLoad,
  within,
  withWatchedArms,
} from "./watched-servers.ts";

/** What is allocated once and for all must be there before one counts: caches, pools, compiled expressions. */
const warmupSeconds = 2;
const countedSeconds = 3;
/** Besides the load and the start of a server: to look through the memory takes a second or two. */
const besidesSeconds = 10;
/** Reads until all processes have written, and until one has. */
const mostReads = { ofAll: 4, ofOne: 10 } as const;

/** Adds the lines that allocate what the head keeps beyond the base. `undefined`: the user cancelled. */
export async function addGrowingMemory(
  { aged, cell }: Measurement,
  diagnosis: Diagnosis,
  { cells, design }: Plan,
  prepared: Prepared,
  ports: WatchPorts,
): Promise<Diagnosis> {
  const aging = aged && design && agingOf(aged, design, 1);
  if (aging?.memoryGrowth === undefined || !aging.isMemoryGrowing) return diagnosis;
  const endpoints = cells.filter(({ id }) => aged?.cells.includes(id)).map(({ endpoint }) => endpoint);
  const loaded: Cell = { ...cell, endpoint: byTurns(endpoints) ?? cell.endpoint };
  const { value, interval } = aging.memoryGrowth.extra;
  const measured = {
    value: value / 1_000,
    interval: interval && { low: interval.low / 1_000, high: interval.high / 1_000 },
  };
  const endpoint = endpoints.length > 1 ? undefined : nameOf(loaded);
  const seconds = 2 * (readyWithin(prepared) + warmupSeconds + countedSeconds + besidesSeconds);
  const look = () =>
    within(seconds, prepared, ports, async (limited) => {
      const head = await keptBy("head", loaded, prepared, limited);
      if (typeof head === "string") return head;
      const base = await keptBy("base", loaded, prepared, limited);
      return typeof base === "string" ? base : memoryFindings({ base, head }, { endpoint, measured });
    });
  return await addLines("the lines that keep memory", look, diagnosis, prepared, ports);
}

/** What one worker of an arm keeps under the cell's load, or why that is not known. */
async function keptBy(
  arm: ArmName,
  cell: Cell,
  prepared: Prepared,
  ports: WatchPorts,
): Promise<ArmMemory | string> {
  const watched = { purpose: "memory" } as const;
  const one = { ...cell, workers: 1 };
  return await withWatchedArms(one, [arm], prepared, { watched }, ports, async (runningArms: RunningArms) => {
    const probe = probeOf(runningArms, arm);
    const name = `${cell.id}-memory`;
    const put = (phase: "warm up" | "load", seconds: number) => {
      const load = { ...watchedLoad(cell, seconds), name };
      return putLoad(runningArms, phase, load, ports);
    };
    await probe.openWindow(`${name} warm-up`);
    await put("warm up", warmupSeconds);
    await probe.openWindow(name);
    await readMemory(probe, name);
    const { slices } = await put("load", countedSeconds);
    await probe.openWindow(`${name} after`);
    const { documents, doubts } = await readMemory(probe, `${name} after`);
    const requests = sum(slices.map((slice) => slice.requests));
    const [doubt = documents.length === 0 ? "no process reported it in time" : undefined] = doubts;
    if (doubt !== undefined) return doubt;
    return requests === 0 ? "no request was answered" : { documents, requests };
  });
}

/** Waits until all processes have looked through their memory, which takes the longer the more there is. */
async function readMemory(probe: Probe, window: string): Promise<MemoryDocuments> {
  for (let count = 1; ; count += 1) {
    const read = parseMemoryDocuments(await probe.readFiles(), window);
    const isAll = read.documents.length > 0 && read.behind === 0;
    const most = read.documents.length > 0 ? mostReads.ofAll : mostReads.ofOne;
    if (isAll || read.doubts.length > 0 || count >= most) return read;
  }
}

/** Additional CPU seconds that a worker of the head takes to start; `undefined` where an increase is not certain. */
export function slowerStart(
  { replicates, cell, status }: Measurement,
  design: Design | undefined,
): Estimate | undefined {
  if (design === undefined || status !== "measured") return undefined;
  const start = footprintChanges(replicates, design).find(({ part }) => part === "startCpu");
  if (start?.kind !== "more") return undefined;
  const { arms, effect } = start;
  const ofBase = (share: number) => (share * arms.base) / cell.workers;
  return {
    value: (arms.head - arms.base) / cell.workers,
    interval: effect.interval && { low: ofBase(effect.interval.low), high: ofBase(effect.interval.high) },
  };
}

/** Adds the lines that make the head's start slower. `undefined`: the user cancelled. */
export async function addSlowStart(
  { cell }: Measurement,
  measured: Estimate,
  diagnosis: Diagnosis,
  prepared: Prepared,
  ports: WatchPorts,
): Promise<Diagnosis> {
  const look = async () => {
    await Promise.allSettled(prepared.leaving);
    const head = await startOf(cell, "head", prepared, ports);
    if (typeof head === "string") return head;
    const base = await startOf(cell, "base", prepared, ports);
    return typeof base === "string" ? base : startFindings({ base, head }, measured);
  };
  return await addLines("the lines that slow the start", look, diagnosis, prepared, ports);
}

async function startOf(
  cell: Cell,
  arm: ArmName,
  prepared: Prepared,
  ports: WatchPorts,
): Promise<readonly StackDocument[] | string> {
  const window = `${cell.id}-start`;
  const watched = { purpose: "stacks", window } as const;
  const one = { ...cell, workers: 1 };
  return await withWatchedArms(one, [arm], prepared, { watched }, ports, async (runningArms) => {
    const probe = probeOf(runningArms, arm);
    await probe.openWindow(`${window} after`);
    return await readStacks(probe, window, 1);
  });
}
