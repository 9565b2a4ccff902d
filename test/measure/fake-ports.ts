import { startDeadline } from "../../src/adapters/process/index.ts";
import type { ProbeFile } from "../../src/diagnosis/probe-documents.ts";
import { endpointLabel } from "../../src/model/endpoint/endpoint.ts";
import type { ArmName } from "../../src/model/measurement/measurement.ts";
import type { AppServer, Probe, ServerCommand } from "../../src/ports/app.ts";
import type { DatabaseServer } from "../../src/ports/database.ts";
import type { MeasurePorts } from "../../src/ports/measure.ts";
import type { ProgressEvent } from "../../src/ports/progress.ts";
import type { BaseSource } from "../../src/ports/repository.ts";
import { answer, loadOutput } from "./fake-load.ts";

const machine = {
  cpuModel: "CPU",
  cores: 2,
  memoryBytes: 1,
  kernel: "6.1",
  platform: "linux x64",
  runner: "local",
  node: "20",
};

/** Ports that only write down their calls, in order. */
export function recordingPorts(overrides: Partial<MeasurePorts> = {}) {
  const calls: string[] = [];
  const saved = new Map<string, string>();
  const events: ProgressEvent[] = [];
  const call = <T>(text: string, value: T): Promise<T> => {
    calls.push(text);
    return Promise.resolve(value);
  };
  const counts = { statements: 20, rows: 30, transactionStatements: 0, blocks: 40, totalMs: 50 };
  const copy = () =>
    call("copy database", {
      url: "postgresql://copy",
      resetStatements: () => call("reset statements", undefined),
      countConnections: () => Promise.resolve(20),
      countStatements: () => call("count statements", counts),
      readColumn: (query: string) => call(`ask ${query}`, [3, "4", null]),
      readTable: (query: string) =>
        call(`ask ${query}`, {
          columns: ["name", "key"],
          rows: [
            ["ada", 7],
            ["bo", "k8"],
          ],
        }),
      watch: () =>
        call("watch database", {
          begin: () => call("begin watch", undefined),
          read: () => call("read database", { facts: { connectionsAllowed: 97, tables: [] }, unseen: [] }),
          [Symbol.asyncDispose]: () => call("end watch", undefined),
        }),
      [Symbol.asyncDispose]: () => call("drop database", undefined),
    });
  const databases: DatabaseServer = {
    version: "18.4",
    statementStatistics: true,
    maxConnections: undefined,
    seed: async ({ seedFiles }, commands) => {
      await commands?.("migrate", "postgresql://template");
      const template = await call(["seed", ...seedFiles].join(" "), { copy });
      await commands?.("seed", "postgresql://template");
      return template;
    },
    cpuSeconds: () => undefined,
    [Symbol.asyncDispose]: () => call("stop postgres", undefined),
  };
  const python = { binFolder: "/venv/bin", interpreter: "/venv/bin/python", version: "3.11.7", packages: {} };
  let drawn = 0;
  const ports: MeasurePorts = {
    machine,
    signal: new AbortController().signal,
    startDeadline: (signal, seconds) =>
      startDeadline({ signal, ms: seconds === undefined ? undefined : seconds * 1_000 }),
    progress: (event) => events.push(event),
    cpuSets: undefined,
    canShareLayout: true,
    openFilesLimit: 1_024,
    findGenerator: () => call("find k6", "2.2.0"),
    findLocust: () => call("find Locust", { interpreter: "python3", version: "2.47.0" }),
    preparePython: () => call("install", python),
    prepareServices: () => call("prepare services", undefined),
    tryImport: () => call("import app", {}),
    openBase: () => call("open base", { kind: "none", reason: "nobody said where it is", logTail: "" }),
    watchMachine: () => undefined,
    diskProblem: () => Promise.resolve(undefined),
    openDatabases: () => call("start postgres", databases),
    runCommand: ({ text, folder }, _, name) => call(`${name}: ${text} in ${folder}`, undefined),
    freePort: () => Promise.resolve(4_000),
    portProblem: () => Promise.resolve(undefined),
    startApp: (command) => call(`start ${command.argv.join(" ")}`, fakeServer(command, call)),
    generateLoad: ({ load, endpoint }) =>
      call(`load ${endpointLabel(endpoint)} ${load.kind}`, loadOutput(10)),
    secrets: { read: (name) => `value of ${name}`, hide: (value) => call(`hide ${value}`, undefined) },
    sendRequest: ({ method, url }) =>
      call(`try ${method} ${url.replace(/^http:\/\/[^/]+/, "")}`, { status: 200, body: "fine" }),
    countingProblem: () => Promise.resolve("Valgrind is not installed"),
    openCounter: () => Promise.reject(new Error("nobody can count")),
    openProbe: () => call("open probe", fakeProbe(call)),
    findFile: (folder, file, base) =>
      call(`look up ${file} in ${folder} since ${base}`, { path: `api/${file}`, diff: undefined }),
    changesSince: () => Promise.resolve(undefined),
    isLacking: () => Promise.resolve(false),
    copyApp: (app) => call(`copy ${app.folder}`, { ...app, folder: `${app.folder}-copy` }),
    commitOf: () => Promise.resolve("0123abc"),
    save: (name, text) => {
      saved.set(name, text);
      return call(`save ${name.replace(/-[0-9a-f]{8}\./, ".")}`, undefined);
    },
    clearResults: (below) => call(["clear results", ...(below ? [below] : [])].join(" "), undefined),
    now: () => "2026-01-01T00:00:00.000Z",
    clock: () => 0,
    random: () => drawn++,
    ...overrides,
  };
  return { calls, saved, events, call, ports };
}

type Call = ReturnType<typeof recordingPorts>["call"];

function fakeServer(
  { baseUrl, layoutSeed }: Pick<ServerCommand, "baseUrl" | "layoutSeed">,
  call: Call,
  name = "app",
): AppServer {
  return {
    baseUrl,
    ...(layoutSeed !== undefined && { isLaidOut: true }),
    failure: new Promise<string>(() => undefined),
    failureNow: () => Promise.resolve(undefined),
    cpuSeconds: () => undefined,
    workerCpuSeconds: () => undefined,
    cpus: () => undefined,
    peakMemoryBytes: () => 1_000,
    logTail: () => "",
    [Symbol.asyncDispose]: () => call(`stop ${name}`, undefined),
  };
}

/** A probe whose processes saw nothing, unless they left files. */
export function fakeProbe(call: Call, files: readonly ProbeFile[] = []): Probe {
  return {
    watch: (command) => ({ ...command, argv: ["watched", ...command.argv] }),
    variables: (own) => own,
    openWindow: () => call("open window", undefined),
    readFiles: () => call("read documents", files),
    [Symbol.asyncDispose]: () => call("close probe", undefined),
  };
}

/** Ports of a run that has a base, in the folder `/base` with its own commit; calls name the arm. */
export function comparingPorts(
  overrides: Partial<MeasurePorts> = {},
  sourceOf: Partial<Omit<BaseSource, "app">> = {},
) {
  const made = recordingPorts();
  const { call } = made;
  let port = 4_000;
  const ports: MeasurePorts = {
    ...made.ports,
    openBase: ({ app, database }) =>
      call("open base", {
        kind: "found",
        source: {
          app: { ...app, folder: "/base" },
          seed: database.kind === "none" ? undefined : database,
          commit: "ba5eba5e",
          [Symbol.asyncDispose]: () => call("remove worktree", undefined),
          ...sourceOf,
        },
      }),
    freePort: () => Promise.resolve(++port),
    startApp: (command, _, name) => {
      const arm = armIn(name);
      return call(
        `start ${arm}, seed ${command.variables["PYTHONHASHSEED"]}`,
        fakeServer(command, call, arm),
      );
    },
    generateLoad: (request) => {
      const { name, load, sliceMs, targets } = request;
      const arms = targets.length === 1 ? ` of ${targets[0].arm}` : "";
      const model = load.kind === "rate" ? `${load.requestsPerSecond.toFixed(1)} req/s` : load.kind;
      return call(`load ${phaseIn(name)}${arms}: ${model}, slices of ${sliceMs} ms`, answer(request));
    },
    ...overrides,
  };
  return { ...made, ports };
}

/** The arm whose server is started under this name. */
export function armIn(name: string): ArmName {
  return name.endsWith("-base") ? "base" : "head";
}

/** The phase at the end of a load's name: `warmup`, `closed`, `open`; `all` for a load on one arm. */
export function phaseIn(name: string): string {
  return /-(warmup|closed|open)$/.exec(name)?.[1] ?? "all";
}
