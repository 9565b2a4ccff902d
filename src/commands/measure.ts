import type { Workload } from "../core/config/config.ts";
import { serverArgv, uvicornChoices } from "../core/config/server-command.ts";
import { EnvironmentError, InputError, messageOf } from "../core/errors.ts";
import type { Cell } from "../core/measurement/cell.ts";
import type { Environment } from "../core/measurement/environment.ts";
import type { Failure, Measurement, Replicate } from "../core/measurement/measurement.ts";
import type { Plan } from "../core/measurement/plan.ts";
import type { AppServer, DatabaseCopy, DatabaseServer, MeasurePorts, PythonEnvironment } from "../ports.ts";
import { measureReplicate } from "./cell.ts";

/** Stands for the database that is not there yet when the import is tried; nothing listens on port 1. */
const placeholderUrl = "postgresql://loadtest:loadtest@127.0.0.1:1/loadtest";

/** What all cells share. */
interface Ground {
  readonly workload: Workload;
  readonly python: PythonEnvironment;
  readonly databases: DatabaseServer | undefined;
  readonly k6Version: string;
  readonly commits: Measurement["commits"];
  /** What earlier cells stood on, on its way out while the next server starts. */
  readonly leaving: Promise<void>[];
}

/**
 * Measures every cell of the plan and writes one document each, also for a cell that failed. A result is on disk
 * before the next cell starts. Throws an `InputError` before anything is started when the app cannot be imported.
 *
 * @returns the Measurements in the order of the plan; fewer when the user cancelled
 */
export async function measure(plan: Plan, workload: Workload, ports: MeasurePorts): Promise<Measurement[]> {
  await ports.clearResults();
  await ports.save("plan.json", `${JSON.stringify(plan)}\n`);
  ports.progress({ kind: "plan", cells: plan.cells, estimatedSeconds: plan.estimatedSeconds });
  let commits: Measurement["commits"] = {};
  let ground: Omit<Ground, "databases" | "leaving">;
  let databases: DatabaseServer | undefined;
  try {
    const commit = await ports.commitOf(workload.app.folder);
    if (commit !== undefined) commits = { head: commit };
    ground = await prepare(workload, commits, ports);
    databases = workload.database.kind === "none" ? undefined : await ports.openDatabases(workload.database);
  } catch (error) {
    if (ports.signal.aborted) return []; // the plan is on disk, so the report shows every cell as missing
    if (!(error instanceof EnvironmentError)) throw error;
    return failAll(plan, failureOf(error), commits, ports);
  }
  const leaving: Promise<void>[] = [];
  try {
    return await measureCells(plan, { ...ground, databases, leaving }, ports);
  } finally {
    await Promise.all(leaving).finally(() => databases?.[Symbol.asyncDispose]());
  }
}

async function prepare(workload: Workload, commits: Measurement["commits"], ports: MeasurePorts) {
  const { app, server } = workload;
  const k6Version = await ports.findGenerator();
  const taken = server.port === undefined ? undefined : await ports.portProblem(server.port);
  const python = await ports.preparePython(app);
  const unimportable = await ports.importProblem(python, app, variablesFor(workload, placeholderUrl));
  const problems = [taken && `port: ${taken}`, unimportable && `app: ${unimportable}`].filter((each) => each);
  if (problems.length > 0) throw new InputError(problems.map(String));
  return { workload, python, k6Version, commits };
}

async function measureCells(plan: Plan, ground: Ground, ports: MeasurePorts): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const [index, cell] of plan.cells.entries()) {
    if (ports.signal.aborted) break;
    ports.progress({ kind: "cell started", cell, index, total: plan.cells.length });
    const measurement = await measureCell(cell, ground, ports);
    await save(measurement, ports);
    measurements.push(measurement);
    ports.progress({ kind: "cell finished", measurement, index, total: plan.cells.length });
  }
  return measurements;
}

async function measureCell(cell: Cell, ground: Ground, ports: MeasurePorts): Promise<Measurement> {
  const startedAt = ports.now();
  const environment = environmentOf(cell, ground, ports);
  const common = { schemaVersion: 1, cell, startedAt, commits: ground.commits, environment } as const;
  const replicates: Replicate[] = [];
  try {
    replicates.push(await measureOnce(cell, ground, ports));
    return { ...common, replicates, ...outcome(replicates) };
  } catch (error) {
    if (ports.signal.aborted) return { ...common, replicates, status: "cancelled" };
    if (error instanceof EnvironmentError)
      return { ...common, replicates, status: "failed", failure: failureOf(error) };
    throw error;
  }
}

async function measureOnce(cell: Cell, ground: Ground, ports: MeasurePorts): Promise<Replicate> {
  const { workload, databases, leaving } = ground;
  if (workload.server.port !== undefined) await Promise.all(leaving); // the port must be free again
  const database = await databases?.copy();
  let app: AppServer | undefined;
  try {
    ports.progress({ kind: "step", text: "starting the app" });
    app = await ports.startApp(await commandOf(cell, ground, database?.url, ports), ground.python, cell.id);
    await Promise.all(leaving); // nothing but this cell's own processes may run under load
    return await measureReplicate(cell, { app, database }, workload.warmupSeconds, ports);
  } finally {
    const last = leave(app, database);
    last.catch(() => undefined); // whoever awaits it is told; until then it is nobody's unhandled rejection
    leaving.push(last);
  }
}

async function leave(app: AppServer | undefined, database: DatabaseCopy | undefined): Promise<void> {
  await app?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
}

async function commandOf(
  cell: Cell,
  { workload }: Ground,
  databaseUrl: string | undefined,
  ports: MeasurePorts,
) {
  const { server, app } = workload;
  const port = server.port ?? (await ports.freePort());
  const host = "127.0.0.1";
  return {
    argv: serverArgv(server.template, { app: app.importString, host, port, workers: cell.workers }),
    folder: app.folder,
    variables: { PYTHONUNBUFFERED: "1", ...variablesFor(workload, databaseUrl) },
    baseUrl: `http://${host}:${port}`,
    readyPath: server.readyPath,
    readyWithinSeconds: server.readyWithinSeconds,
  };
}

/** A cell whose every request failed measured how fast the app fails. */
function outcome(replicates: readonly Replicate[]): Pick<Measurement, "status" | "failure"> {
  const requests = replicates.reduce((total, { generator }) => total + generator.requests, 0);
  const failures = replicates.reduce((total, { generator }) => total + generator.failures, 0);
  if (failures < requests) return { status: "measured" };
  const statuses = [...new Set(replicates.flatMap(({ arms }) => Object.keys(arms.head?.statuses ?? {})))];
  const reason = `every request failed (${statuses.join(", ")})`;
  return { status: "failed", failure: { phase: "load", reason, logTail: "" } };
}

async function failAll(
  plan: Plan,
  failure: Failure,
  commits: Measurement["commits"],
  ports: MeasurePorts,
): Promise<Measurement[]> {
  const measurements = plan.cells.map((cell): Measurement => {
    return {
      schemaVersion: 1,
      cell,
      startedAt: ports.now(),
      commits,
      replicates: [],
      status: "failed",
      failure,
    };
  });
  for (const measurement of measurements) await save(measurement, ports);
  ports.progress({ kind: "nothing measured", failure });
  return measurements;
}

async function save(measurement: Measurement, ports: MeasurePorts): Promise<void> {
  await ports.save(`cells/${measurement.cell.id}.json`, `${JSON.stringify(measurement)}\n`);
}

function failureOf(error: EnvironmentError): Failure {
  const cause = error.cause === undefined ? "" : `: ${messageOf(error.cause)}`;
  const reason = error.message + cause;
  return { phase: error.phase, reason: reason.slice(0, 1_000), logTail: error.logTail.slice(-20_000) };
}

function variablesFor({ app, database }: Workload, url: string | undefined): Record<string, string> {
  if (database.kind === "none" || url === undefined) return { ...app.variables };
  return { [database.variable]: url, ...app.variables };
}

function environmentOf(
  cell: Cell,
  { python, databases, k6Version, workload }: Ground,
  ports: MeasurePorts,
): Environment {
  const argv = serverArgv(cell.server, {
    app: workload.app.importString,
    host: "127.0.0.1",
    port: 0,
    workers: cell.workers,
  });
  return {
    ...ports.machine,
    k6: k6Version,
    ...(databases !== undefined && { postgres: databases.version }),
    statementStatistics: databases?.statementStatistics ?? false,
    python: python.version,
    ...uvicornChoices(argv, python.packages),
    packages: { ...python.packages },
  };
}
