import { isAgingOpen } from "../../compare/aging.ts";
import { knownEffect } from "../../compare/diagnosed-cells.ts";
import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { isNonEmpty, type NonEmptyArray } from "../../lists/non-empty.ts";
import { byTurns, isScript, isSocket, mostSteps } from "../../model/endpoint/endpoint.ts";
import { closedPhase, longPhase } from "../../model/load/phases.ts";
import { slicingFor } from "../../model/load/slicing.ts";
import type { AgedPair, ArmName, Measurement } from "../../model/measurement/measurement.ts";
import { type Cell, isAlikeButForEndpoint } from "../../model/plan/cell.ts";
import { agedPair } from "../../model/plan/minutes.ts";
import type { Plan } from "../../model/plan/plan.ts";
import { type DocumentPorts, save } from "../cell-document.ts";
import { BaseFailure, type Prepared } from "../preparation/index.ts";
import { measureClosed, type PhasePorts } from "./phases.ts";
import {
  likenessOf,
  type RunningArm,
  type RunningArms,
  type ServerPorts,
  withRunningArms,
} from "./running-arms.ts";

const { youth: youthSeconds, least: leastSeconds, around: aroundSeconds } = agedPair;
/** In each part: the more evenly memory grows, the more certain is its growth. */
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
  ports: ServerPorts & PhasePorts & DocumentPorts,
): Promise<readonly Measurement[]> {
  const { soakSeconds = 0 } = design ?? {};
  const seconds = Math.min(soakSeconds - youthSeconds, secondsLeft - youthSeconds - aroundSeconds);
  const chosen = prepared.workload.targets === undefined ? agedCells(measurements) : [];
  if (!isNonEmpty(chosen) || seconds < leastSeconds || ports.signal.aborted) return measurements;
  const wholeSeconds = youthSeconds + seconds + aroundSeconds;
  ports.progress({ kind: "phase started", phase: "soak test", seconds: wholeSeconds });
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
      ports.progress({ kind: "warning", text: `the soak test failed: ${messageOf(error)}` });
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
  readonly seconds: number;
  readonly known: AgedPair["known"];
  /** Says after the first part whether a second one is needed. */
  readonly isOpen: (aged: AgedPair) => boolean;
}

async function measurePair(
  chosen: NonEmptyArray<Measurement>,
  { seconds, known, isOpen }: Aging,
  prepared: Prepared,
  ports: ServerPorts & PhasePorts,
): Promise<AgedPair> {
  const [first] = chosen;
  const endpoint = byTurns(chosen.map((each) => each.cell.endpoint)) ?? first.cell.endpoint;
  const cell: Cell = { ...first.cell, endpoint };
  const slicesMs = chosen.flatMap(({ replicates }) =>
    replicates.flatMap(({ pairs }) => pairs?.sliceMs ?? []),
  );
  const users = "virtualUsers" in cell.load ? cell.load.virtualUsers : 1;
  const phase = closedPhase(users, slicingFor(Math.max(...slicesMs) / 10));
  const hashSeed = ports.random();
  await Promise.all(prepared.leaving);
  return withRunningArms(cell, ["base", "head"], prepared, { seed: hashSeed }, ports, async (runningArms) => {
    const pair = { cell, runningArms, databases: prepared.databases };
    const load = (length: number) => {
      ports.progress({ kind: "load started", seconds: length });
      return measureClosed(pair, longPhase(phase, length), ports);
    };
    await load(youthSeconds);
    const before = ofArms(runningArms, ({ app }) => ({
      bytes: app.peakMemoryBytes(),
      peaks: app.peaksOfMemory?.().length,
    }));
    const agedBy = (parts: AgedPair["parts"]): AgedPair => ({
      cells: chosen.map((each) => each.cell.id),
      youthSeconds,
      parts,
      ...defined({ known }),
      memoryGrowthBytes: ofArms(runningArms, ({ app }, arm) => {
        const [was, is] = [before[arm]?.bytes, app.peakMemoryBytes()];
        return was === undefined || is === undefined ? undefined : Math.max(0, is - was);
      }),
      peakMemoryBytes: ofArms(runningArms, ({ app }, arm) =>
        evenly(app.peaksOfMemory?.().slice(before[arm]?.peaks) ?? [], stepsOfMemory * parts.length),
      ),
    });
    const part = async () => ({ ...(await load(seconds)), hashSeed, ...likenessOf(runningArms) });
    const parts = [await part()];
    const aged = agedBy(parts);
    return isOpen(aged) ? agedBy([...parts, await part()]) : aged;
  });
}

/** A value of each arm that has one. */
function ofArms<T>(
  runningArms: RunningArms,
  read: (runningArm: RunningArm, arm: ArmName) => T | undefined,
): Partial<Record<ArmName, T>> {
  const entries = [...runningArms].map(([arm, running]) => [arm, read(running, arm)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** As many even steps through all values, with both ends; `undefined` where there are too few. */
function evenly(values: readonly number[], steps: number): number[] | undefined {
  if (values.length <= steps) return undefined;
  const at = (step: number) => values[Math.round((step * (values.length - 1)) / steps)] ?? 0;
  return Array.from({ length: steps + 1 }, (_, step) => at(step));
}
