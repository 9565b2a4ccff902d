import { EnvironmentError, type FailurePhase } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import type { ArmName } from "../../model/measurement/measurement.ts";
import { databaseVariables } from "../../model/workload/database-variables.ts";
import { serverArgv, workersVariable } from "../../model/workload/server-command.ts";
import { placeholderVariables } from "../../model/workload/service.ts";
import type { Stores } from "../../model/workload/stores.ts";
import type { App, Workload } from "../../model/workload/workload.ts";
import type { AppPorts, AppServer, ServerCommand } from "../../ports/app.ts";
import type { CpuSets } from "../../ports/machine.ts";
import type { PythonEnvironment } from "../../ports/python.ts";

/** The first start of an app may compile its modules. */
const mostWaited = 30;

interface Start {
  readonly app: App;
  /** URL of its database; `undefined`: this action opened none for it. */
  readonly url: string | undefined;
}

/** Variables of an arm's server; those of its services stand for some that are not started. */
export function variablesFor(
  { database, services = [] }: Pick<Workload, "database" | "services">,
  app: App,
  url: string | undefined,
): Record<string, string> {
  const isElsewhere = database.kind === "none" || database.kind === "file" || url === undefined;
  return {
    ...(app.sourceFolder !== undefined && { PYTHONPATH: `${app.folder}/${app.sourceFolder}` }),
    ...placeholderVariables(services),
    ...(!isElsewhere && databaseVariables(database, url)),
    ...app.variables,
  };
}

/**
 * True when the head is started once before it is measured, watched from inside. Nobody but k6 knows what a script
 * requests, and an app that runs elsewhere is never diagnosed.
 */
export function isWatchedOnce({ scriptPath, diagnose }: Pick<Workload, "scriptPath" | "diagnose">): boolean {
  return scriptPath === undefined && diagnose !== "never";
}

/** What an app may open: its database, and what the configuration names. */
export function storesOf({ database, server }: Workload, app: App): Stores {
  const named = { ...app.variables, server: server.template };
  return { ...(database.kind !== "none" && { variable: database.variable }), named };
}

/** The app's server command. Companions get the others' CPUs. `seed`: of Python's hash order, if alike. */
export function serverCommand(
  workload: Workload,
  { app, url, port, workers, seed }: Start & { port: number; workers: number; seed?: number | undefined },
  cpuSets?: CpuSets,
): ServerCommand {
  const { server, services, processes } = workload;
  const host = "127.0.0.1";
  const hashing = defined({ PYTHONHASHSEED: seed?.toString() });
  const counted = workersVariable(server.template, workers);
  const variables = { PYTHONUNBUFFERED: "1", ...hashing, ...counted, ...variablesFor(workload, app, url) };
  const cpus = cpuSets?.others;
  return {
    argv: serverArgv(server.template, { app: app.importString, host, port, workers }),
    folder: app.folder,
    variables,
    stores: storesOf(workload, app),
    ...defined({
      wanted: services && { services, cpus },
      companions: processes && { companions: processes, variables, cpus },
    }),
    baseUrl: `http://${host}:${port}`,
    readyPath: server.readyPath,
    readyWithinSeconds: server.readyWithinSeconds,
    cpus: cpuSets?.app,
  };
}

/** Starts an app with one worker, for requests that are no load. `name`: of the log. */
export async function startSingleServer(
  workload: Workload,
  {
    python,
    name,
    errorsForSeconds,
    watched = (own) => own,
    ...start
  }: Start & {
    python: PythonEnvironment;
    name: string;
    errorsForSeconds?: number;
    watched?: (own: ServerCommand["variables"]) => ServerCommand["variables"];
  },
  ports: Pick<AppPorts, "freePort" | "startApp">,
): Promise<AppServer> {
  const port = workload.server.port ?? (await ports.freePort());
  const command = serverCommand(workload, { ...start, port, workers: 1 });
  const readyWithinSeconds = Math.max(mostWaited, command.readyWithinSeconds);
  return await ports.startApp(
    {
      ...{ ...command, readyWithinSeconds, variables: watched(command.variables) },
      ...defined({ errorsForSeconds }),
    },
    python,
    name,
  );
}

/** Throws an `EnvironmentError` when the app has opened a store of somebody else, in a start or by a request. */
export async function refuseOtherStore(
  server: AppServer,
  phase: FailurePhase,
  arm: ArmName = "head",
): Promise<void> {
  const text = await server.otherStore?.();
  if (text === undefined) return;
  const reason = arm === "base" ? `in the base, ${text}` : text;
  throw new EnvironmentError(phase, reason, { detail: { kind: "other store" } });
}
