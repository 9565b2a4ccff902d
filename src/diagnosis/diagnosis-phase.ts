import { pauseSecondsPerRequest } from "../model/endpoint/endpoint.ts";
import { type ArmDiagnosis, armDiagnosis, nothingSeen } from "../model/findings/diagnosis.ts";
import { mergeHistograms, quantileMs } from "../model/load/histogram.ts";
import { type Slice, slicesInTime } from "../model/load/load-records.ts";
import { mostVirtualUsers } from "../model/measurement/open-files.ts";
import { type Cell, type Load, withSendingOf } from "../model/plan/cell.ts";
import { sum } from "../statistics/estimate.ts";
import { gatherEvidence } from "./evidence.ts";
import { findCauses } from "./findings.ts";
import type { DatabaseFacts, LoadFacts } from "./load-facts.ts";
import { blindReason, type ProbeFile, parseProbeDocuments } from "./probe-documents.ts";
import { seenOf } from "./seen.ts";

type ClosedLoad = Extract<Load, { readonly kind: "constant" }>;

/** An app may start as slowly as it did when it was measured, and slower, because it is watched; but not without end. */
export const startWithinSeconds = 30;
/** However long the start took: on a busy machine it is the slow starts that are to be explained. */
export const loadSeconds = 5;

/** With one arm nothing alternates; slices only end the counting where the load ends. */
export const phaseSliceMs = 250;

/** The cell's load as a closed model; what is under way at the end is dropped, because the phase must end. */
export function phaseLoad(load: Load, durationSeconds: number): ClosedLoad {
  const virtualUsers = load.kind === "script" ? 1 : Math.max(1, mostVirtualUsers(load));
  const closed: ClosedLoad = { kind: "constant", virtualUsers, durationSeconds, gracefulStopSeconds: 0 };
  return withSendingOf(load, closed);
}

/** What is known from outside of one arm's phase. */
export interface PhaseRecord {
  readonly cell: Cell;
  readonly load: ClosedLoad;
  readonly slices: readonly Slice[];
  readonly appCpus: number;
  readonly generatorCpus: number;
  readonly generatorCpuSeconds: number | undefined;
  /** What the app's database said, and what it did not. */
  readonly database: { readonly facts: DatabaseFacts; readonly unseen: readonly string[] } | undefined;
}

/** What the app's processes wrote during the phase, in the light of what was seen from outside. */
export function diagnosePhase(files: readonly ProbeFile[], window: string, phase: PhaseRecord): ArmDiagnosis {
  const { documents, warnings } = parseProbeDocuments(files, window);
  if (documents.length === 0)
    return nothingSeen(warnings.length === 0 ? blindReason(files) : warnings.join(" "));
  const unseen = [
    ...documents.flatMap((each) => each.unseen.map(({ what, reason }) => `${what}: ${reason}`)),
    ...(phase.database?.unseen ?? []).map((each) => `the database's ${each}`),
  ];
  const opened = sum(documents.map(({ connections }) => connections));
  const evidence = gatherEvidence(documents, loadFactsOf(phase, opened));
  if (evidence === undefined)
    return nothingSeen("no request was answered by a process that is watched", unseen);
  return armDiagnosis(findCauses(evidence), [...warnings, ...unseen], seenOf(evidence));
}

/** @param opened connections, by the count of those who accepted them */
function loadFactsOf({ cell, load, slices, database, ...cpus }: PhaseRecord, opened: number): LoadFacts {
  const seconds = load.durationSeconds;
  const counted = slicesInTime(slices, phaseSliceMs, seconds * 1_000);
  const requests = sum(counted.map((slice) => slice.requests));
  const totalMs = sum(counted.map(({ latencyTotalMs }) => latencyTotalMs));
  return {
    virtualUsers: load.virtualUsers,
    pauseSeconds: pauseSecondsPerRequest(cell.endpoint),
    workers: cell.workers,
    seconds,
    requests,
    latencyMeanMs: requests > 0 ? totalMs / requests : 0,
    latencyMedianMs: quantileMs(mergeHistograms(counted.map(({ latency }) => latency)), 0.5) ?? 0,
    ...cpus,
    connectionsOpened: load.connections === "new" ? undefined : opened,
    database: database?.facts,
  };
}
