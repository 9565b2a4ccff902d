import { connectionLimitHint } from "../diagnosis/connection-limit.ts";
import { type EnvironmentError, messageOf } from "../errors/errors.ts";
import type { Environment } from "../model/measurement/environment.ts";
import type { Failure, Measurement, Replicate } from "../model/measurement/measurement.ts";
import { packageDifferences } from "../model/measurement/package-differences.ts";
import type { Cell } from "../model/plan/cell.ts";
import { serverArgv, uvicornChoices } from "../model/workload/server-command.ts";
import { sharedServices } from "../model/workload/shared-services.ts";
import type { ClockPorts } from "../ports/clock.ts";
import type { MachinePorts } from "../ports/machine.ts";
import type { ResultsPorts } from "../ports/results.ts";
import { sum } from "../statistics/estimate.ts";
import type { Prepared } from "./prepared.ts";
import { keyOf } from "./watched-arm.ts";

/** Fields that every state of a cell's document has. */
export type DocumentStart = Pick<
  Measurement,
  "schemaVersion" | "cell" | "startedAt" | "commits" | "environment" | "loneArm"
>;

export function startDocument(
  cell: Cell,
  prepared: Prepared,
  ports: MachinePorts & ClockPorts,
): DocumentStart {
  const { commits, loneArm } = prepared;
  return {
    schemaVersion: 1,
    cell,
    startedAt: ports.now(),
    commits,
    environment: environmentOf(cell, prepared, ports),
    ...(loneArm !== undefined && { loneArm }),
  };
}

/**
 * The document of a cell that was loaded. When every request failed, the cell failed: its figures would only say how
 * fast the app fails.
 */
export function finishedDocument(start: DocumentStart, replicates: readonly Replicate[]): Measurement {
  const requests = sum(replicates.map(({ generator }) => generator.requests));
  const failures = sum(replicates.map(({ generator }) => generator.failures));
  const done = { ...start, replicates: [...replicates] };
  if (failures < requests) return { ...done, status: "measured" };
  const statuses = replicates.flatMap(({ arms }) =>
    Object.values(arms).flatMap((record) => Object.keys(record.statuses)),
  );
  const reason = `every request failed (${[...new Set(statuses)].join(", ")})`;
  return { ...done, status: "failed", failure: { phase: "load", reason, logTail: "" } };
}

export function failureOf(error: EnvironmentError, prefix = ""): Failure {
  const cause = error.cause === undefined ? "" : `: ${messageOf(error.cause)}`;
  const hint = connectionLimitHint(error.logTail);
  const reason = prefix + error.message + cause + (hint && `; ${hint}`);
  return { phase: error.phase, reason: reason.slice(0, 1_000), logTail: error.logTail.slice(-20_000) };
}

/** Writes a cell's document; a later version of it takes its place. */
export async function save(measurement: Measurement, ports: ResultsPorts): Promise<void> {
  await ports.save(`cells/${measurement.cell.id}.json`, `${JSON.stringify(measurement)}\n`);
}

function environmentOf(
  cell: Cell,
  { arms: { head, base }, databases, k6Version, workload, outside }: Prepared,
  ports: MachinePorts,
): Environment {
  const argv = serverArgv(cell.server, {
    app: workload.app.importString,
    host: "127.0.0.1",
    port: 0,
    workers: cell.workers,
  });
  const shared = base === undefined ? [] : sharedServices(workload.app.variables).slice(0, 100);
  const hosts = outside?.get(keyOf(cell)) ?? [];
  const basePackages = base && packageDifferences(base.python.packages, head.python.packages);
  return {
    ...ports.machine,
    ...(ports.cpuSets !== undefined && { appCpus: ports.cpuSets.app, otherCpus: ports.cpuSets.others }),
    k6: k6Version,
    ...(databases?.version !== undefined && { postgres: databases.version }),
    ...(databases?.maxConnections !== undefined && { maxConnections: databases.maxConnections }),
    statementStatistics: databases?.statementStatistics ?? false,
    ...(shared.length > 0 && { sharedServices: [...shared] }),
    ...(hosts.length > 0 && { outsideHosts: [...hosts] }),
    python: head.python.version,
    ...uvicornChoices(argv, head.python.packages),
    packages: { ...head.python.packages },
    ...(basePackages !== undefined && { basePackages }),
  };
}
