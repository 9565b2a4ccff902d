import type { Cell, Endpoint, Load } from "./core/cell.ts";
import type { ArmName, Measurement } from "./core/measurement.ts";

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
  /** Statements executed in this database since the last reset; `undefined` without `pg_stat_statements`. */
  countStatements(): Promise<number | undefined>;
}

/** A Postgres server with the template seeded; a private one stops and its data goes on disposal. */
export interface DatabaseServer extends AsyncDisposable {
  /** e.g. `18.4` */
  readonly version: string;
  readonly statementStatistics: boolean;
  /** Resources of the last `copy` may still be in use: each copy has a name of its own. */
  copy(): Promise<DatabaseCopy>;
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
}

/** A running app server: all its processes form one group. Disposal stops the whole group. */
export interface AppServer extends AsyncDisposable {
  readonly baseUrl: string;
  /** Resolves with a sentence when the server exits, or one of its workers dies, before it was asked to stop. */
  readonly failure: Promise<string>;
  /** CPU seconds used so far by all processes of the server; `undefined` where there is no procfs. */
  cpuSeconds(): number | undefined;
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
  /** Where k6's files go, without extension: `<path>.log` and `<path>.json`. */
  readonly outputPath: string;
}

/** What k6 left behind. Both are parsed by `core/`. */
export interface LoadOutput {
  /** Text of the slice records, one JSON document a line; other lines are k6's own messages. */
  readonly records: string;
  /** Text of the end-of-test summary. */
  readonly summary: string;
}

/** What happens while a run goes on, as data; the terminal decides how it looks. */
export type ProgressEvent =
  | { readonly kind: "plan"; readonly cells: readonly Cell[]; readonly estimatedSeconds: number | undefined }
  | { readonly kind: "step"; readonly text: string }
  | { readonly kind: "cell started"; readonly cell: Cell; readonly index: number; readonly total: number }
  | { readonly kind: "load started"; readonly seconds: number | undefined }
  | { readonly kind: "cell finished"; readonly measurement: Measurement; readonly index: number; readonly total: number }
  | { readonly kind: "warning"; readonly text: string };

export type Progress = (event: ProgressEvent) => void;

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
