import { EnvironmentError } from "../errors/errors.ts";
import type { ArmName } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import { serverArgv } from "../model/workload/server-command.ts";
import type { AppServer, Probe, ServerCommand } from "../ports/app.ts";
import type { DatabaseCopy, DatabaseWatch } from "../ports/database.ts";
import type { LoadTarget } from "../ports/load.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { logIn } from "./log-in.ts";
import type { Ground } from "./prepared.ts";
import { runningServer } from "./running-targets.ts";
import { variablesFor } from "./seed-commands.ts";

/** Of a server that was watched: it has told what it saw, and the phase must end. */
const stopsWithinSeconds = 0.5;

/** Everything one replicate of one arm stands on, already running. */
export interface Stand {
  readonly app: AppServer;
  readonly database: DatabaseCopy | undefined;
  /** Sent with every request; may hold a secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of a server that is watched, on a database. */
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

/** What a replicate's servers get besides the cell. */
export interface StandOptions {
  /** Added to the server's variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** Watches the server, of which there is one then; absent while anything is measured. */
  readonly probe?: Probe;
}

/**
 * Starts fresh servers of the given arms on fresh databases, in the given order but side by side, hands them to `use`,
 * and lets them leave afterwards: `ground.leaving` knows when they are gone.
 */
export async function withStands<T>(
  cell: Cell,
  arms: readonly ArmName[],
  ground: Ground,
  options: StandOptions,
  ports: MeasurePorts,
  use: (stands: ReadonlyMap<ArmName, Stand>) => Promise<T>,
): Promise<T> {
  const { workload, leaving } = ground;
  if (workload.server.port !== undefined) await Promise.all(leaving); // the port must be free again
  ports.progress({ kind: "step", text: arms.length > 1 ? "starting both arms" : "starting the app" });
  const opened: { -readonly [K in keyof Stand]?: Stand[K] }[] = [];
  try {
    const started = await Promise.allSettled(
      arms.map(async (arm) => {
        const stand: (typeof opened)[number] = {};
        opened.push(stand);
        const database = await ground.arms[arm]?.template?.copy();
        if (database !== undefined) stand.database = database;
        // Before the app, which may take every connection that there is.
        const databaseWatch = options.probe && (await database?.watch());
        if (databaseWatch !== undefined) stand.databaseWatch = databaseWatch;
        const app = await startApp(cell, arm, ground, database?.url, options, ports);
        stand.app = app;
        const headers = await logIn(ground.login, app, ports);
        return [arm, { app, database, databaseWatch, headers }] as const;
      }),
    );
    const stands = new Map(started.map((each, index) => settled(each, arms[index] ?? "head")));
    await Promise.all(leaving); // nothing but this cell's own processes may run under load
    return await use(stands);
  } finally {
    const last = Promise.all(opened.map(leave)).then(() => undefined);
    last.catch(() => undefined); // whoever awaits it is told; until then it is nobody's unhandled rejection
    leaving.push(last);
  }
}

export function standOf(stands: ReadonlyMap<ArmName, Stand>, arm: ArmName): Stand {
  const stand = stands.get(arm);
  if (stand === undefined) throw new Error(`no server of ${arm} was started`);
  return stand;
}

/** Where a load on an arm goes. */
export function targetOf(stands: ReadonlyMap<ArmName, Stand>, arm: ArmName): LoadTarget {
  const { app, headers } = standOf(stands, arm);
  return {
    arm,
    baseUrl: app.baseUrl,
    ...(headers !== undefined && { headers }),
    ...(app.isElsewhere && { isElsewhere: true }),
  };
}

/** An error of the base is told apart from one of the head, which costs the cell. */
export function armError(error: unknown, arm: ArmName): unknown {
  return arm === "base" && error instanceof EnvironmentError ? new BaseFailure(error) : error;
}

function settled<T>(result: PromiseSettledResult<T>, arm: ArmName): T {
  if (result.status === "fulfilled") return result.value;
  throw armError(result.reason, arm);
}

async function leave({ app, database, databaseWatch }: Partial<Stand>): Promise<void> {
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
  ground: Ground,
  databaseUrl: string | undefined,
  { variables, probe }: StandOptions,
  ports: MeasurePorts,
): Promise<AppServer> {
  const { server, targets } = ground.workload;
  const running = targets?.[arm];
  if (running !== undefined) return runningServer(running);
  const { app, python } = ground.arms[arm] ?? ground.arms.head;
  // Two servers cannot share one port; the head is what the user set it for.
  const port = (arm === "head" ? server.port : undefined) ?? (await ports.freePort());
  const host = "127.0.0.1";
  const command: ServerCommand = {
    argv: serverArgv(server.template, { app: app.importString, host, port, workers: cell.workers }),
    folder: app.folder,
    variables: {
      PYTHONUNBUFFERED: "1",
      ...variables,
      ...variablesFor(ground.workload, app, databaseUrl),
    },
    baseUrl: `http://${host}:${port}`,
    readyPath: server.readyPath,
    readyWithinSeconds: server.readyWithinSeconds,
    ...(server.template.includes("{workers}") && { workers: cell.workers }),
    cpus: ports.cpuSets?.app,
  };
  return probe === undefined
    ? ports.startApp(command, python, `${cell.id}-${arm}`)
    : ports.startApp(
        { ...probe.watch(command, python), stopsWithinSeconds },
        python,
        `${cell.id}-diagnosis-${arm}`,
      );
}
