import type { Files } from "../config/inputs.ts";
import type { ReadVariable } from "../init/project.ts";
import type { FoundApp, Reporting, Workload } from "../model/workload/workload.ts";
import type { SourceFile } from "../repository/apps.ts";
import type { Progress } from "./progress.ts";
import type { TrialPorts } from "./trial.ts";

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
    asked: { readonly workload: Workload; readonly reporting: Reporting },
    progress: Progress,
  ): Promise<TrialPorts>;
  presetsHere(): Promise<ReadonlySet<string>>;
  /** Day of the last commit on these files, e.g. `2024-01-26`; `undefined` without one. */
  changedOn(folder: string, paths: readonly string[]): Promise<string | undefined>;
  /** Writes a file of the repository whole or not at all. */
  write(path: string, text: string): Promise<void>;
  print(text: string): void;
}
