import type { RepositoryFile } from "../diagnosis/located-findings.ts";
import type { Reply } from "../endpoints/dry-request.ts";
import type { App, Database, Workload } from "../model/workload/workload.ts";
import type { AppCommand, AppServer, Probe, ServerCommand, SingleRequest } from "./app.ts";
import type { BaseOutcome } from "./base.ts";
import type { DatabaseServer } from "./database.ts";
import type { LoadOutput, LoadRequest } from "./load.ts";
import type { CpuSets, Machine, MachineUse } from "./machine.ts";
import type { Progress } from "./progress.ts";
import type { PythonEnvironment } from "./python.ts";
/** What `measure` needs from outside. */
export interface MeasurePorts {
  readonly machine: Machine;
  /** Aborts when the user cancels; everything below stops then by itself. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Version of k6, e.g. `2.2.0`. */
  findGenerator(): Promise<string>;
  preparePython(app: App): Promise<PythonEnvironment>;
  /** A sentence when the app cannot be imported. */
  importProblem(
    environment: PythonEnvironment,
    app: App,
    variables: Readonly<Record<string, string>>,
  ): Promise<string | undefined>;
  /** Finds or checks out what the head is compared with; nothing of it is installed or started. */
  openBase(workload: Workload): Promise<BaseOutcome>;
  /** Files that one process may have open; `undefined` where that cannot be told. */
  readonly openFilesLimit: number | undefined;
  /** How this machine's CPUs are shared out; `undefined` when they are not kept apart. */
  readonly cpuSets: CpuSets | undefined;
  /** Starts watching the machine; the result says what happened since. `undefined` where there is no procfs. */
  watchMachine(): (() => MachineUse) | undefined;
  /** A sentence when the databases of so many arms will not fit on the disk. */
  diskProblem(database: Database, arms: number): Promise<string | undefined>;
  /** `cpus`: those that the server may use, where it is ours to say. */
  openDatabases(
    database: Exclude<Database, { kind: "none" }>,
    cpus: string | undefined,
  ): Promise<DatabaseServer>;
  /**
   * Runs a command to its end, its output in the log of that name. Throws an `EnvironmentError` of the phase `seed` that
   * names the command and how it ended.
   */
  runCommand(command: AppCommand, environment: PythonEnvironment, name: string): Promise<void>;
  freePort(): Promise<number>;
  /** A sentence when something already listens on the port. */
  portProblem(port: number): Promise<string | undefined>;
  /** The environment's programs come before the machine's. `name` names the log. */
  startApp(command: ServerCommand, environment: PythonEnvironment, name: string): Promise<AppServer>;
  generateLoad(request: LoadRequest, signal: AbortSignal): Promise<LoadOutput>;
  /** What the app is told in confidence. */
  readonly secrets: {
    /** The value of a variable of ours, kept out of all that is written from now on; `undefined` when it is not set. */
    read(name: string): string | undefined;
    /** Keeps a value that was learned out of all that is written. */
    hide(value: string): Promise<void>;
  };
  /** Sends one request to a server of ours; follows no redirect. A sentence when no reply came. */
  sendRequest(request: SingleRequest): Promise<Reply | string>;
  openProbe(): Promise<Probe>;
  /**
   * A file that the app's folder holds, as its repository knows it; `undefined` when it does not. `base`: the commit
   * from which the diff is taken.
   */
  lookUpFile(appFolder: string, file: string, base: string | undefined): Promise<RepositoryFile | undefined>;
  /** Commit checked out in a folder, where that can be told. */
  commitOf(folder: string): Promise<string | undefined>;
  /** Writes a document into the results folder, whole or not at all. */
  save(name: string, text: string): Promise<void>;
  /** Removes the results of an earlier run, those in a folder `below` the results folder when it is given. */
  clearResults(below?: string): Promise<void>;
  /** ISO 8601, UTC. */
  now(): string;
  /** Seconds of a steady clock. */
  clock(): number;
  /** A number from 0 up to but not including 2^32. */
  random(): number;
}
