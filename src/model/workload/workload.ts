import type { NonEmptyArray } from "../../lists/non-empty.ts";
import type { CommentMode, Diagnose, UrlStyle, Verb } from "../choices.ts";
import type { Endpoint, Requested } from "../endpoint/endpoint.ts";
import type { EndpointForm, Patterns } from "../endpoint/form.ts";
import type { Login, SecretText } from "../endpoint/login.ts";
import type { Load } from "../plan/cell.ts";
import type { Check, CheckRequest } from "../thresholds/threshold.ts";
import type { SeedRequest } from "./seed-request.ts";
import type { Companion, Service } from "./service.ts";

export interface App {
  /** e.g. `app.main:app`; fills `{app}` of the server command. */
  readonly importString: string;
  /** Absolute path: working directory of the server. */
  readonly folder: string;
  /** Folder below with the modules, for a Python that would not find it. */
  readonly sourceFolder?: "src";
  /** Python that builds the environment: a program's name or path, or `auto`, the repository's wish. */
  readonly python: string;
  /** `auto`: by the lock or requirements file found. `none`: the interpreter as it is. Paths are absolute. */
  readonly install:
    | "auto"
    | "none"
    | { readonly commands: NonEmptyArray<string> }
    | { readonly environmentFolder: string }
    | { readonly requirementsFile: string };
  /** A day as `2024-01-26`: what requirements leave open is not taken from packages that came out later. */
  readonly excludeNewer?: string;
  /** Packages that are installed besides, as pip's specifiers. */
  readonly extraPackages?: readonly string[];
  /** Path below its folder of an environment file that must exist, if only an empty one. */
  readonly environmentFile?: string;
  /** Extra variables for the server. Only a short allow-list of the caller's environment reaches it. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface Server {
  /** The command as written; names the cell. */
  readonly template: string;
  /** Any HTTP answer below 500 from a process of the server's means ready. */
  readonly readyPath: string;
  readonly readyWithinSeconds: number;
  /** `undefined`: a free port is chosen for each start. */
  readonly port: number | undefined;
}

/**
 * `private`: a server of our own, gone afterwards. `existing`: databases made and dropped on the caller's server. `file`:
 * files of SQLite in the app's own folder. `mysql`: a server of our own for each copy.
 */
export type Database =
  | { readonly kind: "none" }
  | ({ readonly kind: "file" } & Seed)
  | ({ readonly kind: "mysql" } & Seed)
  | ({ readonly kind: "private" } & Seed)
  | ({ readonly kind: "existing"; readonly url: string } & Seed);

export interface Seed {
  /** Absolute paths of SQL files, run in this order. */
  readonly seedFiles: readonly string[];
  /** Postgres extensions, made before anything else: commands and files may use them; absent: none. */
  readonly extensions?: readonly string[];
  /** The setting `loadtest.scale` in the files. Dimensionless. */
  readonly scale: number;
  readonly variable: string;
  /** Beginning of that URL; absent: `postgresql`. */
  readonly urlStyle?: UrlStyle;
  /** More variables of the app, with placeholders for the parts of the URL. */
  readonly templates?: Readonly<Record<string, string>>;
  /** Run like the app, for each arm in its own folder and environment; absent: there are only files. */
  readonly commands?: SeedCommands;
}

/** The commands as written, split into words when they are run; no shell is involved. */
interface SeedCommands {
  /** Run before the SQL files. */
  readonly migrate: readonly string[];
  /** Run after the SQL files. */
  readonly seed: readonly string[];
  /** Sent to the app after all of these; absent: none. */
  readonly requests?: readonly SeedRequest[];
}

export type Base =
  /** No base was requested, or there is none; or, with a reason, the wanted one is impossible. */
  | { readonly kind: "none"; readonly reason?: string }
  /** A git ref as typed: a branch, a tag, a commit. */
  | { readonly kind: "ref"; readonly ref: string }
  | { readonly kind: "pull request"; readonly headSha: string; readonly baseSha: string }
  | { readonly kind: "url" }
  /** The head itself (A/A), to see the noise of the machine. */
  | { readonly kind: "control" };

/** Base against head. Shares are of 1: 0.03 is 3%. */
export interface Comparing {
  readonly base: Base;
  readonly minChange: number;
  /** The same of a latency percentile. */
  readonly minLatencyChange: number;
  readonly minMemoryChange: number;
  /** The same of the instructions of a request. */
  readonly minCostChange: number;
  /** True when instructions are counted, where that can be. */
  readonly countsInstructions: boolean;
  /** Time for which one pair of servers lives at the end; 0: none does. */
  readonly soakSeconds: number;
  readonly falseAlarmRate: number;
  /** Limit for the whole report. */
  readonly maxMinutes: number;
  /** True when cells that the change does not reach are left out. */
  readonly onlyAffected: boolean;
}

/** Endpoints that the app's OpenAPI document names or fills in. */
export interface Discovery {
  /** True when all endpoints that fit the patterns are wanted. */
  readonly isAll: boolean;
  readonly patterns: Patterns;
  /** Single endpoints, each with its name in messages. */
  readonly lines: readonly Endpoint[];
  /** Beginning of a message about a mistake: the input, and its place. */
  readonly label: string;
  /** True when nothing else was requested, so that the workload's own endpoints mean nothing. */
  readonly isOnly: boolean;
}

export interface Workload {
  /** Name of the app in a report of several; absent: nobody named it. */
  readonly name?: string;
  readonly app: App;
  /** Addresses of an app that already runs and is neither installed nor started; `undefined`: there are none. */
  readonly targets: Targets | undefined;
  readonly server: Server;
  readonly database: Database;
  /** What each start of the app gets of its own; absent: nothing. */
  readonly services?: readonly Service[];
  /** Processes of the app's alongside each of its servers; absent: none. */
  readonly processes?: readonly Companion[];
  readonly workerCounts: NonEmptyArray<number>;
  /** Endpoints and mixes of them, or one iteration, or one script. */
  readonly endpoints: NonEmptyArray<Requested>;
  /** Absolute path of the user's k6 script; absent: ours sends the requests. */
  readonly scriptPath?: string;
  readonly scriptVariables?: Readonly<Record<string, SecretText>>;
  /** True when that script may import modules from other hosts; absent means false. */
  readonly loadsRemoteModules?: true;
  readonly forms: readonly EndpointForm[];
  /** True when the mix among the endpoints leaves out some of those with a weight; absent means false. */
  readonly isMixPartial?: true;
  /** Endpoints that the app is searched for before the planning. */
  readonly discovery: Discovery | undefined;
  readonly login: Login | undefined;
  readonly load: Load;
  readonly warmupSeconds: number;
  readonly comparing: Comparing;
  /** Limit for all jobs of a matrix together; absent: none. */
  readonly maxTotalMinutes?: number;
  /** True when the app gets CPUs of its own, where there are two or more. */
  readonly separateCpus: boolean;
  /** True when the servers of both arms get the same address layout, where that can be. */
  readonly sameAddressLayout: boolean;
  readonly diagnose: Diagnose;
  readonly check: Check;
  /** The whole report's plan, when this process measures a part of it. */
  readonly planText: string | undefined;
}

export interface Reporting {
  /** Absolute path of the folder that `measure` writes and `report` reads. */
  readonly resultsDirectory: string;
  /** Distinguishes several reports of one repository; part of the comment's marker. */
  readonly reportId: string;
  /** When to comment on the pull request, if there is one. */
  readonly comment: CommentMode;
  /** Name of the check run that the report makes; absent: none. */
  readonly checkRun?: string;
  /** True when certain remedies are shown at their lines; absent: they are not. */
  readonly reviews?: true;
  /** Branch that keeps the results of its runs; absent: none. */
  readonly historyBranch?: string;
  /** The document that `plan` printed, when it travels as text between jobs. */
  readonly planText: string | undefined;
  readonly check: CheckRequest;
}

/** Everything a run needs to know, parsed once. Nothing after this reads an input or the environment. */
export interface Config {
  readonly verb: Verb;
  readonly workload: Workload | undefined;
  readonly reporting: Reporting;
}

/** Apps that already run, as addresses without a slash at the end. */
export interface Targets {
  readonly head: string;
  readonly base: string | undefined;
}

export interface AppOfReport {
  readonly workload: Workload;
  /** The input `config` of a job that measures this app alone. */
  readonly config: string;
  /** Inputs that are in no file, as they were given; absent: there are none. */
  readonly given?: Readonly<Record<string, string>>;
}

export interface FoundApp {
  /** e.g. `app.main:app`; a function that makes the app ends with `()`. */
  readonly importString: string;
  /** Folder to start it in: the nearest one around it with a project's file; `.` for the folder itself. */
  readonly folder: string;
  /** Its class, e.g. `FastAPI`. */
  readonly framework: string;
}
