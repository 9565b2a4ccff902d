import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EnvironmentError, InputError, messageOf } from "../../errors/errors.ts";
import { isNonEmpty } from "../../lists/non-empty.ts";
import { appVariablesOf, type Service, type ServicePorts } from "../../model/workload/service.ts";
import { argvOnCpus, describeExit, readTail, runProcess } from "../process/index.ts";
import { noWay } from "./preparation.ts";
import { isReady } from "./service-readiness.ts";
import {
  containerArgv,
  engineVariables,
  filledValues,
  filler,
  findProgram,
  removeContainer,
  type ServiceWay,
  stubWay,
  unknownRoutesIn,
  wayOf,
} from "./service-way.ts";
import { type SideProcess, type SideProgram, startSideProcess } from "./side-process.ts";

export interface ServiceOptions {
  /** Working folder of its command: the app's. */
  readonly appFolder: string;
  /** An empty folder of its own is made below, and removed with it. */
  readonly workFolder: string;
  readonly path: string;
  readonly logPath: string;
  readonly cpus: string | undefined;
  readonly signal: AbortSignal;
  /** Our stub server; needed by stubs alone. */
  readonly stubServer?: string;
  readonly warn?: (text: string) => void;
  /** Data that it begins with, as `keep` left them; absent: none. Programs only. */
  readonly data?: string;
  freePort(): Promise<number>;
}

/** An instance of a service, which nobody else uses. Disposal ends it and removes its data. */
export interface RunningService extends SideProgram {
  readonly variables: Readonly<Record<string, string>>;
  /** Ends a program in order and moves its data to a new folder. */
  keep(target: string): Promise<void>;
}

const pollMs = 30;
const setupWithinMs = 120_000;
const longestStubLog = 50_000;
const endsWithinMs = 60_000;
const dataFolder = "data";

/** Starts a fresh instance and waits until it can be used. Throws an `EnvironmentError` with its last words. */
export async function startService(service: Service, options: ServiceOptions): Promise<RunningService> {
  const { workFolder, logPath, signal, freePort, stubServer = "", warn } = options;
  const { name, stub } = service;
  signal.throwIfAborted();
  const way = stub === undefined ? await wayOf(service, options) : stubWay(stub, stubServer);
  if (way === undefined) throw new InputError([noWay(service)]);
  const ports = { port: await freePort(), port2: await freePort(), port3: await freePort() };
  await mkdir(workFolder, { recursive: true });
  const folder = await mkdtemp(join(workFolder, "service-"));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  const started = await start(service, way, { ...options, folder, ports }).catch(async (error: unknown) => {
    await removeFolder();
    throw error;
  });
  const stop = async () => {
    await started.stop();
    await removeFolder();
    if (stub === undefined) return;
    for (const route of unknownRoutesIn(await readTail(logPath, longestStubLog)))
      warn?.(`stubs.${name}: the app requested ${route}, which the stub does not have (501)`);
  };
  try {
    await untilReady(service, started.process, { port: ports.port, logPath, signal });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    name: service.name,
    kind: "service",
    variables: appVariablesOf(service, ports),
    hasEnded: started.process.hasEnded,
    ended: started.process.ended,
    cpuSeconds: way.kind === "image" ? () => undefined : started.process.cpuSeconds,
    keep: async (target) => {
      await started.process.stop(endsWithinMs);
      await rename(join(folder, dataFolder), target);
    },
    [Symbol.asyncDispose]: stop,
  };
}

interface Place extends ServiceOptions {
  readonly folder: string;
  readonly ports: ServicePorts;
}

interface Started {
  readonly process: SideProcess;
  stop(): Promise<void>;
}

async function start(service: Service, way: ServiceWay, place: Place): Promise<Started> {
  return way.kind === "program"
    ? await startProgram(service, way, place)
    : await startContainer(service, way, place);
}

async function startProgram(
  { name, debianPackage }: Service,
  { path: program, program: { args, setup, files, variables } }: Extract<ServiceWay, { kind: "program" }>,
  { appFolder, path, logPath, cpus, signal, folder, ports, data }: Place,
): Promise<Started> {
  const fill = filler(ports, folder);
  if (data !== undefined)
    await cp(data, join(folder, dataFolder), { recursive: true, mode: constants.COPYFILE_FICLONE });
  for (const [file, text] of Object.entries(files ?? {})) await writeFile(join(folder, file), text);
  const common = {
    folder: appFolder,
    variables: { PATH: path, ...filledValues(variables ?? {}, fill) },
    logPath,
  };
  const words = data === undefined ? (setup?.map(fill) ?? []) : [];
  if (isNonEmpty(words)) {
    if ((await findProgram(words[0], path, appFolder)) === undefined)
      throw new InputError([
        `services.${name}: ${program} was found, but ${words[0]}, which creates its data folder, is not on PATH; install it${debianPackage === undefined ? "" : `, e.g. sudo apt-get install --yes ${debianPackage}`}`,
      ]);
    const exit = await runProcess(
      { ...common, argv: words, withinMs: setupWithinMs, phase: "start app" },
      signal,
    );
    if (exit.code !== 0) throw await failed(name, `: ${words[0]} ended with ${describeExit(exit)}`, logPath);
  }
  const argv = await argvOnCpus([program, ...args.map(fill)], cpus);
  const process = await startSideProcess({ ...common, argv }).catch(notStarted(name));
  // Its data go with it, so there is nothing that it should save.
  return { process, stop: () => process.stop(2_000, "SIGKILL") };
}

/** A container is stopped by its engine, whatever becomes of the program that we started. */
async function startContainer(
  { name }: Service,
  { engine, image }: Extract<ServiceWay, { kind: "image" }>,
  { logPath, cpus, ports }: Place,
): Promise<Started> {
  const called = `loadtest-${name}-${randomBytes(6).toString("hex")}`;
  const argv = containerArgv(engine, image, { name: called, ports, cpus });
  const process = await startSideProcess({ argv, variables: engineVariables(), logPath }).catch(
    notStarted(name),
  );
  return {
    process,
    stop: async () => {
      await process.stop(0); // it forwards the signal to end
      await removeContainer(engine, called, { logPath });
    },
  };
}

function notStarted(name: string) {
  return (error: unknown): never => {
    throw new EnvironmentError("start app", `services.${name} could not be started: ${messageOf(error)}`);
  };
}

async function untilReady(
  { name, ready, readyWithinSeconds }: Service,
  process: SideProcess,
  {
    port,
    logPath,
    signal,
  }: { readonly port: number; readonly logPath: string; readonly signal: AbortSignal },
): Promise<void> {
  const endMs = performance.now() + readyWithinSeconds * 1_000;
  while (performance.now() < endMs) {
    signal.throwIfAborted();
    const end = process.ended();
    if (end !== undefined) throw await failed(name, ` ended with ${end.how} while it started`, logPath);
    if (await isReady(ready, port)) return;
    await sleep(pollMs);
  }
  throw await failed(
    name,
    ` was not ready within ${readyWithinSeconds} s; ready-timeout sets the limit`,
    logPath,
  );
}

async function failed(name: string, how: string, logPath: string): Promise<EnvironmentError> {
  return new EnvironmentError("start app", `services.${name}${how}`, { logTail: await readTail(logPath) });
}
