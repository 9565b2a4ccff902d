import { noBase } from "../model/measurement/lone-arm.ts";
import type { Workload } from "../model/workload/workload.ts";
import type { AppServer } from "../ports/app.ts";
import type { LoadPorts } from "../ports/load.ts";
import type { SecretsPorts } from "../ports/secrets.ts";
import { readSecrets } from "./log-in.ts";
import { prepareMaterials } from "./materials.ts";
import type { Prepared, PreparedArm } from "./prepared.ts";

/** Preparation of apps that already run: we start, seed and stop nothing. */
export async function prepareTargets(workload: Workload, ports: LoadPorts & SecretsPorts): Promise<Prepared> {
  const login = readSecrets(workload.login, ports);
  const python = { binFolder: "", interpreter: "", version: "", packages: {} };
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
