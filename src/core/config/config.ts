import type { Endpoint, Load } from "../measurement/cell.ts";
import type { NonEmptyArray } from "../non-empty.ts";

/** The verbs of the command line, and the values of the action's `command` input. */
export const verbs = ["run", "plan", "measure", "report"] as const;
export type Verb = (typeof verbs)[number];

/** The app under test and how to get it running. */
export interface App {
  /** e.g. `app.main:app`; fills `{app}` of the server command. */
  readonly importString: string;
  /** Absolute path: working directory of the server. */
  readonly folder: string;
  /** Python that builds the environment: a program's name or path. */
  readonly python: string;
  /** `auto`: by the lock or requirements file found. `none`: the interpreter as it is. Else a virtual environment's folder. */
  readonly install: "auto" | "none" | { readonly environmentFolder: string };
  /** Extra variables for the server, nothing else of the caller's environment but a short allow-list reaches it. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface Server {
  /** As written; names the cell. */
  readonly template: string;
  /** Any HTTP answer below 500 from a process of the server's means ready. */
  readonly readyPath: string;
  readonly readyWithinSeconds: number;
  /** `undefined`: a free port is chosen for each start. */
  readonly port: number | undefined;
}

/** `private`: a server of our own, gone afterwards. `existing`: databases made and dropped on the caller's server. */
export type Database =
  | { readonly kind: "none" }
  | ({ readonly kind: "private" } & Seed)
  | ({ readonly kind: "existing"; readonly url: string } & Seed);

export interface Seed {
  /** Absolute paths of SQL files, run in this order. */
  readonly seedFiles: readonly string[];
  /** Given to the files as the setting `loadtest.scale`. Dimensionless. */
  readonly scale: number;
  /** Variable in which the app finds the URL of its database. */
  readonly variable: string;
}

/** What the head is compared with. */
export type Base =
  /** Nobody asked for a base, or there is none to ask for. */
  | { readonly kind: "none" }
  /** A git ref as typed: a branch, a tag, a commit. */
  | { readonly kind: "ref"; readonly ref: string }
  /** Of the pull request that this run is for. */
  | { readonly kind: "pull request"; readonly headSha: string; readonly baseSha: string }
  /** The head itself (A/A), to see the noise of the machine. */
  | { readonly kind: "control" };

/** Base against head. Shares are of 1: 0.03 is 3 %. */
export interface Comparing {
  readonly base: Base;
  readonly smallestEffect: number;
  readonly falseAlarmRate: number;
  /** For the whole report. */
  readonly maxMinutes: number;
}

/** When the check fails. `threshold`: slower by at least the fail threshold. */
export const failChoices = ["slower", "threshold", "never"] as const;
export type FailOn = (typeof failChoices)[number];

/** What `plan` and `measure` need to know. */
export interface Workload {
  readonly app: App;
  readonly server: Server;
  readonly database: Database;
  readonly workerCounts: NonEmptyArray<number>;
  readonly endpoints: NonEmptyArray<Endpoint>;
  readonly load: Load;
  readonly warmupSeconds: number;
  readonly comparing: Comparing;
  /** Whether the app gets CPUs of its own, where there are two or more. */
  readonly separateCpus: boolean;
  /** The whole report's plan, when this process measures a part of it. */
  readonly planText: string | undefined;
}

/** What `report` needs to know. */
export interface Reporting {
  /** Absolute path of the folder that `measure` writes and `report` reads. */
  readonly resultsFolder: string;
  /** Tells apart several reports of one repository; part of the comment's marker. */
  readonly reportId: string;
  /** Whether to comment on the pull request when there is one. */
  readonly comment: boolean;
  /** The document that `plan` printed, when it travels as text between jobs. */
  readonly planText: string | undefined;
  readonly failOn: FailOn;
  /** As a share: 0.05 is 5 %. */
  readonly failThreshold: number;
}

/** Everything a run needs to know, parsed once. Nothing after this reads an input or the environment. */
export interface Config {
  readonly verb: Verb;
  /** Absent for `report`, which needs no app. */
  readonly workload: Workload | undefined;
  readonly reporting: Reporting;
}
