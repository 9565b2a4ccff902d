import { isAgingOpen } from "../../compare/aging.ts";
import { versusOf } from "../../compare/cell-comparison.ts";
import { knownEffect } from "../../compare/diagnosed-cells.ts";
import { isSlowerByMuch } from "../../compare/judgement.ts";
import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { isNonEmpty, type NonEmptyArray } from "../../lists/non-empty.ts";
import { byTurns, isScript, isSocket, mostSteps } from "../../model/endpoint/endpoint.ts";
import { closedPhase, longPhase } from "../../model/load/phases.ts";
import { latencyFittingMs, slicingFor } from "../../model/load/slicing.ts";
import {
  type AgedPair,
  type ArmName,
  armNames,
  type Measurement,
} from "../../model/measurement/measurement.ts";
import { type Cell, isAlikeButForEndpoint } from "../../model/plan/cell.ts";
import { agedPair, agedPairs, secondsForAge, secondsOfAged } from "../../model/plan/minutes.ts";
import type { Design, Plan } from "../../model/plan/plan.ts";
import type { ClockPorts } from "../../ports/machine.ts";
import { sum } from "../../statistics/estimate.ts";
import { type DocumentPorts, save } from "../cell-document.ts";
import { BaseFailure, type Prepared } from "../preparation/index.ts";
import { measureClosed, type Pair, type PhasePorts } from "./phases.ts";
import { likenessOf, runningArmOf, type ServerPorts, withRunningArms } from "./running-arms.ts";

const { youth: youthSeconds, around: aroundSeconds } = agedPair;
/** In each part: the more evenly memory grows, the more certain is its growth. */
const stepsOfMemory = 10;
/** Share of the machine's memory that all pairs may take: counted servers need some, too. */
const mostOfMemory = 0.3;

type AgingPorts = ServerPorts & PhasePorts;

interface Time {
  /** Seconds of the minutes for measuring. */
  readonly left: number;
  /** True when no cell needs more of them. */
  readonly areAllSettled: boolean;
}

/**
 * Lets servers live longer than in a replicate, if the minutes allow: periodic work, caches that expire, heaps and
 * connections that grow do not show in servers that live for seconds. All endpoints get requests, by turns. Three pairs side
 * by side are watched for as long as one in three times the time. A failure here changes no measurement. Where every endpoint
 * is clearly slower already, nothing that comes with age would be reported.
 */
export async function measureAgedPair(
  { design }: Pick<Plan, "design">,
  measurements: readonly Measurement[],
  prepared: Prepared,
  time: Time,
  ports: AgingPorts & ClockPorts & DocumentPorts,
): Promise<readonly Measurement[]> {
  const { soakSeconds = 0 } = design ?? {};
  const chosen = prepared.workload.targets === undefined ? agedCells(measurements) : [];
  if (!isNonEmpty(chosen) || design === undefined) return measurements;
  const versus = versusOf(measurements, design);
  if (chosen.every(({ cell }) => isSlowerByMuch(versus.get(cell.id)?.verdict))) return measurements;
  const endsAt = ports.clock() + time.left;
  const known = knownEffect(chosen, measurements, design);
  const attempt = async (pairs: number): Promise<AgedPair | undefined> => {
    const left = endsAt - ports.clock();
    // A cell that the noise keeps open must not lose its minutes to a long soak test.
    const most = time.areAllSettled ? left : Math.min(left, secondsForAge(design, pairs));
    const seconds = secondsOfAged(soakSeconds, pairs, most);
    if (seconds === 0 || ports.signal.aborted) return undefined;
    const wholeSeconds = youthSeconds + seconds + aroundSeconds;
    ports.progress({ kind: "phase started", phase: "soak test", seconds: wholeSeconds });
    const isOpen = (aged: AgedPair) => left >= wholeSeconds + seconds && isAgingOpen(aged, design);
    try {
      return await measurePairs(chosen, { seconds, pairs, known, isOpen }, prepared, ports);
    } catch (error) {
      if (!(error instanceof EnvironmentError || error instanceof BaseFailure)) throw error;
      if (pairs > 1) return await attempt(1); // the app may not run twice
      if (!ports.signal.aborted)
        ports.progress({ kind: "warning", text: `the soak test failed: ${messageOf(error)}` });
      return undefined;
    }
  };
  const pairs = agedPairs(soakSeconds);
  const haveSpace = canLiveSideBySide(prepared) && haveRoom(measurements, pairs, ports.machine.memoryBytes);
  const aged = await attempt(haveSpace ? pairs : 1);
  if (aged === undefined) return measurements;
  const document = { ...chosen[0], aged };
  await save(document, ports);
  return measurements.map((each) => (each === chosen[0] ? document : each));
}

/** True where two servers of one version do not share a port, or the files of a database. */
export function canLiveSideBySide({ workload: { server, database } }: Prepared): boolean {
  return server.port === undefined && database.kind !== "file";
}

/** The documents once all is measured: what young servers show by now counts as no effect of age. */
export async function withKnownEffect(
  measurements: readonly Measurement[],
  design: Design,
  ports: DocumentPorts,
): Promise<readonly Measurement[]> {
  return await Promise.all(
    measurements.map(async (each) => {
      if (each.aged === undefined) return each;
      const { known: _, ...aged } = each.aged;
      const chosen = measurements.filter(({ cell }) => aged.cells.includes(cell.id));
      const known = knownEffect(chosen, measurements, design);
      const document = { ...each, aged: { ...aged, ...defined({ known }) } };
      await save(document, ports);
      return document;
    }),
  );
}

function haveRoom(measurements: readonly Measurement[], pairs: number, memoryBytes: number): boolean {
  const peaks = measurements.flatMap(({ replicates }) =>
    replicates.flatMap(({ arms }) => Object.values(arms)),
  );
  const most = Math.max(0, ...peaks.map(({ peakMemoryBytes = 0 }) => peakMemoryBytes));
  return 2 * pairs * most <= mostOfMemory * memoryBytes;
}

/** True for a cell whose load is by slices, so that servers can get old under it. */
export function canAge({ endpoint }: Cell): boolean {
  return !isScript(endpoint) && !isSocket(endpoint);
}

/** Measured cells that the same servers can stand for: alike but for their endpoint. */
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
  readonly pairs: number;
  readonly known: AgedPair["known"];
  /** Says after the first part whether a second one is needed. */
  readonly isOpen: (aged: AgedPair) => boolean;
}

async function measurePairs(
  chosen: NonEmptyArray<Measurement>,
  { seconds, pairs, known, isOpen }: Aging,
  prepared: Prepared,
  ports: AgingPorts,
): Promise<AgedPair> {
  const [first] = chosen;
  const endpoint = byTurns(chosen.map((each) => each.cell.endpoint)) ?? first.cell.endpoint;
  const cell: Cell = { ...first.cell, endpoint };
  const slicesMs = chosen.flatMap(({ replicates }) =>
    replicates.flatMap(({ pairs }) => pairs?.sliceMs ?? []),
  );
  const users = "virtualUsers" in cell.load ? cell.load.virtualUsers : 1;
  const own = Math.ceil(users / pairs);
  const phase = closedPhase(own, slicingFor(latencyFittingMs(Math.max(...slicesMs), users), own));
  await Promise.all(prepared.leaving);
  return await withPairs(cell, pairs, prepared, ports, async (all) => {
    const load = async (length: number) => {
      ports.progress({ kind: "load started", seconds: length });
      const loads = all.map(async (pair) => ({
        ...(await measureClosed(pair, longPhase(phase, length), ports)),
        hashSeed: pair.hashSeed,
        ...likenessOf(pair.runningArms),
      }));
      await Promise.allSettled(loads); // no load goes on while servers stop
      return await Promise.all(loads);
    };
    await load(youthSeconds);
    const appsOf = (arm: ArmName) => all.map(({ runningArms }) => runningArmOf(runningArms, arm).app);
    const bytesOf = (arm: ArmName) => sum(appsOf(arm).map((app) => app.peakMemoryBytes() ?? Number.NaN));
    const peaksOf = (arm: ArmName) => appsOf(arm).map((app) => app.peaksOfMemory?.() ?? []);
    const young = byArm((arm) => ({ bytes: bytesOf(arm), looks: peaksOf(arm).map(({ length }) => length) }));
    const agedBy = (parts: AgedPair["parts"]): AgedPair => ({
      cells: chosen.map((each) => each.cell.id),
      youthSeconds,
      parts,
      ...defined({ known }),
      memoryGrowthBytes: byArm((arm) => {
        const grown = bytesOf(arm) - (young[arm]?.bytes ?? 0);
        return Number.isNaN(grown) ? undefined : Math.max(0, grown);
      }),
      peakMemoryBytes: byArm((arm) => {
        const since = peaksOf(arm).map((peaks, pair) => peaks.slice(young[arm]?.looks[pair]));
        return evenly(since, (stepsOfMemory * parts.length) / pairs);
      }),
    });
    const parts = await load(seconds);
    const aged = agedBy(parts);
    return isOpen(aged) ? agedBy([...parts, ...(await load(seconds))]) : aged;
  });
}

interface AgingPair extends Pair {
  readonly hashSeed: number;
}

/** Starts so many pairs, one after the other. */
async function withPairs<T>(
  cell: Cell,
  pairs: number,
  prepared: Prepared,
  ports: AgingPorts,
  use: (all: readonly AgingPair[]) => Promise<T>,
  started: readonly AgingPair[] = [],
): Promise<T> {
  if (started.length === pairs) return await use(started);
  const hashSeed = ports.random();
  const own = { ...cell, id: `${cell.id}-${started.length + 1}` }; // names its files
  return await withRunningArms(own, armNames, prepared, { seed: hashSeed }, ports, (runningArms) => {
    const pair = { cell: own, runningArms, databases: prepared.databases, hashSeed };
    return withPairs(cell, pairs, prepared, ports, use, [...started, pair]);
  });
}

/** A value of each arm that has one. */
function byArm<T>(read: (arm: ArmName) => T | undefined): Partial<Record<ArmName, T>> {
  return defined({ base: read("base"), head: read("head") }) as Partial<Record<ArmName, T>>;
}

/** As many even steps through all values, with both ends, added up; `undefined` where there are too few. */
function evenly(all: readonly (readonly number[])[], steps: number): number[] | undefined {
  if (all.some(({ length }) => length <= steps)) return undefined;
  const at = (step: number) =>
    sum(all.map((values) => values[Math.round((step * (values.length - 1)) / steps)] ?? 0));
  return Array.from({ length: steps + 1 }, (_, step) => at(step));
}
