import { isAgingOpen } from "../compare/aging.ts";
import { knownEffect } from "../compare/known-effect.ts";
import { EnvironmentError, messageOf } from "../errors/errors.ts";
import { isNonEmpty, type NonEmptyArray } from "../lists/non-empty.ts";
import { byTurns, isScript, isSocket, mostSteps } from "../model/endpoint/endpoint.ts";
import { closedPhase, longPhase } from "../model/load/phases.ts";
import { slicingFor } from "../model/load/slicing.ts";
import { type AgedPair, type ArmName, armNames, type Measurement } from "../model/measurement/measurement.ts";
import { type Cell, isAlikeButForEndpoint } from "../model/plan/cell.ts";
import { agedPair } from "../model/plan/minutes.ts";
import type { Plan } from "../model/plan/plan.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { save } from "./cell-document.ts";
import { measureClosed } from "./phases.ts";
import type { Prepared } from "./prepared.ts";
import { BaseFailure, likenessOf, type RunningArm, withRunningArms } from "./running-arms.ts";

const { youth: youthSeconds, least: leastSeconds, around: aroundSeconds } = agedPair;
/** In each part: how evenly memory grows tells how sure its growth is. */
const stepsOfMemory = 10;

/**
 * Lets one pair of servers live for a minute, at the end and if the minutes allow: periodic work, caches that expire,
 * heaps and connections that grow do not show in servers that live for seconds. All endpoints get requests, by turns.
 * A failure here changes no measurement.
 *
 * @param secondsLeft of the minutes for measuring
 */
export async function measureAgedPair(
  { design }: Pick<Plan, "design">,
  measurements: readonly Measurement[],
  prepared: Prepared,
  secondsLeft: number,
  ports: MeasurePorts,
): Promise<readonly Measurement[]> {
  const { serverAgeSeconds = 0 } = design ?? {};
  const seconds = Math.min(serverAgeSeconds - youthSeconds, secondsLeft - youthSeconds - aroundSeconds);
  const chosen = prepared.workload.targets === undefined ? agedCells(measurements) : [];
  if (!isNonEmpty(chosen) || seconds < leastSeconds || ports.signal.aborted) return measurements;
  ports.progress({ kind: "step", text: `one pair of servers for ${Math.round(youthSeconds + seconds)} s` });
  try {
    const isLong = secondsLeft >= youthSeconds + 2 * seconds + aroundSeconds;
    const isOpen = (aged: AgedPair) => isLong && design !== undefined && isAgingOpen(aged, design);
    const known = design && knownEffect(chosen, measurements, design);
    const aged = await measurePair(chosen, { seconds, known, isOpen }, prepared, ports);
    const document = { ...chosen[0], aged };
    await save(document, ports);
    return measurements.map((each) => (each === chosen[0] ? document : each));
  } catch (error) {
    if (!(error instanceof EnvironmentError || error instanceof BaseFailure)) throw error;
    if (!ports.signal.aborted)
      ports.progress({ kind: "warning", text: `no pair of servers got old: ${messageOf(error)}` });
    return measurements;
  }
}

/** True for a cell whose load is by slices, so that a pair of servers can get old under it. */
export function canAge({ endpoint }: Cell): boolean {
  return !isScript(endpoint) && !isSocket(endpoint);
}

/** Measured cells that one pair of servers can stand for: alike but for their endpoint. */
function agedCells(measurements: readonly Measurement[]): readonly Measurement[] {
  const compared = measurements.filter(
    ({ cell, status, replicates }) =>
      status === "measured" && canAge(cell) && replicates.some(({ pairs }) => pairs !== undefined),
  );
  const [first] = compared;
  if (first === undefined) return [];
  const isAlike = ({ cell }: Measurement) => isAlikeButForEndpoint(cell, first.cell);
  if (!("path" in first.cell.endpoint)) return [first];
  return compared.filter((each) => isAlike(each) && "path" in each.cell.endpoint).slice(0, mostSteps);
}

interface Aging {
  /** Length of a part. */
  readonly seconds: number;
  /** Known already. */
  readonly known: AgedPair["known"];
  /** Says after the first part whether a second one is needed. */
  readonly isOpen: (aged: AgedPair) => boolean;
}

async function measurePair(
  chosen: NonEmptyArray<Measurement>,
  { seconds, known, isOpen }: Aging,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<AgedPair> {
  const [first] = chosen;
  const endpoint = byTurns(chosen.map((each) => each.cell.endpoint)) ?? first.cell.endpoint;
  const cell: Cell = { ...first.cell, endpoint };
  const sliceMs = Math.max(
    ...chosen.flatMap(({ replicates }) => replicates.flatMap(({ pairs }) => pairs?.sliceMs ?? [])),
  );
  const users = "virtualUsers" in cell.load ? cell.load.virtualUsers : 1;
  const phase = closedPhase(users, slicingFor(sliceMs / 10));
  const hashSeed = ports.random();
  await Promise.all(prepared.leaving);
  return withRunningArms(cell, ["base", "head"], prepared, { seed: hashSeed }, ports, async (runningArms) => {
    const pair = { cell, runningArms, databases: prepared.databases };
    const load = (length: number) => {
      ports.progress({ kind: "load started", seconds: length });
      return measureClosed(pair, longPhase(phase, length), ports);
    };
    await load(youthSeconds);
    const before = memoryOf(runningArms);
    const looksBefore = looksOf(runningArms);
    const agedBy = (parts: AgedPair["parts"]): AgedPair => ({
      cells: chosen.map((each) => each.cell.id),
      youthSeconds,
      parts,
      ...(known !== undefined && { known }),
      memoryGrowthBytes: growthSince(before, memoryOf(runningArms)),
      peakMemoryBytes: peaksSince(looksBefore, runningArms, stepsOfMemory * parts.length),
    });
    const same = { hashSeed, ...likenessOf(runningArms) };
    const part = { ...(await load(seconds)), ...same };
    const aged = agedBy([part]);
    return isOpen(aged) ? agedBy([part, { ...(await load(seconds)), ...same }]) : aged;
  });
}

/** Looks at each arm's memory so far. */
function looksOf(runningArms: ReadonlyMap<ArmName, RunningArm>): ReadonlyMap<ArmName, number> {
  return new Map([...runningArms].map(([arm, { app }]) => [arm, app.peaksOfMemory?.().length ?? 0]));
}

/** At even times since those looks; none where there were too few. */
function peaksSince(
  before: ReadonlyMap<ArmName, number>,
  runningArms: ReadonlyMap<ArmName, RunningArm>,
  steps: number,
): NonNullable<AgedPair["peakMemoryBytes"]> {
  const peaks: Partial<Record<ArmName, number[]>> = {};
  for (const [arm, { app }] of runningArms) {
    const since = app.peaksOfMemory?.().slice(before.get(arm)) ?? [];
    if (since.length <= steps) continue;
    const at = (step: number) => since[Math.round((step * (since.length - 1)) / steps)] ?? 0;
    peaks[arm] = Array.from({ length: steps + 1 }, (_, step) => at(step));
  }
  return peaks;
}

type Memory = ReadonlyMap<ArmName, number | undefined>;

function growthSince(before: Memory, after: Memory): AgedPair["memoryGrowthBytes"] {
  const growth: Partial<Record<ArmName, number>> = {};
  for (const arm of armNames) {
    const [was, is] = [before.get(arm), after.get(arm)];
    if (was !== undefined && is !== undefined) growth[arm] = Math.max(0, is - was);
  }
  return growth;
}

function memoryOf(runningArms: ReadonlyMap<ArmName, RunningArm>): Memory {
  return new Map([...runningArms].map(([arm, { app }]) => [arm, app.peakMemoryBytes()]));
}
