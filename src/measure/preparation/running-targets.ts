import { noBase } from "../../model/measurement/lone-arm.ts";
import type { Workload } from "../../model/workload/workload.ts";
import type { AppServer } from "../../ports/app.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import { readSecrets } from "./log-in.ts";
import { prepareMaterials } from "./materials.ts";
import type { Prepared, PreparedArm } from "./prepared.ts";

type Ports = Pick<MeasurePorts, "findGenerator" | "findLocust" | "secrets">;

/** Preparation of apps that already run: we start, seed and stop nothing. */
export async function prepareTargets(workload: Workload, ports: Ports): Promise<Prepared> {
  const login = readSecrets(workload.login, ports);
  const python = await pythonFor(workload, ports);
  const { base } = workload.comparing;
  const reason = base.kind === "none" ? base.reason : undefined;
  const arm: PreparedArm = { app: workload.app, python, template: undefined };
  return {
    workload,
    k6Version: await ports.findGenerator(),
    databases: undefined,
    commits: {},
    arms: { head: arm, base: base.kind === "none" ? undefined : arm },
    materials: (await prepareMaterials(workload, undefined)).materials,
    login,
    loneArm: reason === undefined ? undefined : noBase(reason),
    leaving: [],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** The Python of a Locust file; k6 needs none. */
async function pythonFor({ load }: Workload, ports: Ports): Promise<PythonEnvironment> {
  const none = { binFolder: "", interpreter: "", version: "", packages: {} };
  if (load.kind !== "script" || load.locust === undefined) return none;
  const { interpreter, version } = await ports.findLocust();
  return { ...none, interpreter, packages: { locust: version } };
}

/** A server that runs without us: we cannot see its resource use, and we do not stop it. */
export function runningServer(baseUrl: string): AppServer {
  return {
    baseUrl,
    isElsewhere: true,
    failure: new Promise<string>(() => undefined),
    failureNow: () => Promise.resolve(undefined),
    cpuSeconds: () => undefined,
    workerCpuSeconds: () => undefined,
    cpus: () => undefined,
    peakMemoryBytes: () => undefined,
    logTail: () => "",
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
