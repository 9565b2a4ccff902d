import { EnvironmentError } from "../errors/errors.ts";
import type { ArmName, Replicate } from "../model/measurement/measurement.ts";
import type { Cell, Load } from "../model/plan/cell.ts";
import { serverArgv } from "../model/workload/server-command.ts";
import type { AppPorts, AppServer, Probe, ServerCommand } from "../ports/app.ts";
import type { DatabaseCopy, DatabaseWatch } from "../ports/database.ts";
import type { LoadTarget } from "../ports/load.ts";
import type { MachinePorts } from "../ports/machine.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { variablesFor } from "./app-variables.ts";
import { besideServer } from "./beside-server.ts";
import { logIn, logInAll } from "./log-in.ts";
import { loginIn } from "./login-users.ts";
import type { Prepared } from "./prepared.ts";
import { runningServer } from "./running-targets.ts";

/** Time that a watched server has to stop: its observations are written already, and the phase must end. */
const stopsWithinSeconds = 0.5;

/** The running server of one arm in one replicate, with its database. */
export interface RunningArm {
  readonly app: AppServer;
  readonly database: DatabaseCopy | undefined;
  /** Sent with every request; may hold a secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The same for each of several identities, which the virtual users take in turn. */
  readonly users?: readonly Readonly<Record<string, string>>[] | undefined;
  /** Present when the server is watched and has a database. */
  readonly databaseWatch?: DatabaseWatch | undefined;
}

/** The base could not do its part. The head may still be measured alone. */
export class BaseFailure extends Error {
  override readonly name = "BaseFailure";
  override readonly cause: EnvironmentError;

  constructor(cause: EnvironmentError) {
    super(cause.message);
    this.cause = cause;
  }
}

/** Options of a replicate's servers, besides the cell. */
export interface RunningArmOptions {
  /**
   * Hash order and address layout of the servers, the same in both arms, 0 to 2³² − 1; absent: each process has its own.
   * Either moves the speed of a process by percents.
   */
  readonly seed?: number;
  /** Watches the server, which is then the only one; absent in every measurement. */
  readonly probe?: Probe;
  /** Watch the servers of both arms, but not their databases. */
  readonly probes?: Readonly<Record<ArmName, Probe>>;
}

/**
 * Starts fresh servers of the given arms on fresh databases, in the given order but side by side, and hands them to
 * `use`. Stops them afterwards without waiting: the promises in `prepared.leaving` settle when they are gone.
 */
export async function withRunningArms<T>(
  cell: Cell,
  arms: readonly ArmName[],
  prepared: Prepared,
  options: RunningArmOptions,
  ports: MeasurePorts,
  use: (runningArms: ReadonlyMap<ArmName, RunningArm>) => Promise<T>,
): Promise<T> {
  const { workload, leaving } = prepared;
  // The port must be free again, and files of a database are those of the server before.
  if (workload.server.port !== undefined || workload.database.kind === "file") await Promise.all(leaving);
  ports.progress({ kind: "step", text: arms.length > 1 ? "starting both arms" : "starting the app" });
  const spares: (Promise<void> | undefined)[] = [];
  const opened: { -readonly [K in keyof RunningArm]?: RunningArm[K] }[] = [];
  try {
    const started = await Promise.allSettled(
      arms.map(async (arm) => {
        const runningArm: (typeof opened)[number] = {};
        opened.push(runningArm);
        const own = prepared.arms[arm] ?? prepared.arms.head;
        const database = await own.template?.copy(own.app.folder);
        if (database !== undefined) runningArm.database = database;
        spares.push(own.template?.prepareCopy?.()); // the next start's, while this one's servers import their code
        // Before the app, which may take every connection that there is.
        const databaseWatch = options.probe && (await database?.watch());
        if (databaseWatch !== undefined) runningArm.databaseWatch = databaseWatch;
        const app = await startApp(cell, arm, prepared, database?.url, options, ports);
        runningArm.app = app;
        const login = loginIn(own, prepared.login);
        const users = await logInAll(login, usersOf(cell.load), app, ports);
        const headers = users?.[0] ?? (await logIn(login, app, ports));
        return [arm, { app, database, databaseWatch, headers, users }] as const;
      }),
    );
    const runningArms = new Map(started.map((each, index) => settled(each, arms[index] ?? "head")));
    await Promise.all([...leaving, ...spares]); // nothing but this cell's own processes may run under load
    return await use(runningArms);
  } finally {
    const last = Promise.all([...opened.map(leave), ...spares]).then(() => undefined);
    last.catch(() => undefined); // an awaiting caller still gets the error; this only avoids an unhandled rejection
    leaving.push(last);
  }
}

export function runningArmOf(runningArms: ReadonlyMap<ArmName, RunningArm>, arm: ArmName): RunningArm {
  const runningArm = runningArms.get(arm);
  if (runningArm === undefined) throw new Error(`no server of ${arm} was started`);
  return runningArm;
}

/** The target of a load on one arm. */
export function targetOf(runningArms: ReadonlyMap<ArmName, RunningArm>, arm: ArmName): LoadTarget {
  const { app, headers, users } = runningArmOf(runningArms, arm);
  return {
    arm,
    baseUrl: app.baseUrl,
    ...(headers !== undefined && { headers }),
    ...(users !== undefined && { users }),
    ...(app.isElsewhere && { isElsewhere: true }),
  };
}

/** What the record of a replicate says of how alike its servers were. */
export function likenessOf(runningArms: ReadonlyMap<ArmName, RunningArm>): Pick<Replicate, "isLaidOutAlike"> {
  const isAlike = [...runningArms.values()].every(({ app }) => app.isLaidOut === true);
  return isAlike ? { isLaidOutAlike: true } : {};
}

/** Virtual users that a load may have. */
function usersOf(load: Load): number {
  if ("virtualUsers" in load) return load.virtualUsers;
  return load.kind === "stages" ? Math.max(1, ...load.stages.map(({ virtualUsers }) => virtualUsers)) : 1;
}

/** Marks an error of the base, so that the head may still be measured; an error of the head costs the cell. */
export function armError(error: unknown, arm: ArmName): unknown {
  return arm === "base" && error instanceof EnvironmentError ? new BaseFailure(error) : error;
}

function settled<T>(result: PromiseSettledResult<T>, arm: ArmName): T {
  if (result.status === "fulfilled") return result.value;
  throw armError(result.reason, arm);
}

async function leave({ app, database, databaseWatch }: Partial<RunningArm>): Promise<void> {
  try {
    await app?.[Symbol.asyncDispose]();
  } finally {
    await databaseWatch?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  }
}

async function startApp(
  cell: Cell,
  arm: ArmName,
  prepared: Prepared,
  databaseUrl: string | undefined,
  { seed, probe: only, probes }: RunningArmOptions,
  ports: AppPorts & MachinePorts,
): Promise<AppServer> {
  const { server, targets } = prepared.workload;
  const running = targets?.[arm];
  if (running !== undefined) return runningServer(running);
  const { app, python } = prepared.arms[arm] ?? prepared.arms.head;
  // Two servers cannot share one port: the head gets the one that the user set.
  const port = (arm === "head" ? server.port : undefined) ?? (await ports.freePort());
  const host = "127.0.0.1";
  const ofApp = {
    PYTHONUNBUFFERED: "1",
    ...(seed !== undefined && { PYTHONHASHSEED: String(seed) }),
    ...variablesFor(prepared.workload, app, databaseUrl),
  };
  const command: ServerCommand = {
    argv: serverArgv(server.template, { app: app.importString, host, port, workers: cell.workers }),
    folder: app.folder,
    variables: ofApp,
    ...besideServer(prepared.workload, ofApp, ports.cpuSets?.others),
    baseUrl: `http://${host}:${port}`,
    readyPath: server.readyPath,
    readyWithinSeconds: server.readyWithinSeconds,
    ...(server.template.includes("{workers}") && { workers: cell.workers }),
    cpus: ports.cpuSets?.app,
    ...(seed !== undefined && ports.canShareLayout && { layoutSeed: seed }),
  };
  const probe = probes?.[arm] ?? only;
  return probe === undefined
    ? ports.startApp(command, python, `${cell.id}-${arm}`)
    : ports.startApp(
        { ...probe.watch(command, python), stopsWithinSeconds },
        python,
        `${cell.id}-diagnosis-${arm}`,
      );
}
