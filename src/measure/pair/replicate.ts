import { isScript } from "../../model/endpoint/endpoint.ts";
import type { Slice } from "../../model/load/load-records.ts";
import { canWarmWithin, outlastsWarmup } from "../../model/load/phases.ts";
import { mergeStatuses } from "../../model/load/statuses.ts";
import { loneArmOf, noBase } from "../../model/measurement/lone-arm.ts";
import type { ArmName, LoneArm, Replicate } from "../../model/measurement/measurement.ts";
import type { Cell } from "../../model/plan/cell.ts";
import type { ClockPorts } from "../../ports/machine.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { noteShared, noteTroubles } from "../notices.ts";
import { BaseFailure, lackOf, type Prepared } from "../preparation/index.ts";
import { tryEndpoints } from "./dry-request.ts";
import { type CellMemory, measurePair, type PhasePorts, warmUp } from "./phases.ts";
import { likenessOf, type RunningArms, type ServerPorts, withRunningArms } from "./running-arms.ts";
import { measureAlone, measureRuns } from "./whole-loads.ts";

export type ReplicatePorts = ServerPorts & PhasePorts & ClockPorts & Pick<MeasurePorts, "isLacking">;

export interface ReplicateOutcome {
  readonly replicate: Replicate;
  readonly loneArm: LoneArm | undefined;
}

/** Measures one more cell on servers that run already. */
type MeasureMore = (cell: Cell, memory: CellMemory) => Promise<ReplicateOutcome>;

/**
 * Measures one replicate: fresh servers of both arms, on fresh databases, in random order, with one hash seed for both.
 *
 * @param sharing number of cells that are to be measured on these servers
 * @param use gets what was measured while the servers still run, and, where both do, a way to measure more on them
 */
export async function measureReplicate(
  { cell, memory, sharing }: { readonly cell: Cell; readonly memory: CellMemory; readonly sharing: number },
  prepared: Prepared,
  ports: ReplicatePorts,
  use: (outcome: ReplicateOutcome, measureMore?: MeasureMore) => Promise<void>,
): Promise<void> {
  // Equal in both arms, different in each replicate: hash order moves a process' speed by a percent.
  const hashSeed = ports.random();
  const order: ArmName[] = ports.random() % 2 === 0 ? ["base", "head"] : ["head", "base"];
  const isFirst = isUnknown(memory);
  const beganAt = ports.clock();
  try {
    await withRunningArms(cell, order, prepared, { seed: hashSeed }, ports, async (runningArms) => {
      memory.serversSeconds = ports.clock() - beganAt;
      const started = { runningArms, order, hashSeed, prepared };
      noteShared(cell, runningArms);
      await use(
        await measureOn(cell, memory, { ...started, start: { beganAt, sharing } }, ports),
        async (other, known) => {
          known.startSeconds = memory.startSeconds;
          const { slowestMs = 0 } = memory;
          return ofItsOwn(await measureOn(other, known, { ...started, slowestMs }, ports));
        },
      );
    });
  } catch (error) {
    if (!isFirst || ports.signal.aborted || !(error instanceof BaseFailure)) throw error;
    const { cause, isOfBoth } = error;
    const { head, base } = prepared.arms;
    const lack = base && (await lackOf(cause.message, { head, app: base.app }, ports));
    const reason = isOfBoth
      ? cause.message
      : `the base failed (${cause.phase}): ${cause.message}${lack ?? ""}`;
    const loneArm = noBase(reason, cause.logTail);
    const { warmupSeconds } = prepared.workload;
    const replicate = await withRunningArms(cell, ["head"], prepared, {}, ports, (runningArms) =>
      measureAlone(cell, "head", runningArms, warmupSeconds, ports),
    );
    await use({ replicate, loneArm });
  }
}

/** The most memory and connections so far are those of the endpoints before, too. */
function ofItsOwn({ replicate, loneArm }: ReplicateOutcome): ReplicateOutcome {
  const arms = Object.entries(replicate.arms).map(
    ([arm, { peakMemoryBytes: _, connections: __, ...rest }]) => [arm, rest],
  );
  return { replicate: { ...replicate, arms: Object.fromEntries(arms) }, loneArm };
}

function isUnknown({ slicing, order }: CellMemory): boolean {
  return slicing === undefined && order === undefined;
}

interface Started {
  readonly runningArms: RunningArms;
  readonly order: readonly ArmName[];
  readonly hashSeed: number;
  readonly prepared: Prepared;
  /** When theirs began, and number of cells that share it; absent for a cell for which they were not started. */
  readonly start?: { readonly beganAt: number; readonly sharing: number };
  /** Slowest first replies so far: what is loaded on first use is loaded already. */
  readonly slowestMs?: number;
}

async function measureOn(cell: Cell, memory: CellMemory, started: Started, ports: ReplicatePorts) {
  const { runningArms, order, hashSeed, prepared } = started;
  const pair = { cell, runningArms, databases: prepared.databases };
  const ofBoth = (replicate: Replicate): ReplicateOutcome => {
    noteTroubles(cell, runningArms);
    return { replicate: { ...replicate, hashSeed, ...likenessOf(runningArms) }, loneArm: undefined };
  };
  // Somebody's running app gets only the load that was allowed: no open phase, which may need more users.
  if (prepared.workload.targets !== undefined) memory.open = { phase: undefined };
  if (isScript(cell.endpoint)) {
    // Two replicates are A B B A: a drift of the machine, or of its heat, is in both arms alike.
    const { replicates: done = 0, order: last = order } = memory;
    const runs = done % 2 === 1 ? last.toReversed() : order;
    Object.assign(memory, { order: runs, replicates: done + 1 } satisfies CellMemory);
    return ofBoth(await measureRuns(pair, runs, ports));
  }
  const isFirst = isUnknown(memory);
  const warmed = await warmedUp(cell, memory, started, ports);
  if ("loneArm" in warmed) {
    const { loneArm, warmupSeconds } = warmed;
    const arm = loneArm.kind === "removed" ? "base" : "head";
    return { replicate: await measureAlone(cell, arm, runningArms, warmupSeconds, ports), loneArm };
  }
  // The first replicate also sends dry requests, so its time does not predict that of the others.
  const { start } = started;
  if (!isFirst && start !== undefined)
    memory.startSeconds = (ports.clock() - start.beganAt + warmed.warmupSeconds) / start.sharing;
  return ofBoth(await measurePair(pair, warmed, memory, ports));
}

/** Replies of both arms to a warm-up, and the seconds of it that the load is still to have; or why there is one arm. */
async function warmedUp(
  cell: Cell,
  memory: CellMemory,
  { runningArms, prepared, slowestMs: slowestSoFarMs = 0 }: Started,
  ports: ReplicatePorts,
): Promise<
  { warmupSeconds: number } & ({ readonly loneArm: LoneArm } | { readonly warm: readonly Slice[] })
> {
  const { warmupSeconds } = prepared.workload;
  const pair = { cell, runningArms, databases: prepared.databases };
  const { slicing, slowestMs = 0 } = memory;
  if (!isUnknown(memory)) {
    const isWithinLoad = slicing !== undefined && canWarmWithin(slicing, warmupSeconds, slowestMs);
    if (isWithinLoad) return { warm: [], warmupSeconds };
    return { warm: await warmUp(pair, warmupSeconds, ports), warmupSeconds: 0 };
  }
  const beganAt = ports.clock();
  const absent = await tryEndpoints(cell, runningArms, prepared, ports);
  const firstRepliesMs = (ports.clock() - beganAt) * 1_000;
  if (absent !== undefined) return { loneArm: absent, warmupSeconds };
  let warm = await warmUp(pair, warmupSeconds, ports);
  memory.slowestMs = Math.max(
    firstRepliesMs,
    slowestSoFarMs,
    ...warm.map(({ latencyMaxMs }) => latencyMaxMs),
  );
  // The warm-up may have seen only the slow first replies of fresh servers, but slices must fit the usual ones.
  if (outlastsWarmup(memory.slowestMs, warmupSeconds)) warm = await warmUp(pair, warmupSeconds, ports);
  const repliesOf = (arm: ArmName) =>
    mergeStatuses(warm.filter((slice) => slice.arm === arm).map(({ statuses }) => statuses));
  const loneArm = loneArmOf(cell.endpoint, { base: repliesOf("base"), head: repliesOf("head") });
  return { warmupSeconds: 0, ...(loneArm === undefined ? { warm } : { loneArm }) };
}
