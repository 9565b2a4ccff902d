import type { Files } from "../config/inputs.ts";
import type { FailureDetail } from "../errors/errors.ts";
import type { ReadVariable } from "../init/project.ts";
import type { App, FoundApp, Reporting, Workload } from "../model/workload/workload.ts";
import type { SourceFile } from "../repository/apps.ts";
import type { MeasurePorts } from "./measure.ts";
import type { Progress } from "./progress.ts";
import type { PythonEnvironment } from "./python.ts";

export type DocumentResult =
  | { readonly document: unknown }
  | { readonly problem: string; readonly detail?: FailureDetail };

export interface AppTests {
  /** Folder to run them in, below the repository. */
  readonly folder: string;
  /** Paths from there, those of an API first. */
  readonly files: readonly string[];
  readonly needs: readonly string[];
  /** Those that stand in front of `pytest` where the repository starts it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Variables for which they take a SQLite database where nobody gives another. */
  readonly onSqlite: readonly string[];
}

export interface TestRun {
  readonly environment: PythonEnvironment;
  /** A copy of the repository, in which they may write. */
  readonly folder: string;
  readonly needs: AppTests["needs"];
  /** The day until which packages are taken; `undefined`: the newest. */
  readonly until: string | undefined;
  /** Address of our own database; absent: there is none, or it is a file. Nothing but our own servers can be reached. */
  readonly database?: string;
  /** Variables whose values hold the ports of others, once the services are started. */
  readonly portVariables: readonly string[];
  /** Files, or other arguments of pytest that choose tests. */
  readonly only: readonly string[];
  readonly seconds: number;
  /** For each test. */
  readonly testSeconds: number;
  /** The app's, as `GET /items/{id}`; empty: nobody knows them. */
  readonly routes: readonly string[];
  /** Longest time without a request to another one of them. */
  readonly quietSeconds: number;
  /** Runs the recorder to its end, with these variables in addition to the app's. */
  start(argv: readonly string[], variables: Readonly<Record<string, string>>): Promise<void>;
}

/** Ports that read an app's endpoints and request them. They run the app's code. */
export interface TrialPorts extends MeasurePorts {
  /** Resolves after so long, or when the run is cancelled. */
  pause(seconds: number): Promise<void>;
  /** Tests in the app's folder, else in the repository's; `undefined`: there are none. */
  findTests(
    folders: { readonly app: string; readonly repository: string },
    environment: PythonEnvironment,
    /** Modules that they did not find when they ran. */
    missing: readonly string[],
  ): Promise<AppTests | undefined>;
  /** What the recorder wrote: foreign text. Throws an `EnvironmentError` when the tests cannot be run. */
  recordTests(run: TestRun): Promise<string>;
  /** Path of a new file of ours with this text, gone after the run. */
  keepText(name: string, text: string): Promise<string>;
  /** The app's OpenAPI document, evaluated in its environment, or the end of a sentence that says why there is none. */
  readDocument(
    environment: PythonEnvironment,
    app: App,
    variables: Readonly<Record<string, string>>,
    readyWithinSeconds: number,
  ): Promise<DocumentResult>;
}

export interface InitPorts {
  readonly progress: Progress;
  readonly files: Files;
  readonly folder: string;
  /** Path of the working folder below the repository; `.` for the repository itself. */
  readonly here: string;
  /** Path of a repository's file, as seen from the working folder. */
  fromHere(path: string): string;
  /** True when the repository has something under this name. */
  isFile(path: string): boolean;
  /** Text of a file of the repository; `undefined` when there is no such file. */
  textOf(path: string): string | undefined;
  /** Files that say how its apps are installed, started and filled with data. */
  readRepository(): Promise<readonly SourceFile[]>;
  /** Files that may be load tests of its own, by their names. */
  readScripts(): readonly SourceFile[];
  findApps(): readonly FoundApp[];
  /** Variables that Python files read; none of the files is run. */
  readVariables(files: readonly SourceFile[]): Promise<readonly ReadVariable[]>;
  trialPorts(
    wanted: { readonly workload: Workload; readonly reporting: Reporting },
    progress: Progress,
  ): Promise<TrialPorts>;
  presetsHere(): Promise<ReadonlySet<string>>;
  /** Day of the last commit on these files, e.g. `2024-01-26`; `undefined` without one. */
  changedOn(folder: string, paths: readonly string[]): Promise<string | undefined>;
  /** Writes a file of the repository whole or not at all. */
  write(path: string, text: string): Promise<void>;
  print(text: string): void;
}
