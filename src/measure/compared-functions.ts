import { startWithinSeconds } from "../diagnosis/diagnosis-phase.ts";
import { armCpu } from "../diagnosis/functions/arm-cpu.ts";
import type { ChangeFacts } from "../diagnosis/functions/change-facts.ts";
import { cpuChange } from "../diagnosis/functions/differences.ts";
import { flameOf } from "../diagnosis/functions/flame.ts";
import { foldedStacks } from "../diagnosis/functions/folded.ts";
import {
  asksForCalls,
  type FunctionsTold,
  functionFindings,
} from "../diagnosis/functions/function-findings.ts";
import { isTouched } from "../diagnosis/functions/reason.ts";
import { turnsOf } from "../diagnosis/functions/turns.ts";
import { messageOf } from "../errors/errors.ts";
import type { Flame } from "../model/findings/flame.ts";
import { type ArmName, armNames, type Measurement } from "../model/measurement/measurement.ts";
import { mostVirtualUsers } from "../model/measurement/open-files.ts";
import { type Cell, withSendingOf } from "../model/plan/cell.ts";
import type { Probe } from "../ports/app.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { changeFacts, countedCalls, measuredCpu } from "./change-facts.ts";
import { putLoad } from "./load.ts";
import type { Prepared, PreparedArm } from "./prepared.ts";
import { type RunningArm, targetOf, withRunningArms } from "./running-arms.ts";
import { readStacks } from "./stack-samples.ts";
import { inRepository } from "./watched-arm.ts";

/** Time of both arms together, of which the first part only wakes the servers up. */
const comparedSeconds = 7;
const warmupSeconds = 1;
/** Besides the load and the start of the servers. */
const besidesSeconds = 5;
/** Half of those that the cell was measured with: a turn's last requests count as its own, and more pairs tell more. */
const slicesMs = { least: 100, most: 500 } as const;
const mostCountingSeconds = 20;

type Arms = Readonly<Record<ArmName, PreparedArm>>;

/** What the samples say about a change, and the tree of functions that they are of. */
export interface ComparedFunctions extends FunctionsTold {
  readonly flame?: Flame | undefined;
}

/**
 * Which functions made a cell slower or faster: both arms run side by side, take turns under the cell's load, and tell
 * where their CPU time goes. Then each of them answers a few requests whose calls are counted.
 */
export async function compareFunctions(
  measurement: Measurement,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<ComparedFunctions> {
  const { base, head } = prepared.arms;
  const measured = measuredCpu(measurement);
  if (base === undefined || measured === undefined) return { findings: [], unexplained: [] };
  const arms: Arms = { base, head };
  const readyWithinSeconds = Math.min(prepared.workload.server.readyWithinSeconds, startWithinSeconds);
  const mostSeconds = readyWithinSeconds + comparedSeconds + besidesSeconds + mostCountingSeconds;
  using deadline = ports.startDeadline(ports.signal, mostSeconds);
  const limited = { ...ports, signal: deadline.signal };
  try {
    const { commits, workload } = prepared;
    const changes =
      commits.base === undefined ? undefined : await limited.changesSince(workload.app.folder, commits.base);
    const found = await changeFacts(measurement.cell, arms, changes, prepared, limited);
    const seen = await sampled(measurement, arms, found, prepared, limited);
    if (typeof seen === "string") return { findings: [], unexplained: [seen] };
    const facts = { ...found, measured, texts: seen.head.texts };
    // Another start of both arms, for those reasons that stand on it only.
    const calls = asksForCalls(seen.change, facts, seen.head.handler)
      ? await countedCalls(measurement.cell, arms, changes, prepared, limited).catch((error: unknown) => {
          // What the samples show is known already, and stands without counts, too.
          if (deadline.isOver && !ports.signal.aborted) return facts.calls;
          throw error;
        })
      : facts.calls;
    const told = functionFindings(seen.change, { ...facts, calls }, seen.head.handler);
    return { ...told, flame: seen.flame };
  } catch (error) {
    const reason = deadline.isOver ? `it took more than ${mostSeconds} s` : messageOf(error);
    return { findings: [], unexplained: [`the functions of both arms could not be compared: ${reason}`] };
  }
}

async function sampled(
  { cell, replicates }: Measurement,
  arms: Arms,
  facts: Omit<ChangeFacts, "measured" | "texts">,
  prepared: Prepared,
  ports: MeasurePorts,
) {
  const { changes } = facts;
  const usualMs = replicates.findLast(({ pairs }) => pairs !== undefined)?.pairs?.sliceMs ?? slicesMs.least;
  const sliceMs = Math.min(slicesMs.most, Math.max(slicesMs.least, Math.round(usualMs / 2)));
  const pairs = Math.floor((comparedSeconds * 1_000) / (2 * sliceMs));
  const endMs = pairs * 2 * sliceMs;
  await using base = await ports.openProbe("stacks");
  await using head = await ports.openProbe("stacks");
  const wholly = (probe: Probe, arm: ArmName) =>
    changes === undefined ? probe : inRepository(probe, arms[arm], changes, prepared);
  const leaving: Promise<void>[] = [];
  const name = `${cell.id}-functions`;
  try {
    const { load, ofBase, ofHead } = await withRunningArms(
      cell,
      armNames,
      { ...prepared, leaving },
      {
        seed: ports.random(),
        probes: { base: wholly(base, "base"), head: wholly(head, "head") },
      },
      ports,
      async (runningArms) => {
        await Promise.all([base.openWindow(name), head.openWindow(name)]);
        const load = await putTurns(cell, runningArms, { sliceMs, endMs, name }, ports);
        await Promise.all([base.openWindow(`${name} after`), head.openWindow(`${name} after`)]);
        const [ofBase, ofHead] = await Promise.all([
          readStacks(base, name, cell.workers),
          readStacks(head, name, cell.workers),
        ]);
        return { load, ofBase, ofHead };
      },
    );
    const { slices, startedMs } = load;
    if (startedMs === undefined) return "the load did not say when it began";
    const warmupPairs = Math.ceil((warmupSeconds * 1_000) / (2 * sliceMs));
    const turns = turnsOf(slices, { startedMs, sliceMs, warmupPairs, endMs });
    if (typeof ofBase === "string" || typeof ofHead === "string")
      return `the functions of both arms could not be compared: ${typeof ofBase === "string" ? ofBase : ofHead}`;
    await ports.save(`stacks/${cell.id}-base.folded`, foldedStacks(ofBase));
    await ports.save(`stacks/${cell.id}-head.folded`, foldedStacks(ofHead));
    const cpu = { base: armCpu(ofBase, turns.base), head: armCpu(ofHead, turns.head) };
    const change = cpuChange(cpu.base, cpu.head, (owner) => isTouched(owner, facts));
    return change === undefined
      ? "the functions of both arms could not be compared: requests are too slow for turns"
      : {
          change,
          head: cpu.head,
          flame: flameOf({ documents: ofHead, turns: turns.head }, { documents: ofBase, turns: turns.base }),
        };
  } finally {
    await Promise.allSettled(leaving);
  }
}

function putTurns(
  cell: Cell,
  runningArms: ReadonlyMap<ArmName, RunningArm>,
  { sliceMs, endMs, name }: { readonly sliceMs: number; readonly endMs: number; readonly name: string },
  ports: MeasurePorts,
) {
  const virtualUsers = Math.max(1, mostVirtualUsers(cell.load));
  return putLoad(
    runningArms,
    "load",
    {
      targets: [targetOf(runningArms, "base"), targetOf(runningArms, "head")],
      endpoint: cell.endpoint,
      load: withSendingOf(cell.load, {
        kind: "constant",
        virtualUsers,
        durationSeconds: endMs / 1_000,
        gracefulStopSeconds: 0,
      }),
      sliceMs,
      seed: 1,
      cpus: ports.cpuSets?.others,
      name,
    },
    ports,
  );
}
