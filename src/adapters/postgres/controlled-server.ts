import { join } from "node:path";
import { cpuClock, pinArgv, processesOf, runProcess } from "../process/index.ts";
import type { DatabaseServerOptions } from "./running-server.ts";
import { type Launch, startServer, stopServer } from "./server-start.ts";

/** A private server that can be stopped and started again on the same cluster. */
export interface ControlledServer {
  /** Port of the last start. */
  readonly port: number;
  start(): Promise<void>;
  stop(signal: "SIGQUIT" | "SIGINT"): Promise<void>;
  /** Pins its processes, also future ones, to the CPUs of the options. */
  settle(): Promise<void>;
  /** CPU time of all its processes since the last start. */
  cpuSeconds(): number | undefined;
}

/** Starts it for the first time. Throws an `EnvironmentError` with the server's words. */
export async function controlServer(
  launch: Launch,
  { cpus, workFolder }: Pick<DatabaseServerOptions, "cpus" | "workFolder">,
): Promise<ControlledServer> {
  let { running, port } = await startServer(launch);
  let cpuSeconds = cpuClock(() => processesOf(running.pid));
  return {
    get port() {
      return port;
    },
    start: async () => {
      ({ running, port } = await startServer(launch));
      cpuSeconds = cpuClock(() => processesOf(running.pid));
    },
    stop: (signal) => stopServer(running, signal),
    settle: async () => {
      if (cpus === undefined) return;
      const logPath = join(workFolder, "taskset.log");
      const pin = async (pid: number) => {
        const argv = await pinArgv(pid, cpus);
        // A process that has ended is no loss. Without `taskset`, CPUs are not kept apart.
        if (argv !== undefined) await runProcess({ argv, logPath }, launch.signal);
      };
      await pin(running.pid); // first, so that nothing starts elsewhere while we look at the others
      for (const { pid } of processesOf(running.pid)) if (pid !== running.pid) await pin(pid);
    },
    cpuSeconds: () => cpuSeconds(),
  };
}
