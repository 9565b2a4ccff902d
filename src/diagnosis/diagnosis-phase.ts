import { pauseSecondsPerRequest } from "../model/endpoint/endpoint.ts";
import {
  type ArmDiagnosis,
  armDiagnosis,
  longestText,
  mostItems,
  nothingSeen,
  type Seen,
} from "../model/findings/diagnosis.ts";
import { mergeHistograms, quantileMs } from "../model/load/histogram.ts";
import { type Slice, slicesInTime } from "../model/load/load-records.ts";
import { type Cell, type Load, mostVirtualUsers, withSendingOf } from "../model/plan/cell.ts";
import { sum } from "../statistics/estimate.ts";
import { type DatabaseFacts, type Evidence, gatherEvidence, type LoadFacts, partOf } from "./evidence.ts";
import { findCauses } from "./findings.ts";
import { mergeAmounts, placeKey } from "./merging.ts";
import { blindReason, type ProbeFile, parseProbeDocuments } from "./probe-documents.ts";

type ClosedLoad = Extract<Load, { readonly kind: "constant" }>;

/** Longest start. Watching may make an app start more slowly than it did when it was measured, but there is a limit. */
export const startWithinSeconds = 30;
/** Length of the load, however long the start took: on a busy machine the slow starts are those to be explained. */
export const loadSeconds = 5;

/** With one arm nothing alternates. Slices only end the counting when the load ends. */
export const phaseSliceMs = 250;

/** The cell's load as a closed model. Requests under way at the end are dropped, because the phase must end. */
export function phaseLoad(load: Load, durationSeconds: number): ClosedLoad {
  const virtualUsers = load.kind === "script" ? 1 : Math.max(1, mostVirtualUsers(load));
  const closed: ClosedLoad = { kind: "constant", virtualUsers, durationSeconds, gracefulStopSeconds: 0 };
  return withSendingOf(load, closed);
}

interface PhaseRecord {
  readonly cell: Cell;
  readonly load: ClosedLoad;
  readonly slices: readonly Slice[];
  readonly appCpus: number;
  readonly generatorCpus: number;
  readonly generatorCpuSeconds: number | undefined;
  /** Figures of the app's database, and those that it did not give. */
  readonly database: { readonly facts: DatabaseFacts; readonly unseen: readonly string[] } | undefined;
}

/** Diagnoses an arm from the files of its processes and the observations from outside. */
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
    return nothingSeen("none of the processes that the probe observed answered a request", unseen);
  return armDiagnosis(findCauses(evidence), [...warnings, ...unseen], seenOf(evidence));
}

/** @param opened connections, as counted by the processes that accepted them */
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

export function seenOf(evidence: Evidence): Seen {
  const statements = mergeAmounts(
    evidence.endpoints.flatMap((each) => each.statements),
    (each) => each.text + placeKey(each.place),
  );
  return {
    requests: evidence.requests,
    partsMs: {
      total: partOf(evidence, "total"),
      cpu: partOf(evidence, "cpu"),
      blocked: partOf(evidence, "blocked"),
      loopWait: partOf(evidence, "loopWait"),
      threadWait: partOf(evidence, "threadWait"),
      poolWait: partOf(evidence, "poolWait"),
      connect: partOf(evidence, "connect"),
      database: partOf(evidence, "database"),
      elsewhere: partOf(evidence, "elsewhere"),
      inThreads: partOf(evidence, "inThreads"),
    },
    stalls: evidence.stalls.slice(0, mostItems).map(({ place, count: times, totalMs, longestMs, cpuMs }) => ({
      ...(place && { place }),
      count: times,
      totalMs,
      longestMs,
      cpuMs,
    })),
    statements: statements.slice(0, mostItems).map(({ place, count: times, totalMs, longestMs, text }) => ({
      ...(place && { place }),
      count: times,
      totalMs,
      longestMs,
      text: text.slice(0, longestText),
    })),
  };
}
