import type { ProbeFile } from "../diagnosis/probe-documents.ts";
import type { Reply } from "../endpoints/dry-request.ts";
import type { CallgrindCounts } from "../model/measurement/instructions.ts";
import type { Holdings } from "../model/measurement/shared-things.ts";
import type { Companion, Service } from "../model/workload/service.ts";
import type { Stores } from "../model/workload/stores.ts";
import type { Trouble } from "../text/telling-line.ts";
import type { PythonEnvironment } from "./python.ts";

interface WantedServices {
  readonly services: readonly Service[];
  /** `undefined`: all. */
  readonly cpus: string | undefined;
}

interface WantedCompanions {
  readonly companions: readonly Companion[];
  /** Those of the server, without what watches it. */
  readonly variables: Readonly<Record<string, string>>;
  readonly cpus: string | undefined;
}

export interface AppCommand {
  /** Its key, for messages: `migrate-command`. */
  readonly input: string;
  readonly text: string;
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly wanted?: WantedServices;
  /** Absent: it opens what it likes. */
  readonly stores?: Stores;
  /** Absolute paths, with files of its own below; absent: none. */
  readonly ownFolders?: readonly string[];
  /** Absent: as long as a job may run. */
  readonly withinSeconds?: number;
}

export interface PrintingCommand {
  /** Its key, for messages: `login: command`. */
  readonly input: string;
  readonly text: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A start without the other version, and one next to a version that started so. */
export type StartTrial = "alone" | "next to it";

export interface ServerCommand {
  /** Never passes through a shell. */
  readonly argv: readonly [program: string, ...args: string[]];
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly wanted?: WantedServices;
  readonly companions?: WantedCompanions;
  /** Absent: it is measured, so nothing watches its Python. */
  readonly stores?: Stores;
  readonly baseUrl: string;
  readonly readyPath: string;
  readonly readyWithinSeconds: number;
  /** Seconds after which nothing but errors is a failure, e.g. of a page that is not there; absent: it may recover. */
  readonly errorsForSeconds?: number;
  /** Processes that should accept connections in the end; absent where the command does not say how many. */
  readonly workers?: number;
  /** CPUs that the server may use once it is ready; `undefined`: all. */
  readonly cpus: string | undefined;
  /** Chooses the address layout of its processes; absent: the kernel does, anew for each. */
  readonly layoutSeed?: number;
  /** Set after a start next to the other version has failed: what is known of starts does not count then. */
  readonly trial?: StartTrial;
  /** Time that it has to stop before it is killed; absent: the usual time. */
  readonly stopsWithinSeconds?: number;
}

/** A running app server: all its processes form one group. Disposal stops the whole group. */
export interface AppServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** True when it runs without us, on a host that the caller named. */
  readonly isElsewhere?: true;
  /** Resolves with a sentence when the server exits, or one of its workers dies, before it is to stop. */
  readonly failure: Promise<string>;
  /** Checks the server now: the sentence that `failure` has, or is about to have. */
  failureNow(): Promise<string | undefined>;
  /** Name of a companion process that has ended by itself; absent when there is no companion. */
  endedProcess?(): string | undefined;
  /** Sentence on a database or another store of somebody else that it opened; absent where nobody looks. */
  otherStore?(): Promise<string | undefined>;
  /** CPU seconds so far of all processes of the server. This and all figures below: `undefined` without procfs. */
  cpuSeconds(): number | undefined;
  /** The same of each service and companion, by its name; `undefined` for containers, too. Absent: there is none. */
  companionCpuSeconds?(): Readonly<Record<string, number>> | undefined;
  /** The same of each worker process that was there when the server became ready. */
  workerCpuSeconds(): readonly number[] | undefined;
  /** True when all of its processes have the layout that `layoutSeed` chose. */
  readonly isLaidOut?: boolean;
  /** CPUs that its processes may use now, as Linux writes lists. */
  cpus(): string | undefined;
  /** Resident memory of all processes together when the server was ready; absent where it was not read. */
  readonly readyMemoryBytes?: number;
  readonly startCpuSeconds?: number;
  /** Largest resident memory so far of all processes together. */
  peakMemoryBytes(): number | undefined;
  /** The same since the start, about twice a second, at even times. */
  peaksOfMemory?(): readonly number[];
  /** Runs a command next to the server; returns what it printed, maybe a secret. Absent: it runs elsewhere. */
  printed?(command: PrintingCommand): Promise<string>;
  /** Foreign text. */
  logTail(): string;
  /** The exceptions in its log so far, the most frequent first. Absent: nobody can see its log. */
  troubles?(): readonly Trouble[];
  /** Its ports and files that another program may want, too. Absent where nobody can see them. */
  holdings?(): Holdings;
}

export type ProbePurpose = "causes" | "reach" | "stacks" | "outside" | "memory";

/** Watches one server from inside (docs/diagnosis.md). Disposal removes the files that its processes wrote. */
export interface Probe extends AsyncDisposable {
  /** The command that starts the same server, watched. `folder`: the user's own files; absent: the command's. */
  watch(command: ServerCommand, environment: PythonEnvironment, folder?: string): ServerCommand;
  /** Variables by which any Python process is watched, of those that it gets anyway. */
  variables(own: Readonly<Record<string, string>>, folder: string): Readonly<Record<string, string>>;
  /** Once it resolves, observations of the processes count for the window of that name. */
  openWindow(name: string): Promise<void>;
  /** The files of the running processes, once written; `ended`: of processes that have ended. */
  readFiles(are?: "ended" | "running"): Promise<readonly ProbeFile[]>;
}

export interface SingleRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Texts that are said through a WebSocket, each after the answer to the one before; absent: it is only opened. */
  readonly messages?: readonly string[];
  readonly withinSeconds: number;
  /** True where a stream of events that does not end in that time is a reply, too. */
  readonly takesEndless?: true;
  /** True: sent through a connection that later requests to this server use, too. */
  readonly keepsConnection?: true;
}

export interface AppPorts {
  /** Gets the images of services. Throws an `InputError` for all that cannot be started here. */
  prepareServices(
    services: readonly Service[],
    environment: PythonEnvironment,
    appFolder: string,
  ): Promise<void>;
  freePort(): Promise<number>;
  portProblem(port: number): Promise<string | undefined>;
  /** The environment's programs come before the machine's. `name` names the log. */
  startApp(command: ServerCommand, environment: PythonEnvironment, name: string): Promise<AppServer>;
  /** Runs a command to its end, with a log of that name. Throws an `EnvironmentError` of the phase `seed`. */
  runCommand(command: AppCommand, environment: PythonEnvironment, name: string): Promise<void>;
  /** Sends one request to a server of ours and follows no redirect. Returns a sentence when no reply came. */
  sendRequest(request: SingleRequest): Promise<Reply | string>;
  /** What it looks for: time under load, functions that run, CPU stacks, outside hosts, or memory. */
  openProbe(purpose: ProbePurpose): Promise<Probe>;
}

/** Counts the instructions of one server in user space. Disposal removes what it wrote. */
export interface InstructionCounter extends AsyncDisposable {
  /** The command that starts the same server, counted and much slower. */
  watch(command: ServerCommand): ServerCommand;
  /** Counts from now on, which makes the server several times slower again. */
  begin(): Promise<void>;
  /** Those of all processes of the server since the last reading, or since the beginning. */
  read(): Promise<CallgrindCounts>;
  /** Instructions of the server in each second without requests: what polls, and what waits for a time. */
  idlePerSecond(): Promise<number>;
}

export interface InstructionPorts {
  countingProblem(): Promise<string | undefined>;
  openCounter(): Promise<InstructionCounter>;
}
