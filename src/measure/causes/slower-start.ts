import { footprintChanges } from "../../compare/footprint-change.ts";
import { startFindings } from "../../diagnosis/start/start-findings.ts";
import type { StackDocument } from "../../model/findings/stack-document.ts";
import type { ArmName, Measurement } from "../../model/measurement/measurement.ts";
import type { Cell } from "../../model/plan/cell.ts";
import type { Design } from "../../model/plan/plan.ts";
import type { Estimate } from "../../statistics/estimate.ts";
import type { Prepared } from "../preparation/index.ts";
import {
  addLines,
  type Diagnosis,
  probeOf,
  readStacks,
  type WatchPorts,
  withWatchedArms,
} from "./watched-servers.ts";

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

/** Samples of the start of one worker, or why there are none. */
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
