import { changedCells, diagnosedCells, mayAgeSlower } from "../../compare/diagnosed-cells.ts";
import { diagnosePhase, loadSeconds } from "../../diagnosis/diagnosis-phase.ts";
import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { byTurns } from "../../model/endpoint/endpoint.ts";
import { type ArmDiagnosis, nothingSeen } from "../../model/findings/diagnosis.ts";
import type { ArmName, Measurement } from "../../model/measurement/measurement.ts";
import type { Cell } from "../../model/plan/cell.ts";
import { diagnosisSeconds, phaseSeconds } from "../../model/plan/minutes.ts";
import type { Plan } from "../../model/plan/plan.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { cellName } from "../../report/progress/cell-progress.ts";
import { lastLines } from "../../text/length.ts";
import { save } from "../cell-document.ts";
import { putLoad, type RunningArms, runningArmOf } from "../pair/index.ts";
import { BaseFailure, type Prepared } from "../preparation/index.ts";
import { addGrowingMemory, addSlowStart, slowerStart } from "./added-lines.ts";
import type { FactsPorts } from "./change-facts.ts";
import { addFunctions } from "./compared-functions.ts";
import { addRequestCpu } from "./request-cpu.ts";
import {
  cpusOf,
  type Diagnosis,
  locateIn,
  probeOf,
  readyWithin,
  startingWithin,
  type WatchPorts,
  watchedLoad,
  within,
  withWatchedArms,
} from "./watched-servers.ts";

/** Share of the minutes for measuring: where no change is certain, diagnosing many endpoints must not take longer. */
const doubtfulShare = 0.5;
/** Seconds of load where something appears over time: it must appear again during the diagnosis. */
const agedLoadSeconds = 25;

/** Looks for causes, cell by cell, under the probe. A failure is noted, and no measurement changes. */
export async function diagnose(
  plan: Plan,
  measurements: readonly Measurement[],
  prepared: Prepared,
  ports: WatchPorts & FactsPorts & Pick<MeasurePorts, "clock">,
): Promise<Measurement[]> {
  const { design } = plan;
  const wanted = prepared.workload.diagnose;
  const chosen = diagnosedCells(measurements, design, wanted);
  const changed = changedCells(measurements, design);
  const slowest = measurements.find((each) => slowerStart(each, design) !== undefined);
  const untilSeconds = ports.clock() + doubtfulShare * 60 * (design?.maxMinutes ?? Number.POSITIVE_INFINITY);
  const causesOf = async (measurement: Measurement): Promise<Diagnosis> => {
    const change = changed.get(measurement.cell.id);
    const isSure = change !== undefined || mayAgeSlower(measurement, design) || wanted === "always";
    const isWanted = chosen.has(measurement.cell.id) && (isSure || ports.clock() < untilSeconds);
    const found =
      isWanted && !ports.signal.aborted
        ? await diagnoseCell(measurement, change === "slower", plan, prepared, ports)
        : undefined;
    const add = change !== undefined && !ports.signal.aborted ? addFunctions : addRequestCpu;
    const explained = found && (await add(measurement, found, prepared, ports));
    if (wanted === "never" || ports.signal.aborted) return explained;
    const withMemory = await addGrowingMemory(measurement, explained, plan, prepared, ports);
    const start = measurement === slowest ? slowerStart(measurement, design) : undefined;
    return start !== undefined && !ports.signal.aborted
      ? await addSlowStart(measurement, start, withMemory, prepared, ports)
      : withMemory;
  };
  const seconds = chosen.size * diagnosisSeconds(design !== undefined);
  if (chosen.size > 0 && !ports.signal.aborted)
    ports.progress({ kind: "phase started", phase: "causes", seconds });
  const done: Measurement[] = [];
  for (const measurement of measurements) {
    const diagnosis = await causesOf(measurement);
    done.push({ ...measurement, ...defined({ diagnosis }) });
    if (diagnosis !== undefined) await save({ ...measurement, diagnosis }, ports);
  }
  return done;
}

/** `undefined` when the user cancelled, because half of a diagnosis makes old causes look new. */
async function diagnoseCell(
  measurement: Measurement,
  isSlower: boolean,
  { cells, design }: Plan,
  prepared: Prepared,
  ports: WatchPorts,
): Promise<Diagnosis> {
  const { replicates, aged } = measurement;
  const isAged = mayAgeSlower(measurement, design);
  const agedCells = cells.filter(({ id }) => isAged && aged?.cells.includes(id));
  const endpoint = byTurns(agedCells.map((each) => each.endpoint)) ?? measurement.cell.endpoint;
  const cell = { ...measurement.cell, endpoint };
  const look = async (arm: ArmName) => {
    if (!replicates.some(({ arms }) => arms[arm] !== undefined)) return undefined;
    ports.progress({ kind: "step", text: `diagnosing ${cellName(cell)} (${arm})` });
    return await diagnoseArm(cell, arm, isAged ? agedLoadSeconds : loadSeconds, prepared, ports);
  };
  const made = await look("head");
  if (ports.signal.aborted) return undefined;
  const head = made && (await locateIn(made, prepared, ports));
  const hasProblem = head?.findings?.some(({ severity }) => severity === "problem") === true;
  const base = isSlower && !hasProblem ? undefined : await look("base");
  return ports.signal.aborted ? undefined : defined({ base, head });
}

async function diagnoseArm(
  cell: Cell,
  arm: ArmName,
  seconds: number,
  prepared: Prepared,
  ports: WatchPorts,
): Promise<ArmDiagnosis> {
  const own = startingWithin(prepared);
  const mostSeconds = readyWithin(prepared) + phaseSeconds + seconds - loadSeconds;
  const options = { watched: { purpose: "causes" } } as const;
  const look = () =>
    within(mostSeconds, prepared, ports, (limited) =>
      withWatchedArms(cell, [arm], own, options, limited, (runningArms) =>
        watch(cell, arm, seconds, runningArms, limited),
      ),
    );
  try {
    return await look().catch((error: unknown) => {
      if (!hasDied(error)) throw error;
      return look();
    });
  } catch (error) {
    return nothingSeen(reasonOf(error));
  }
}

/** True for a server that ended under the load: it may have died of being watched. */
function hasDied(error: unknown): boolean {
  const cause = error instanceof BaseFailure ? error.cause : error;
  return cause instanceof EnvironmentError && cause.phase === "load" && cause.detail?.kind === "exit";
}

async function watch(
  cell: Cell,
  arm: ArmName,
  seconds: number,
  runningArms: RunningArms,
  ports: WatchPorts,
): Promise<ArmDiagnosis> {
  const { databaseWatch } = runningArmOf(runningArms, arm);
  const probe = probeOf(runningArms, arm);
  const load = watchedLoad(cell, seconds);
  const name = `${cell.id}-diagnosis`;
  await probe.openWindow(name);
  await databaseWatch?.begin();
  const { slices, generatorCpuSeconds } = await putLoad(runningArms, "load", { ...load, name }, ports);
  const database = await databaseWatch?.read();
  return diagnosePhase(await probe.readFiles(), name, {
    ...{ cell, load: load.load, slices, generatorCpuSeconds, database },
    appCpus: cpusOf("app", ports),
    generatorCpus: cpusOf("others", ports),
  });
}

export function reasonOf(error: unknown): string {
  const cause = error instanceof BaseFailure ? error.cause : error;
  if (!(cause instanceof EnvironmentError)) return messageOf(cause);
  const lastWords = lastLines(cause.logTail.trim(), 200).split("\n").at(-1);
  // The message may already hold the app's last words.
  const isNew = lastWords !== undefined && lastWords !== "" && !cause.message.includes(lastWords);
  return `${cause.phase}: ${cause.message}${isNew ? ` (${lastWords})` : ""}`;
}
