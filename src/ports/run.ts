import type { ConfigurationFile } from "../config/file/configuration-file.ts";
import type { Files } from "../config/inputs.ts";
import type { BisectAnswer } from "../model/bisection/bisection.ts";
import type { PullRequestOfRun } from "../model/pull-request.ts";
import type { Reporting, Workload } from "../model/workload/workload.ts";
import type { MeasurePorts } from "./measure.ts";
import type { JobPorts, Progress } from "./progress.ts";
import type { ReportPorts } from "./report.ts";
import type { DocumentResult } from "./trial.ts";

export interface RequestPorts {
  readonly files: Files;
  readonly pullRequest: PullRequestOfRun;
  /** The plan that another job has handed on. Throws an `InputError` for anything else. */
  unpackPlan(text: string): string;
  /** The file of that name. An empty name means the repository's own file, `undefined` when there is none. */
  readConfigurationFile(name: string): Promise<ConfigurationFile | undefined>;
}

export interface PlanPorts extends Pick<JobPorts, "progress" | "setOutputs"> {
  /** True when the plan feeds a job matrix, which has a limit. */
  readonly forMatrix: boolean;
  /** The plan as it is handed to other jobs. */
  pack(text: string): string;
}

export interface EndpointPorts {
  readonly progress: Progress;
  /** The app's OpenAPI document, evaluated in its own environment, or a sentence when there is none. Runs the app's code. */
  readOpenApi(workload: Workload): Promise<DocumentResult>;
  /** Text of a file, or a sentence without a subject when it cannot be read. */
  readTable(path: string): Promise<{ readonly text: string } | { readonly problem: string }>;
}

/** Ports of the verbs that take inputs. Those for an app or a folder are made once it is known. */
export interface RunPorts {
  /** Environment variables of this process, which its children can read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly request: RequestPorts;
  endpointPorts(reporting: Reporting, workload: Workload): EndpointPorts;
  planPorts(options: Pick<PlanPorts, "forMatrix">): PlanPorts;
  measurePorts(reporting: Reporting, workload: Workload): Promise<MeasurePorts>;
  reportPorts(reporting: Pick<Reporting, "resultsDirectory">): ReportPorts;
  /** Prints a text as it is. */
  print(text: string): void;
  /** Writes what a program reads to standard output. */
  answer(text: string): void;
}

export type NextCommit =
  /** `left`: commits that may have begun the change. */
  | { readonly kind: "test"; readonly commit: string; readonly left: number }
  | { readonly kind: "found"; readonly commit: string }
  /** Only commits that were skipped are left. */
  | { readonly kind: "among"; readonly commits: readonly string[] };

/** The commits between two ends, in a checkout of our own. The user's repository is only read. */
export interface CommitRange extends AsyncDisposable {
  readonly good: string;
  readonly bad: string;
  /** Commits that may have begun the change: `bad` is one of them. */
  readonly commits: number;
  /** The place in our checkout of a path in the user's; a path elsewhere stays. */
  at(path: string): string;
  checkOut(commit: string): Promise<void>;
  next(answers: readonly BisectAnswer[]): Promise<NextCommit>;
  /** Author, day and subject: foreign text. */
  describe(commit: string): Promise<string>;
}

export interface BisectPorts extends RunPorts {
  readonly signal: AbortSignal;
  /** Throws an `InputError` for refs that do not exist, and for a good end that is not before the bad one. */
  openRange(good: string, bad: string): Promise<CommitRange>;
  readState(folder: string): Promise<string | undefined>;
  saveState(folder: string, text: string): Promise<void>;
}
