import { type AddedFindings, filesOf, locate, withAdded } from "../../diagnosis/added-findings.ts";
import { phaseLoad, phaseSliceMs, startWithinSeconds } from "../../diagnosis/diagnosis-phase.ts";
import { parseStackDocuments } from "../../diagnosis/probe-documents.ts";
import { messageOf } from "../../errors/errors.ts";
import { endpointLabel } from "../../model/endpoint/endpoint.ts";
import { type ArmDiagnosis, armDiagnosis } from "../../model/findings/diagnosis.ts";
import type { StackDocument } from "../../model/findings/stack-document.ts";
import { cpuCount } from "../../model/measurement/environment.ts";
import type { ArmName, Measurement } from "../../model/measurement/measurement.ts";
import type { Cell } from "../../model/plan/cell.ts";
import type { Probe } from "../../ports/app.ts";
import type { Deadline } from "../../ports/machine.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { shortenEnd } from "../../text/length.ts";
import {
  type LoadingPorts,
  type RunningArmOptions,
  type RunningArms,
  runningArmOf,
  type ServerPorts,
  withRunningArms,
} from "../pair/index.ts";
import type { Prepared } from "../preparation/index.ts";

export type WatchPorts = ServerPorts &
  LoadingPorts &
  Pick<MeasurePorts, "findFile" | "machine" | "save" | "signal">;

export type Diagnosis = Measurement["diagnosis"];

export class TimeOver extends Error {}

const longestEndpoint = 300;

export function nameOf({ endpoint }: Pick<Cell, "endpoint">): string {
  return shortenEnd(endpointLabel(endpoint), longestEndpoint);
}

/** Does something within a time limit, which begins when the servers before are gone. Throws `TimeOver`. */
export async function within<P extends Pick<MeasurePorts, "signal" | "startDeadline">, T>(
  seconds: number,
  { leaving }: Pick<Prepared, "leaving">,
  ports: P,
  look: (limited: P, deadline: Deadline) => Promise<T>,
): Promise<T> {
  await Promise.allSettled(leaving);
  using deadline = ports.startDeadline(ports.signal, seconds);
  try {
    return await look({ ...ports, signal: deadline.signal }, deadline);
  } catch (error) {
    throw deadline.isOver ? new TimeOver(`it took more than ${seconds} s`) : error;
  }
}

/** Time that a watched server has for its start: less than in a measurement, because a look must end. */
export function readyWithin({ workload }: Pick<Prepared, "workload">, most = startWithinSeconds): number {
  return Math.min(workload.server.readyWithinSeconds, most);
}

export function startingWithin(prepared: Prepared, most?: number): Prepared {
  const server = { ...prepared.workload.server, readyWithinSeconds: readyWithin(prepared, most) };
  return { ...prepared, workload: { ...prepared.workload, server } };
}

/** Starts servers apart from all measurements, watched or counted, and waits until they are gone. */
export async function withWatchedArms<T>(
  cell: Cell,
  arms: readonly ArmName[],
  prepared: Prepared,
  options: RunningArmOptions,
  ports: ServerPorts,
  use: (runningArms: RunningArms) => Promise<T>,
): Promise<T> {
  // A list of its own: a server that does not stop here must not fail the finished measurements.
  const leaving: Promise<void>[] = [];
  try {
    return await withRunningArms(cell, arms, { ...prepared, leaving }, options, ports, use);
  } finally {
    for (const left of await Promise.allSettled(leaving))
      if (left.status === "rejected")
        ports.progress({ kind: "warning", text: `after a diagnosis: ${messageOf(left.reason)}` });
  }
}

export function probeOf(runningArms: RunningArms, arm: ArmName): Probe {
  const { probe } = runningArmOf(runningArms, arm);
  if (probe === undefined) throw new Error(`the server of ${arm} is not watched`);
  return probe;
}

export function watchedLoad({ endpoint, load }: Cell, seconds: number) {
  return { endpoint, load: phaseLoad(load, seconds), sliceMs: phaseSliceMs };
}

export function cpusOf(
  which: "app" | "others",
  { cpuSets, machine }: Pick<MeasurePorts, "cpuSets" | "machine">,
): number {
  return cpuSets === undefined ? machine.cores : cpuCount(cpuSets[which]);
}

/** A read waits for as long as a process usually needs to write; after thousands of deep stacks it may need more. */
const mostReads = 4;

/** Samples of each process, or a sentence. Read before the server stops: unwritten ones are lost. */
export async function readStacks(
  probe: Probe,
  window: string,
  workers: number,
): Promise<readonly StackDocument[] | string> {
  for (let count = 1; ; count += 1) {
    const { documents, warnings } = parseStackDocuments(await probe.readFiles(), window);
    const [doubt] = warnings;
    if (doubt !== undefined) return doubt;
    if (documents.length >= workers) return documents;
    if (count >= mostReads) return documents.length > 0 ? documents : "no process wrote its samples in time";
  }
}

/** Adds to each of the head's findings its path in the repository, and whether the diff from the base has its line. */
export async function locateIn(
  diagnosis: ArmDiagnosis,
  { workload: { app, comparing }, commits }: Prepared,
  ports: Pick<MeasurePorts, "findFile">,
): Promise<ArmDiagnosis> {
  const base = comparing.base.kind === "control" ? undefined : commits.base;
  const found = await Promise.all(
    filesOf(diagnosis).map(async (file) => {
      // Git may be missing, or broken by the app: the finding then has no path.
      const known = await ports.findFile(app.folder, file, base).catch(() => undefined);
      return [file, known] as const;
    }),
  );
  return locate(diagnosis, new Map(found));
}

/**
 * Adds what a look of its own at both arms finds out about the head. A failure costs only that, and is reported.
 *
 * @param lines what it searches for, e.g. `the lines that keep memory`
 * @param look returns the findings, or why there are none
 * @returns `undefined` when the user cancelled
 */
export async function addLines(
  lines: string,
  look: () => Promise<AddedFindings | string>,
  diagnosis: Diagnosis,
  prepared: Prepared,
  ports: Pick<MeasurePorts, "findFile" | "progress" | "signal">,
): Promise<Diagnosis> {
  ports.progress({ kind: "step", text: `finding ${lines}` });
  const found = await look().catch(messageOf);
  const added = typeof found === "string" ? { findings: [], unexplained: [`${lines}: ${found}`] } : found;
  if (ports.signal.aborted) return undefined;
  const { findings = [] } = await locateIn(armDiagnosis(added.findings, []), prepared, ports);
  const head = diagnosis?.head ?? { findings: [], unseen: [] };
  return { ...diagnosis, head: withAdded(head, { ...added, findings }) };
}
