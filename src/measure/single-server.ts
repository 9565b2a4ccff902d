import { serverArgv } from "../model/workload/server-command.ts";
import type { App, Workload } from "../model/workload/workload.ts";
import type { AppServer } from "../ports/app.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import type { PythonEnvironment } from "../ports/python.ts";
import { variablesFor } from "./app-variables.ts";
import { besideServer } from "./beside-server.ts";

/** The first start of an app may compile its modules. */
const mostWaited = 30;

/** Starts an app with one worker, for requests that are no load. */
export async function startSingleServer(
  workload: Workload,
  {
    app,
    python,
    url,
    name,
    errorsForSeconds,
  }: {
    readonly app: App;
    readonly python: PythonEnvironment;
    /** Of its database; `undefined`: it has none of ours. */
    readonly url: string | undefined;
    /** Of the log. */
    readonly name: string;
    readonly errorsForSeconds?: number;
  },
  ports: Pick<MeasurePorts, "freePort" | "startApp">,
): Promise<AppServer> {
  const { server } = workload;
  const [host, port] = ["127.0.0.1", server.port ?? (await ports.freePort())] as const;
  const variables = { PYTHONUNBUFFERED: "1", ...variablesFor(workload, app, url) };
  const command = {
    argv: serverArgv(server.template, { app: app.importString, host, port, workers: 1 }),
    folder: app.folder,
    variables,
    baseUrl: `http://${host}:${port}`,
    readyPath: server.readyPath,
    readyWithinSeconds: Math.max(mostWaited, server.readyWithinSeconds),
    ...besideServer(workload, variables, undefined),
    cpus: undefined,
    ...(errorsForSeconds !== undefined && { errorsForSeconds }),
  };
  return await ports.startApp(command, python, name);
}
