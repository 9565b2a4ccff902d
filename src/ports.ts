import type { App, Database, Seed, Workload } from "./core/config/config.ts";
import type { Cell, Endpoint, Load } from "./core/measurement/cell.ts";
import type { ArmName, Failure, Measurement } from "./core/measurement/measurement.ts";
import type { Design, Plan } from "./core/measurement/plan.ts";
import type { Links } from "./core/report/links.ts";

/** Facts about the machine and the run, gathered once. */
export interface Machine {
  readonly cpuModel: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly kernel: string;
  readonly platform: string;
  readonly runner: string;
  readonly node: string;
}

/** A virtual environment (or plain interpreter) that can start the app. */
export interface PythonEnvironment {
  /** Absolute path of the folder with `python`, `uvicorn`, ...; goes first on the server's PATH. */
  readonly binFolder: string;
  /** Absolute path of the interpreter. */
  readonly interpreter: string;
  /** e.g. `3.11.7` */
  readonly version: string;
  /** Installed distributions: normalised name to version. */
  readonly packages: Readonly<Record<string, string>>;
}

/** One database, a fresh copy of the seeded template; dropped on disposal. */
export interface DatabaseCopy extends AsyncDisposable {
  /** `postgresql://user:password@127.0.0.1:port/name` */
  readonly url: string;
  /** Sets the statement counters back to zero. */
  resetStatements(): Promise<void>;
  /** What was executed in this database since the last reset; `undefined` without `pg_stat_statements`. */
  countStatements(): Promise<StatementCounts | undefined>;
}

export interface StatementCounts {
  readonly statements: number;
  /** Returned or changed. */
  readonly rows: number;
  /** Pages of 8 kB that were looked at, wherever they were found. */
  readonly blocks: number;
}

/** A seeded database that copies are made of. */
export interface DatabaseTemplate {
  /** Resources of the last `copy` may still be in use: each copy has a name of its own. */
  copy(): Promise<DatabaseCopy>;
}

/** A Postgres server; a private one stops and its data goes on disposal, with all templates and copies. */
export interface DatabaseServer extends AsyncDisposable {
  /** e.g. `18.4` */
  readonly version: string;
  readonly statementStatistics: boolean;
  /** Makes and fills a template. Throws an `EnvironmentError` that names the file, the line and the statement. */
  seed(seed: Seed): Promise<DatabaseTemplate>;
  /** CPU seconds of the server's processes so far; `undefined` where the server is not ours or there is no procfs. */
  cpuSeconds(): number | undefined;
}

/** What the head is compared with: its code, its data, and where its worktree is until disposal. */
export interface BaseSource extends AsyncDisposable {
  readonly app: App;
  /** Seed files of the base, or the head's own where they are the same or lie outside of the repository. */
  readonly seed: Seed | undefined;
  readonly commit: string | undefined;
}

/** Refusals are expected outcomes, so they are values. */
export type BaseOutcome =
  | { readonly kind: "found"; readonly source: BaseSource }
  | { readonly kind: "none"; readonly reason: string; readonly logTail: string };

/** CPUs as Linux writes lists (`0-1,3`), for the app and for everything else; both the whole machine when not apart. */
export interface CpuSets {
  readonly app: string;
  readonly others: string;
}

export interface ServerCommand {
  /** Program and arguments, placeholders filled. Never passes through a shell. */
  readonly argv: readonly [program: string, ...args: string[]];
  /** Absolute path. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly baseUrl: string;
  readonly readyPath: string;
  readonly readyWithinSeconds: number;
  /** CPUs that the server may use once it is ready; `undefined`: all. */
  readonly cpus: string | undefined;
}

/** A running app server: all its processes form one group. Disposal stops the whole group. */
export interface AppServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Resolves with a sentence when the server exits, or one of its workers dies, before it was asked to stop. */
  readonly failure: Promise<string>;
  /** CPU seconds used so far by all processes of the server; `undefined` where there is no procfs. */
  cpuSeconds(): number | undefined;
  /** CPU seconds so far of each worker process that was there when the server became ready; `undefined` without procfs. */
  workerCpuSeconds(): readonly number[] | undefined;
  /** CPUs that its processes may use now, as Linux writes lists; `undefined` without procfs. */
  cpus(): string | undefined;
  /** Largest resident memory seen so far of all processes together, in bytes; `undefined` without procfs. */
  peakMemoryBytes(): number | undefined;
  /** The end of the server's log: foreign text. */
  logTail(): string;
}

export interface LoadTarget {
  readonly arm: ArmName;
  readonly baseUrl: string;
}

export interface LoadRequest {
  readonly targets: readonly [LoadTarget, ...LoadTarget[]];
  readonly endpoint: Endpoint;
  readonly load: Load;
  /** Length of a slice in milliseconds. */
  readonly sliceMs: number;
  /** With two arms: cycles that begin this soon after the start of a slice, or this late, are not counted as such. */
  readonly guard?: { readonly startMs: number; readonly endMs: number };
  /** CPUs that k6 may use; `undefined`: all. */
  readonly cpus?: string | undefined;
  /** Decides the order of the arms within each pair of slices. */
  readonly seed: number;
  /** Names k6's files. */
  readonly name: string;
}

/** What k6 left behind. Both are parsed by `core/`. */
export interface LoadOutput {
  /** Text of the slice records, one JSON document a line; other lines are k6's own messages. */
  readonly records: string;
  /** Text of the end-of-test summary. */
  readonly summary: string;
  /** CPU time of k6, in seconds, start included; `undefined` where there is no procfs. */
  readonly cpuSeconds: number | undefined;
}

/** What happens while a run goes on, as data; the terminal decides how it looks. */
export type ProgressEvent =
  | { readonly kind: "plan"; readonly plan: Plan }
  | { readonly kind: "step"; readonly text: string }
  | { readonly kind: "cell started"; readonly cell: Cell; readonly index: number; readonly total: number }
  | { readonly kind: "load started"; readonly seconds: number | undefined }
  | {
      readonly kind: "cell finished";
      readonly measurement: Measurement;
      /** By which the cell may be judged; absent for a head alone. */
      readonly design?: Design;
      readonly index: number;
      readonly total: number;
    }
  /** What all cells stand on failed, so none was tried. */
  | { readonly kind: "nothing measured"; readonly failure: Failure }
  | { readonly kind: "warning"; readonly text: string };

export type Progress = (event: ProgressEvent) => void;

/** CPU time of a whole machine over a stretch of time, in seconds over all its CPUs. */
export interface MachineUse {
  /** Of the clock, times the number of CPUs. */
  readonly totalSeconds: number;
  readonly busySeconds: number;
  /** Given to others by the hypervisor. */
  readonly stealSeconds: number;
}

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
  /** How this machine's CPUs are shared out; `undefined` when they are not kept apart. */
  readonly cpuSets: CpuSets | undefined;
  /** Starts watching the machine; the result says what happened since. `undefined` where there is no procfs. */
  watchMachine(): (() => MachineUse) | undefined;
  /** `cpus`: those that the server may use, where it is ours to say. */
  openDatabases(
    database: Exclude<Database, { kind: "none" }>,
    cpus: string | undefined,
  ): Promise<DatabaseServer>;
  freePort(): Promise<number>;
  /** A sentence when something already listens on the port. */
  portProblem(port: number): Promise<string | undefined>;
  /** The environment's programs come before the machine's. `name` names the log. */
  startApp(command: ServerCommand, environment: PythonEnvironment, name: string): Promise<AppServer>;
  generateLoad(request: LoadRequest, signal: AbortSignal): Promise<LoadOutput>;
  /** Commit checked out in a folder, where that can be told. */
  commitOf(folder: string): Promise<string | undefined>;
  /** Writes a document into the results folder, whole or not at all. */
  save(name: string, text: string): Promise<void>;
  /** Removes the results of an earlier run. */
  clearResults(): Promise<void>;
  /** ISO 8601, UTC. */
  now(): string;
  /** Seconds of a steady clock. */
  clock(): number;
  /** A number from 0 up to but not including 2^32. */
  random(): number;
}

/** What `plan` needs from outside. */
export interface PlanPorts {
  readonly progress: Progress;
  /** Whether the plan feeds a job matrix, which has a limit. */
  readonly forMatrix: boolean;
  setOutputs(outputs: Readonly<Record<string, string>>): Promise<void>;
}

/** What `report` needs from outside. */
export interface ReportPorts {
  readonly progress: Progress;
  readonly links: Links;
  readonly terminal: { readonly width: number; readonly colour: boolean };
  /** Text of the plan that `measure` left in the results folder. */
  readPlan(): Promise<string | undefined>;
  readCells(): Promise<readonly { readonly name: string; readonly text: string }[]>;
  /** Writes a document into the results folder and returns its path. */
  save(name: string, text: string): Promise<string>;
  /** Appends to the job summary; nothing happens where there is none. */
  addSummary(markdown: string): Promise<void>;
  /** Creates or updates the comment on the pull request, when there is one. */
  comment(report: { readonly reportId: string; render(marker: string): string }): Promise<CommentOutcome>;
  /** Sets the action's outputs; nothing happens outside of an action. */
  setOutputs(outputs: Readonly<Record<string, string>>): Promise<void>;
  /** Prints the table. */
  print(text: string): void;
}

/** A comment on the pull request, as far as we look at it. */
export interface Comment {
  readonly id: number;
  readonly author: string;
  readonly body: string;
  readonly url: string;
}

/** Why there is no comment, or what became of it. Refusals are expected outcomes, so they are values. */
export type CommentOutcome =
  | { readonly kind: "created" | "updated"; readonly url: string }
  | { readonly kind: "newer"; readonly url: string }
  | { readonly kind: "forbidden" | "failed"; readonly reason: string }
  | { readonly kind: "none"; readonly reason: string };
