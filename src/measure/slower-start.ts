import { footprintChanges } from "../compare/footprint/footprint-change.ts";
import { startFindings } from "../diagnosis/start/start-findings.ts";
import type { StackDocument } from "../model/findings/stack-document.ts";
import type { ArmName, Measurement } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { Design } from "../model/plan/plan.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { Prepared } from "./prepared.ts";
import { withRunningArms } from "./running-arms.ts";
import { readStacks } from "./stack-samples.ts";
import { tellLines } from "./told-lines.ts";

/** CPU seconds that a worker of the head takes more when it starts, where that is surely more; otherwise `undefined`. */
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

/**
 * Adds the lines that make the head's server start more slowly: each arm starts once more, with samples of its stacks
 * from the first moment on. A failure costs only that, and is told; `undefined` when the user cancelled.
 */
export async function tellStart(
  { cell }: Measurement,
  measured: Estimate,
  diagnosis: Measurement["diagnosis"],
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<Measurement["diagnosis"]> {
  const look = async () => {
    const starts = await startsOf(cell, prepared, ports);
    return typeof starts === "string" ? starts : startFindings(starts, measured);
  };
  return await tellLines("the lines that slow the start", look, diagnosis, prepared, ports);
}

/** Samples of the start of one worker of each arm, or why there are none. */
async function startsOf(
  cell: Cell,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<Readonly<Record<ArmName, readonly StackDocument[]>> | string> {
  const head = await startOf(cell, "head", prepared, ports);
  if (typeof head === "string") return head;
  const base = await startOf(cell, "base", prepared, ports);
  return typeof base === "string" ? base : { base, head };
}

async function startOf(
  cell: Cell,
  arm: ArmName,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<readonly StackDocument[] | string> {
  const name = `${cell.id}-start`;
  const leaving: Promise<void>[] = [];
  await using probe = await ports.openProbe("stacks");
  await probe.openWindow(name); // before the server is there, so that all of its start counts
  try {
    return await withRunningArms(
      { ...cell, workers: 1 },
      [arm],
      { ...prepared, leaving },
      { probes: { base: probe, head: probe } },
      ports,
      async () => {
        await probe.openWindow(`${name} after`);
        return await readStacks(probe, name, 1);
      },
    );
  } finally {
    await Promise.allSettled(leaving);
  }
}
