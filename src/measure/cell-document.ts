import { remedyIn } from "../diagnosis/remedies.ts";
import { EnvironmentError, messageOf } from "../errors/errors.ts";
import { defined } from "../lists/defined.ts";
import { isGuard } from "../model/endpoint/login.ts";
import { statusWords } from "../model/load/statuses.ts";
import { type Environment, packageDifferences } from "../model/measurement/environment.ts";
import type { Failure, Measurement, Replicate } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import { serverArgv, serverChoices } from "../model/workload/server-command.ts";
import { sharedServices } from "../model/workload/service.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { sum } from "../statistics/estimate.ts";
import { redirectsOf, sharedOf, troublesOf } from "./notices.ts";
import { anybody, BaseFailure, keyOf, type Prepared } from "./preparation/index.ts";

export type DocumentPorts = Pick<MeasurePorts, "cpuSets" | "machine" | "now" | "save">;

export type DocumentStart = Pick<
  Measurement,
  "schemaVersion" | "cell" | "startedAt" | "commits" | "environment" | "loneArm" | "instructions" | "aged"
>;

export function startDocument(
  cell: Cell,
  prepared: Prepared,
  ports: Omit<DocumentPorts, "save">,
): DocumentStart {
  const { commits, loneArm } = prepared;
  const environment = environmentOf(cell, prepared, ports);
  return { schemaVersion: 1, cell, startedAt: ports.now(), commits, environment, ...defined({ loneArm }) };
}

/** The document of a loaded cell. It failed if every request did. */
export function finishedDocument(start: DocumentStart, replicates: readonly Replicate[]): Measurement {
  const requests = sum(replicates.map(({ generator }) => generator.requests));
  const failures = sum(replicates.map(({ generator }) => generator.failures));
  const troubles = failures > 0 ? troublesOf(start.cell) : [];
  const found = [...sharedOf(start.cell), ...troubles].slice(0, 20);
  const notices = found.length > 0 ? found : undefined;
  const seen = defined({ redirects: redirectsOf(start.cell), notices });
  const done = { ...start, ...seen, replicates: [...replicates] };
  if (failures < requests) return { ...done, status: "measured" };
  const statuses = replicates.flatMap(({ arms }) =>
    Object.values(arms).flatMap((record) => Object.keys(record.statuses)),
  );
  const answered = `every request failed (${[...new Set(statuses)].map(statusWords).join(", ")})`;
  const reason = [answered, ...troubles].join("; ").slice(0, 1_000);
  return { ...done, status: "failed", failure: { phase: "load", reason, logTail: "" } };
}

export function failureOf(error: EnvironmentError, prefix = ""): Failure {
  const cause = error.cause === undefined ? "" : `: ${messageOf(error.cause)}`;
  const hint = remedyIn(error.logTail);
  const reason = prefix + error.message + cause + (hint && `; ${hint}`);
  return { phase: error.phase, reason: reason.slice(0, 1_000), logTail: error.logTail.slice(-20_000) };
}

/** The document of a cell whose measuring ended early. Throws what is our own fault. */
export function brokenDocument(
  start: DocumentStart,
  replicates: readonly Replicate[],
  error: unknown,
  { signal }: Pick<MeasurePorts, "signal">,
): Measurement {
  const done = { ...start, replicates: [...replicates] };
  if (signal.aborted) return { ...done, status: "cancelled" };
  const isOfBase = error instanceof BaseFailure && !error.isOfBoth;
  const cause = error instanceof BaseFailure ? error.cause : error;
  if (!(cause instanceof EnvironmentError)) throw error;
  return { ...done, status: "failed", failure: failureOf(cause, isOfBase ? "the base: " : "") };
}

/** Writes a cell's document; a later version of it takes its place. */
export async function save(measurement: Measurement, ports: Pick<DocumentPorts, "save">): Promise<void> {
  await ports.save(`cells/${measurement.cell.id}.json`, `${JSON.stringify(measurement)}\n`);
}

function environmentOf(
  cell: Cell,
  { arms: { head, base }, databases, k6Version, workload, outside }: Prepared,
  { machine, cpuSets }: Pick<DocumentPorts, "cpuSets" | "machine">,
): Environment {
  const argv = serverArgv(cell.server, {
    app: workload.app.importString,
    host: "127.0.0.1",
    port: 0,
    workers: cell.workers,
  });
  const shared = base === undefined ? [] : sharedServices(workload.app.variables).slice(0, 100);
  const hosts = outside?.get(keyOf(cell)) ?? [];
  const replacedLogin = (head.replaced ?? []).filter(isGuard);
  // Whoever calls a host of which nobody knows whose request it was may be this endpoint.
  const areKnown = hosts.length > 0 || (outside !== undefined && !outside.has(anybody));
  return {
    ...machine,
    k6: k6Version,
    statementStatistics: databases?.statementStatistics ?? false,
    python: head.python.version,
    ...serverChoices(argv, head.python.packages),
    packages: { ...head.python.packages },
    ...defined({
      appCpus: cpuSets?.app,
      otherCpus: cpuSets?.others,
      postgres: databases?.version,
      maxConnections: databases?.maxConnections,
      sharedServices: shared.length > 0 ? [...shared] : undefined,
      outsideHosts: areKnown ? [...hosts] : undefined,
      replacedLogin: replacedLogin.length > 0 ? replacedLogin : undefined,
      basePackages: base && packageDifferences(base.python.packages, head.python.packages),
    }),
  };
}
