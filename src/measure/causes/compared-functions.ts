import type { AddedFindings } from "../../diagnosis/added-findings.ts";
import { armCpu, turnsOf } from "../../diagnosis/functions/arm-cpu.ts";
import { type ChangeFacts, littleCpu } from "../../diagnosis/functions/change-facts.ts";
import { cpuChange } from "../../diagnosis/functions/differences.ts";
import { flameOf, foldedStacks } from "../../diagnosis/functions/flame.ts";
import { functionFindings, needsCalls, withFunctions } from "../../diagnosis/functions/function-findings.ts";
import { isTouched } from "../../diagnosis/functions/reason.ts";
import { messageOf } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import type { Flame } from "../../model/findings/diagnosis.ts";
import { armNames, type Measurement } from "../../model/measurement/measurement.ts";
import { mostVirtualUsers, withSendingOf } from "../../model/plan/cell.ts";
import { cellName } from "../../report/progress/cell-progress.ts";
import { putLoad } from "../pair/index.ts";
import { type Prepared, type PreparedArm, topFolderOf } from "../preparation/index.ts";
import { changeFacts, countedCalls, type FactsPorts, measuredCpu } from "./change-facts.ts";
import {
  type Diagnosis,
  probeOf,
  readStacks,
  readyWithin,
  type WatchPorts,
  within,
  withWatchedArms,
} from "./watched-servers.ts";

/** Time of both arms together, of which the first part only wakes the servers up. */
const comparedSeconds = 7;
const warmupSeconds = 1;
const besidesSeconds = 5;
/** Half of those that the cell was measured with: a turn's last requests count as its own, and more pairs tell more. */
const slicesMs = { least: 100, most: 500 } as const;
const mostCountingSeconds = 20;
const notCompared = "the functions of both arms could not be compared:";

type Ports = WatchPorts & FactsPorts;

interface ComparedFunctions extends AddedFindings {
  readonly flame?: Flame | undefined;
}

/** Adds the functions that made the head slower or faster; `undefined` when the user cancelled. */
export async function addFunctions(
  measurement: Measurement,
  diagnosis: NonNullable<Diagnosis>,
  prepared: Prepared,
  ports: Ports,
): Promise<Diagnosis> {
  const { head } = diagnosis;
  if (head === undefined) return diagnosis;
  const { comparing } = prepared.workload;
  const measured = measuredCpu(measurement, comparing);
  const little = measured && littleCpu(measurement, measured, comparing.minChange);
  if (little !== undefined) {
    const hasProblem = head.findings?.some(({ severity }) => severity === "problem") === true;
    const unseen = hasProblem ? head.unseen : [...head.unseen, little];
    return { ...diagnosis, head: { ...head, unseen } };
  }
  ports.progress({ kind: "step", text: `comparing the functions of ${cellName(measurement.cell)}` });
  const found = await compareFunctions(measurement, prepared, ports);
  if (ports.signal.aborted) return undefined;
  return { ...diagnosis, head: { ...withFunctions(head, found), ...defined({ flame: found.flame }) } };
}

/**
 * Which functions made a cell slower or faster: both arms run side by side, take turns under the cell's load, and tell
 * where their CPU time goes. Then each of them answers a few requests whose calls are counted.
 */
export async function compareFunctions(
  measurement: Measurement,
  prepared: Prepared,
  ports: Ports,
): Promise<ComparedFunctions> {
  const { base, head } = prepared.arms;
  const measured = measuredCpu(measurement, prepared.workload.comparing);
  if (base === undefined || measured === undefined) return { findings: [], unexplained: [] };
  const seconds = readyWithin(prepared) + comparedSeconds + besidesSeconds + mostCountingSeconds;
  try {
    return await within(seconds, prepared, ports, async (limited, deadline) => {
      const arms = { base, head };
      const { cell } = measurement;
      const { commits, workload } = prepared;
      const changes = commits.base && (await limited.changesSince(workload.app.folder, commits.base));
      const found = await changeFacts(cell, arms, changes || undefined, prepared, limited);
      const seen = await sampled(measurement, found, prepared, limited);
      if (typeof seen === "string") return { findings: [], unexplained: [seen] };
      const facts = { ...found, measured, texts: seen.head.texts };
      // Another start of both arms, only for the reasons that need it.
      const calls = needsCalls(seen.change, facts, seen.head.handler)
        ? await countedCalls(cell, facts.changes, prepared, limited).catch((error: unknown) => {
            // The findings of the samples are known already, and need no counts.
            if (deadline.isOver && !ports.signal.aborted) return facts.calls;
            throw error;
          })
        : facts.calls;
      return { ...functionFindings(seen.change, { ...facts, calls }, seen.head.handler), flame: seen.flame };
    });
  } catch (error) {
    return { findings: [], unexplained: [`${notCompared} ${messageOf(error)}`] };
  }
}

async function sampled(
  { cell, replicates }: Measurement,
  facts: Omit<ChangeFacts, "measured" | "texts">,
  prepared: Prepared,
  ports: WatchPorts & Pick<FactsPorts, "random">,
) {
  const { changes } = facts;
  const usualMs = replicates.findLast(({ pairs }) => pairs !== undefined)?.pairs?.sliceMs ?? slicesMs.least;
  const sliceMs = Math.min(slicesMs.most, Math.max(slicesMs.least, Math.round(usualMs / 2)));
  const pairs = Math.floor((comparedSeconds * 1_000) / (2 * sliceMs));
  const endMs = pairs * 2 * sliceMs;
  const name = `${cell.id}-functions`;
  const folderOf = changes && ((arm: PreparedArm) => topFolderOf(arm, changes, prepared));
  const options = { seed: ports.random(), watched: { purpose: "stacks", ...defined({ folderOf }) } } as const;
  const load = withSendingOf(cell.load, {
    kind: "constant",
    virtualUsers: Math.max(1, mostVirtualUsers(cell.load)),
    durationSeconds: endMs / 1_000,
    gracefulStopSeconds: 0,
  });
  return await withWatchedArms(cell, armNames, prepared, options, ports, async (runningArms) => {
    const probes = armNames.map((arm) => probeOf(runningArms, arm));
    const open = (window: string) => Promise.all(probes.map((probe) => probe.openWindow(window)));
    await open(name);
    const request = { endpoint: cell.endpoint, load, sliceMs, name };
    const { slices, startedMs } = await putLoad(runningArms, "load", request, ports);
    await open(`${name} after`);
    const stacks = await Promise.all(probes.map((probe) => readStacks(probe, name, cell.workers)));
    if (startedMs === undefined) return "the load did not record when it began";
    const warmupPairs = Math.ceil((warmupSeconds * 1_000) / (2 * sliceMs));
    const turns = turnsOf(slices, { startedMs, sliceMs, warmupPairs, endMs });
    const [ofBase = [], ofHead = []] = stacks;
    const unread = stacks.find((each) => typeof each === "string");
    if (typeof ofBase === "string" || typeof ofHead === "string") return `${notCompared} ${unread}`;
    await ports.save(`stacks/${cell.id}-base.folded`, foldedStacks(ofBase));
    await ports.save(`stacks/${cell.id}-head.folded`, foldedStacks(ofHead));
    const head = armCpu(ofHead, turns.head);
    const change = cpuChange(armCpu(ofBase, turns.base), head, (owner) => isTouched(owner, facts));
    const [documents, base] = [ofHead, { documents: ofBase, turns: turns.base }];
    return change === undefined
      ? `${notCompared} requests are too slow for turns`
      : { change, head, flame: flameOf({ documents, turns: turns.head }, base) };
  });
}
