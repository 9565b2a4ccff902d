import type { Files } from "../config/raw-inputs.ts";
import type { ReadVariable } from "../init/variables.ts";
import type { FoundApp } from "../model/workload/found-app.ts";
import type { Reporting, Workload } from "../model/workload/workload.ts";
import type { SourceFile } from "../repository/apps.ts";
import type { Progress } from "./progress.ts";
import type { TrialPorts } from "./trial.ts";
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
  /** Text of a file of the repository; `undefined` when it is not there, or is none. */
  textOf(path: string): string | undefined;
  /** Files that say how its apps are installed, started and filled with data. */
  readRepository(): readonly SourceFile[];
  findApps(): readonly FoundApp[];
  /** Variables that Python files read; nothing of them is run. */
  readVariables(files: readonly SourceFile[]): Promise<readonly ReadVariable[]>;
  /** What is needed to start an app and ask it. */
  trialPorts(asked: { readonly workload: Workload; readonly reporting: Reporting }): Promise<TrialPorts>;
  /** Writes a file of the repository whole or not at all. */
  write(path: string, text: string): Promise<void>;
  print(text: string): void;
}
