import { changedCells, diagnosedCells, mayAgeSlower } from "../compare/diagnosed-cells.ts";
import {
  diagnosePhase,
  loadSeconds,
  phaseLoad,
  phaseSliceMs,
  startWithinSeconds,
} from "../diagnosis/diagnosis-phase.ts";
import { EnvironmentError, messageOf } from "../errors/errors.ts";
import { byTurns } from "../model/endpoint/endpoint.ts";
import { type ArmDiagnosis, nothingSeen } from "../model/findings/diagnosis.ts";
import { cpuCount } from "../model/measurement/cpu-list.ts";
import type { ArmName, Measurement } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import { phaseSeconds } from "../model/plan/diagnosis-time.ts";
import type { Plan } from "../model/plan/plan.ts";
import type { Probe } from "../ports/app.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { cellName } from "../report/progress/result-line.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { lastLines } from "../text/length.ts";
import { save } from "./cell-document.ts";
import { explain, locateIn, tellCpu } from "./explained.ts";
import { tellMemory } from "./kept-memory.ts";
import { putLoad } from "./load.ts";
import type { Prepared } from "./prepared.ts";
import { BaseFailure, type RunningArm, runningArmOf, targetOf, withRunningArms } from "./running-arms.ts";
import { slowerStart, tellStart } from "./slower-start.ts";

/** Of the minutes for measuring: where nothing surely changed, a look at many endpoints must not take longer. */
const doubtfulShare = 0.5;
/** Of the load where something comes with age: it must come again while one looks. */
const agedLoadSeconds = 25;

/**
 * Looks for causes, cell by cell, after all measurements: the servers start again under the probe and get a few seconds
 * of load. A failure here is noted in the documents and changes no measurement.
 */
export async function diagnose(
  plan: Plan,
  measurements: readonly Measurement[],
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<Measurement[]> {
  const chosen = diagnosedCells(measurements, plan.design, prepared.workload.diagnose);
  const changed = changedCells(measurements, plan.design);
  const slowest = measurements.find((each) => slowerStart(each, plan.design) !== undefined);
  const isAsked = prepared.workload.diagnose === "always";
  const done: Measurement[] = [];
  const untilSeconds =
    ports.clock() + doubtfulShare * 60 * (plan.design?.maxMinutes ?? Number.POSITIVE_INFINITY);
  for (const measurement of measurements) {
    const change = changed.get(measurement.cell.id);
    const isSure = change !== undefined || mayAgeSlower(measurement, plan.design);
    const isInTime = isSure || isAsked || ports.clock() < untilSeconds;
    const isWanted = chosen.has(measurement.cell.id) && isInTime && !ports.signal.aborted;
    const found = isWanted
      ? await diagnoseCell(measurement, change === "slower", plan, prepared, ports)
      : undefined;
    const isChanged = change !== undefined && !ports.signal.aborted;
    const explained =
      found &&
      (isChanged
        ? await explain(measurement, found, prepared, ports)
        : await tellCpu(measurement, found, prepared, ports));
    const start = measurement === slowest ? slowerStart(measurement, plan.design) : undefined;
    const diagnosis = await tellFootprint(measurement, explained, { plan, start }, prepared, ports);
    done.push(diagnosis === undefined ? measurement : { ...measurement, diagnosis });
    if (diagnosis !== undefined) await save({ ...measurement, diagnosis }, ports);
  }
  return done;
}

/** Adds the lines behind what the head's server takes more of, apart from the time of requests. */
async function tellFootprint(
  measurement: Measurement,
  diagnosis: Measurement["diagnosis"],
  { plan, start }: { readonly plan: Plan; readonly start: Estimate | undefined },
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<Measurement["diagnosis"]> {
  if (prepared.workload.diagnose === "never" || ports.signal.aborted) return diagnosis;
  const told = await tellMemory(measurement, diagnosis, plan, prepared, ports);
  const isAsked = start !== undefined && !ports.signal.aborted;
  return isAsked ? await tellStart(measurement, start, told, prepared, ports) : told;
}

/**
 * `undefined` when the user cancelled: in half of a diagnosis old causes would look new. The base tells which problems
 * of the head are old, and which of its own are mended: a slower head without problems needs neither.
 */
async function diagnoseCell(
  measurement: Measurement,
  isSlower: boolean,
  { cells, design }: Plan,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<Measurement["diagnosis"]> {
  const { replicates, aged } = measurement;
  const isAged = mayAgeSlower(measurement, design);
  const seconds = isAged ? agedLoadSeconds : loadSeconds;
  const agedCells = cells.filter(({ id }) => isAged && aged?.cells.includes(id));
  const endpoint = byTurns(agedCells.map((each) => each.endpoint)) ?? measurement.cell.endpoint;
  const cell = { ...measurement.cell, endpoint };
  const look = async (arm: ArmName) => {
    if (!replicates.some(({ arms }) => arms[arm] !== undefined)) return undefined;
    ports.progress({ kind: "step", text: `diagnosing ${cellName(cell)} (${arm})` });
    return await diagnoseArm(cell, arm, seconds, prepared, ports);
  };
  const made = await look("head");
  if (ports.signal.aborted) return undefined;
  const head = made && (await locateIn(made, prepared, ports));
  const hasProblem = head?.findings?.some(({ severity }) => severity === "problem") === true;
  const base = isSlower && !hasProblem ? undefined : await look("base");
  return ports.signal.aborted ? undefined : { ...(base && { base }), ...(head && { head }) };
}

async function diagnoseArm(
  cell: Cell,
  arm: ArmName,
  seconds: number,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<ArmDiagnosis> {
  const { server } = prepared.workload;
  const readyWithinSeconds = Math.min(server.readyWithinSeconds, startWithinSeconds);
  const workload = { ...prepared.workload, server: { ...server, readyWithinSeconds } };
  // A list of its own: a server that does not stop here must not fail the finished measurements.
  const leaving: Promise<void>[] = [];
  const own = { ...prepared, workload, leaving };
  await Promise.allSettled(prepared.leaving);
  const mostSeconds = readyWithinSeconds + phaseSeconds + seconds - loadSeconds;
  using deadline = ports.startDeadline(ports.signal, mostSeconds);
  const limited = { ...ports, signal: deadline.signal };
  try {
    await using probe = await ports.openProbe("causes");
    try {
      return await withRunningArms(cell, [arm], own, { probe }, limited, (runningArms) =>
        watch({ cell, arm, seconds, runningArms, probe }, limited),
      );
    } finally {
      for (const left of await Promise.allSettled(leaving)) {
        if (left.status === "rejected") warn(left.reason, ports);
      }
    }
  } catch (error) {
    return nothingSeen(deadline.isOver ? `it took more than ${mostSeconds} s` : reasonOf(error));
  }
}

interface Watched {
  readonly cell: Cell;
  readonly arm: ArmName;
  /** Length of the load. */
  readonly seconds: number;
  readonly runningArms: ReadonlyMap<ArmName, RunningArm>;
  readonly probe: Probe;
}

async function watch(
  { cell, arm, seconds, runningArms, probe }: Watched,
  ports: MeasurePorts,
): Promise<ArmDiagnosis> {
  const { databaseWatch } = runningArmOf(runningArms, arm);
  const load = phaseLoad(cell.load, seconds);
  const name = `${cell.id}-diagnosis`;
  await probe.openWindow(name);
  await databaseWatch?.begin();
  const { slices, generatorCpuSeconds } = await putLoad(
    runningArms,
    "load",
    {
      targets: [targetOf(runningArms, arm)],
      endpoint: cell.endpoint,
      load,
      sliceMs: phaseSliceMs,
      seed: 1,
      cpus: ports.cpuSets?.others,
      name,
    },
    ports,
  );
  const database = await databaseWatch?.read();
  const cpusOf = (list: string | undefined) => (list === undefined ? ports.machine.cores : cpuCount(list));
  return diagnosePhase(await probe.readFiles(), name, {
    cell,
    load,
    slices,
    appCpus: cpusOf(ports.cpuSets?.app),
    generatorCpus: cpusOf(ports.cpuSets?.others),
    generatorCpuSeconds,
    database,
  });
}

function reasonOf(error: unknown): string {
  const cause = error instanceof BaseFailure ? error.cause : error;
  if (!(cause instanceof EnvironmentError)) return messageOf(cause);
  const lastWords = lastLines(cause.logTail.trim(), 200).split("\n").at(-1);
  // The message may already hold the app's last words.
  const isNew = lastWords !== undefined && lastWords !== "" && !cause.message.includes(lastWords);
  return `${cause.phase}: ${cause.message}${isNew ? ` (${lastWords})` : ""}`;
}

function warn(error: unknown, { progress }: MeasurePorts): void {
  progress({ kind: "warning", text: `after a diagnosis: ${messageOf(error)}` });
}
