import type { App, Database, Reporting, Seed, SeedCommands, Workload } from "./model/workload/workload.ts";
import type { Files } from "./config/config-parser.ts";
import type { DatabaseFacts } from "./diagnosis/load-facts.ts";
import type { RepositoryFile } from "./diagnosis/located-findings.ts";
import type { ProbeFile } from "./diagnosis/probe-documents.ts";
import type { Reply } from "./endpoints/dry-request.ts";
import type { Material } from "./endpoints/rows.ts";
import type { FoundApp, SourceFile } from "./repository/apps.ts";
import type { HistoryEntry, HistoryMark } from "./history/history-files.ts";
import type { MeasuredCommit } from "./history/history-line.ts";
import type { Cell, Load } from "./model/plan/cell.ts";
import type { Document } from "./model/measurement/documents.ts";
import type { Requested } from "./model/endpoint/endpoint.ts";
import type { ArmName, Failure, Measurement } from "./model/measurement/measurement.ts";
import type { Design, Plan } from "./model/plan/plan.ts";
import type { ScriptResults } from "./model/measurement/script-results.ts";
import type { Artifact } from "./github/posting/artifact.ts";
import type { MeasuredRun, OpenPull } from "./github/posting/pull-of-run.ts";
import type { RunOfEvent } from "./github/posting/run-event.ts";
import type { ArtifactDocument } from "./github/posting/strangers-report.ts";
import type { Annotation } from "./report/annotations.ts";
import type { CellProgress } from "./report/cell-progress.ts";
import type { CheckRun } from "./report/check-run.ts";
import type { PageScript } from "./report/html.ts";
import type { Links } from "./report/links.ts";
import type { CommentState } from "./github/comment-marker.ts";
import type { HistoryText } from "./history/trends/history.ts";

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
  /** Sets the statement counters back to zero; where the app has every connection there is, they count no more. */
  resetStatements(): Promise<void>;
  /** Sessions that this database has now; `undefined` when the server would not say. */
  countConnections(): Promise<number | undefined>;
  /** What was executed in this database since the last reset; `undefined` without `pg_stat_statements`, or where the app has every connection. */
  countStatements(): Promise<StatementCounts | undefined>;
  /** The first column of what a query returns. Rejects with an `EnvironmentError` in the server's words. */
  readColumn(query: string, mostRows: number): Promise<readonly unknown[]>;
  /** Looks at this database from now on, also when the app takes every connection; for diagnosis. */
  watch(): Promise<DatabaseWatch>;
}

/** Watches one database from outside until it is disposed of. */
export interface DatabaseWatch extends AsyncDisposable {
  /** From here on statements count. */
  begin(): Promise<void>;
  /** What was seen so far: of connections since the watch was made, of statements since it began. */
  read(): Promise<DatabaseReading>;
}

export interface DatabaseReading {
  readonly facts: DatabaseFacts;
  /** What the server did not say and why, in its own words: foreign text. */
  readonly unseen: readonly string[];
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

/** Runs the commands of one kind on the database of that URL (as Postgres writes it). */
export type RunSeedCommands = (kind: keyof SeedCommands, url: string) => Promise<void>;

/** A command in the folder and the environment of an arm's app. */
export interface AppCommand {
  /** The input that it is from, for messages: `migrate-command`. */
  readonly input: string;
  /** As written. */
  readonly text: string;
  /** Absolute path. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** A Postgres server; a private one stops and its data goes on disposal, with all templates and copies. */
export interface DatabaseServer extends AsyncDisposable {
  /** e.g. `18.4` */
  readonly version: string;
  readonly statementStatistics: boolean;
  /** That ordinary users may open at once; `undefined` where the server is ours. */
  readonly maxConnections: number | undefined;
  /**
   * Makes and fills a template. Throws an `EnvironmentError` that names the file, the line and the statement. `commands`
   * runs the seed's own, where it has any, and throws an `EnvironmentError` that names the one that failed.
   */
  seed(seed: Seed, commands?: RunSeedCommands): Promise<DatabaseTemplate>;
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
  /** Processes that should accept connections in the end; absent where the command does not say how many. */
  readonly workers?: number;
  /** CPUs that the server may use once it is ready; `undefined`: all. */
  readonly cpus: string | undefined;
  /** In which it must end when it is asked to, before it is killed; absent: what servers usually need. */
  readonly stopsWithinSeconds?: number;
}

/** A running app server: all its processes form one group. Disposal stops the whole group. */
export interface AppServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** It runs without us, on a host that the caller named. */
  readonly isElsewhere?: true;
  /** Resolves with a sentence when the server exits, or one of its workers dies, before it was asked to stop. */
  readonly failure: Promise<string>;
  /** Looks at the server now: the sentence that `failure` resolves with, or would in a moment; `undefined`: it is whole. */
  failureNow(): Promise<string | undefined>;
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

/** Watches one server from inside (docs/diagnosis.md). What its processes wrote goes on disposal. */
export interface Probe extends AsyncDisposable {
  /** The command that starts the same server, watched. */
  watch(command: ServerCommand, environment: PythonEnvironment): ServerCommand;
  /** From its end on, what the processes see counts for the window of that name. */
  openWindow(name: string): Promise<void>;
  /** What the processes have written, once all had the time to; they may not be stopped before. */
  readFiles(): Promise<readonly ProbeFile[]>;
}

export interface LoadTarget {
  readonly arm: ArmName;
  readonly baseUrl: string;
  /** Sent with every request, over its own; may hold a secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Its host was named by the caller and may be any. Absent: nothing but loopback can be reached. */
  readonly isElsewhere?: true;
}

export interface LoadRequest {
  readonly targets: readonly [LoadTarget, ...LoadTarget[]];
  readonly endpoint: Requested;
  /** Of each step of the endpoint, in order, what is sent; `undefined`: nothing but its method and path. */
  readonly materials?: readonly (Material | undefined)[] | undefined;
  readonly load: Load;
  /**
   * Whether k6's own summary must be as that of an ordinary script: users finish what they began, nothing but the load
   * is an iteration, and failed requests are told apart. Absent: no.
   */
  readonly detailed?: boolean;
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

/** One request that is no load. */
export interface SingleRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly withinSeconds: number;
}

/** What k6 left behind. Both are parsed by `core/`. */
export interface LoadOutput {
  /** Text of the slice records, one JSON document a line; other lines are k6's own messages. */
  readonly records: string;
  /** Text of the end-of-test summary. */
  readonly summary: string;
  /** CPU time of k6, in seconds, start included; `undefined` where there is no procfs. */
  readonly cpuSeconds: number | undefined;
  /** Of a script of the user's own. */
  readonly script?: ScriptResults;
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
  /** Another replicate of the cell that was started last is there. */
  | { readonly kind: "replicate measured"; readonly progress: CellProgress }
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

/** What is needed to fill endpoints in, before anything is planned. */
export interface EndpointPorts {
  readonly progress: Progress;
  /** The app's OpenAPI document, evaluated in its own environment, or a sentence when there is none. Runs the app's code. */
  readOpenApi(
    app: App,
    variables: Readonly<Record<string, string>>,
  ): Promise<{ readonly document: unknown } | { readonly problem: string }>;
  /** Text of a file, or a sentence without a subject when it cannot be read. */
  readTable(path: string): Promise<{ readonly text: string } | { readonly problem: string }>;
}

/** What `init` needs from outside. */
export interface InitPorts {
  readonly progress: Progress;
  readonly files: Files;
  /** Absolute path of the repository. */
  readonly folder: string;
  /** What the working folder calls a file of the repository. */
  fromHere(path: string): string;
  /** Whether there is something under this name in the repository. */
  isFile(path: string): boolean;
  /** Files that say how its apps are installed, started and filled with data. */
  readRepository(): readonly SourceFile[];
  findApps(): readonly FoundApp[];
  /** As `EndpointPorts` has it. */
  readOpenApi(
    asked: { readonly workload: Workload; readonly reporting: Reporting },
    variables: Readonly<Record<string, string>>,
  ): Promise<{ readonly document: unknown } | { readonly problem: string }>;
  /** Writes a file of the repository whole or not at all. */
  write(path: string, text: string): Promise<void>;
  print(text: string): void;
}

/** What `plan` needs from outside. */
export interface PlanPorts {
  readonly progress: Progress;
  /** Whether the plan feeds a job matrix, which has a limit. */
  readonly forMatrix: boolean;
  setOutputs(outputs: Readonly<Record<string, string>>): Promise<void>;
}

/** What was asked of another program, or a sentence that says why it could not answer. */
export type Answered =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "no answer"; readonly reason: string };

/** What `trends` needs from outside. */
export interface TrendsPorts {
  readonly progress: Progress;
  /** The texts of a folder or a ref, or a sentence without a subject when there are none. */
  readHistory(history: string): Promise<readonly HistoryText[] | string>;
  /** Asks the engine for change points, in the form of `tools/otava/change_points.py`. */
  findChanges(question: string): Promise<Answered>;
  readPageScript(): Promise<Pick<PageScript, "script" | "scriptHash">>;
  /** Writes a document into the results folder and returns its path. */
  save(name: string, text: string): Promise<string>;
  /** Appends to the job summary; nothing happens where there is none. */
  addSummary(markdown: string): Promise<void>;
  /** Sets the action's outputs; nothing happens outside of an action. */
  setOutputs(outputs: Readonly<Record<string, string>>): Promise<void>;
  print(text: string): void;
}

/** What `reproduce` needs from outside. */
export interface ReproducePorts {
  /** Paths in scenarios are taken from the folder that holds `scenarios/`. */
  readonly files: Files;
  scenarioNames(): Promise<readonly string[]>;
  /** Text of a file in `scenarios/`. */
  readScenarioFile(name: string): Promise<string>;
  /** `workload`: of a case that keeps CPUs apart, where one does; all of a scenario share one machine. */
  measurePorts(scenario: string, workload: Workload): Promise<MeasurePorts>;
  /** Writes a file into the results folder and returns its path. */
  saveResult(name: string, text: string): Promise<string>;
  /** Writes a page of a whole report, into the folder of pages where one is given, and returns its path. */
  savePage(name: string, text: string): Promise<string>;
  print(text: string): void;
}

/** What `report` needs from outside. */
export interface ReportPorts {
  readonly progress: Progress;
  readonly links: Links;
  readonly terminal: { readonly width: number; readonly colour: boolean };
  /** Text of the plan that `measure` left in the results folder. */
  readPlan(): Promise<string | undefined>;
  readCells(): Promise<readonly Document[]>;
  /** What makes the page interactive. */
  readPageScript(): Promise<Pick<PageScript, "script" | "scriptHash">>;
  /** Writes a document into the results folder and returns its path. */
  save(name: string, text: string): Promise<string>;
  /** Appends to the job summary; nothing happens where there is none. */
  addSummary(markdown: string): Promise<void>;
  /** Creates or updates the comment on the pull request, when there is one. */
  comment(report: {
    readonly reportId: string;
    /** Whether only a comment that is there already is to be rewritten; absent: no. */
    readonly isCorrection?: boolean;
    /** Why there should be no comment where there is none yet; absent: one is made. */
    readonly silence?: string;
    render(marker: string): string;
  }): Promise<CommentOutcome>;
  /** Makes a check run on the commit that was measured, where there is a token for it. */
  checkCommit(check: CheckRun): Promise<CheckRunOutcome>;
  /** Keeps results on a branch of their own, where the run is of a branch and there is a token for it. */
  keepHistory(
    branch: string,
    make: (run: MeasuredCommit, mark: HistoryMark) => HistoryEntry | undefined,
  ): Promise<HistoryOutcome>;
  /** Shows remarks at lines of the repository; nothing happens outside of an action. */
  annotate(annotations: readonly Annotation[]): Promise<void>;
  /** Sets the action's outputs; nothing happens outside of an action. */
  setOutputs(outputs: Readonly<Record<string, string>>): Promise<void>;
  /** Prints the table. */
  print(text: string): void;
}

/** What `announce` needs from outside. */
export interface AnnouncePorts extends Pick<ReportPorts, "progress" | "links"> {
  comment(
    report: Parameters<ReportPorts["comment"]>[0] & {
      readonly isAnnouncement?: boolean;
      /** Whether what this run announced is taken back, and nothing else is touched. */
      readonly isWithdrawal?: boolean;
    },
  ): Promise<CommentOutcome>;
}

/** What was asked of GitHub, or the outcome that its refusal means. */
export type Answer<T> =
  | { readonly kind: "answer"; readonly value: T }
  | { readonly kind: "no answer"; readonly outcome: CommentOutcome };

/** What `post` needs from outside. Refusals of GitHub are values. */
export interface PostPorts {
  readonly progress: Progress;
  /** What started the workflow that posts. */
  readonly runOfEvent: RunOfEvent;
  readRun(runId: number): Promise<Answer<MeasuredRun>>;
  /** Open pull requests from the run's branch. */
  listPulls(run: MeasuredRun): Promise<Answer<readonly OpenPull[]>>;
  /** Those that the run left; while none is of the wanted name, which may be listed late, it is looked for again. */
  listArtifacts(run: MeasuredRun, isWanted: (name: string) => boolean): Promise<Answer<readonly Artifact[]>>;
  /** The documents of an artifact, read in memory and within limits; nothing is written. */
  readArtifact(artifact: Artifact): Promise<Answer<readonly ArtifactDocument[]>>;
  /** Where a report of this run points to. */
  linksOf(run: MeasuredRun): Links;
  comment(report: {
    readonly pullNumber: number;
    readonly state: CommentState;
    render(marker: string): string;
  }): Promise<CommentOutcome>;
  /** Appends to the job summary; nothing happens where there is none. */
  addSummary(markdown: string): Promise<void>;
  /** Sets the action's outputs; nothing happens outside of an action. */
  setOutputs(outputs: Readonly<Record<string, string>>): Promise<void>;
}

/** A comment on the pull request, as far as we look at it. */
export interface Comment {
  readonly id: number;
  readonly author: string;
  readonly body: string;
  readonly url: string;
}

/** What became of a check run. Refusals are expected outcomes, so they are values. */
export type CheckRunOutcome =
  | { readonly kind: "created"; readonly url: string }
  | { readonly kind: "failed" | "none"; readonly reason: string };

/** What became of the history. Refusals are expected outcomes, so they are values. */
export type HistoryOutcome =
  | { readonly kind: "kept" }
  | { readonly kind: "failed" | "none"; readonly reason: string };

/** Why there is no comment, or what became of it. Refusals are expected outcomes, so they are values. */
export type CommentOutcome =
  | { readonly kind: "created" | "updated"; readonly url: string }
  | { readonly kind: "newer"; readonly url: string }
  | { readonly kind: "forbidden" | "failed"; readonly reason: string }
  /** What another run left is none of our reports, so nothing of it is shown. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "none"; readonly reason: string };
