import { type MeasurePorts, serverArgv, type Workload } from "../../src/engine.ts";
import type { Beside } from "../scenario/scenario.ts";

const readyWithinSeconds = 15;

/** Runs a server beside the app, in its folder and environment, until `use` ends. */
export async function withBeside<T>(
  { command }: Beside,
  workload: Workload,
  ports: Pick<MeasurePorts, "preparePython" | "freePort" | "startApp" | "cpuSets">,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const { app } = workload;
  const python = await ports.preparePython(app);
  const port = await ports.freePort();
  const argv = serverArgv(command, { app: app.importString, host: "127.0.0.1", port, workers: 1 });
  const baseUrl = `http://127.0.0.1:${port}`;
  await using _server = await ports.startApp(
    {
      argv,
      folder: app.folder,
      variables: {},
      baseUrl,
      readyPath: "/",
      readyWithinSeconds,
      cpus: ports.cpuSets?.others,
    },
    python,
    "beside",
  );
  return await use(baseUrl);
}
