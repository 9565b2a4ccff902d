import type { RepositoryChanges } from "../../diagnosis/reach/changed-files.ts";
import type { ReachDocument } from "../../diagnosis/reach/reached.ts";
import type { ListedUser } from "../../endpoints/csv.ts";
import type { EnvironmentError } from "../../errors/errors.ts";
import type { Login } from "../../model/endpoint/login.ts";
import { noBase } from "../../model/measurement/lone-arm.ts";
import type { LoneArm, Measurement } from "../../model/measurement/measurement.ts";
import type { Cell } from "../../model/plan/cell.ts";
import type { App, Workload } from "../../model/workload/workload.ts";
import type { AppServer } from "../../ports/app.ts";
import type { DatabaseServer, DatabaseTemplate } from "../../ports/database.ts";
import type { LoadRequest } from "../../ports/load.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import { type Materials, prepareMaterials } from "./materials.ts";

/** The base could not do its part. The head may still be measured alone. */
export class BaseFailure extends Error {
  override readonly name = "BaseFailure";
  override readonly cause: EnvironmentError;
  /** True when the base is not to blame: only both together fail. */
  readonly isOfBoth: boolean;

  constructor(cause: EnvironmentError, isOfBoth = false) {
    super(cause.message);
    this.cause = cause;
    this.isOfBoth = isOfBoth;
  }
}

export interface PreparedArm {
  readonly app: App;
  readonly python: PythonEnvironment;
  /** Absent when the app needs no database of ours. */
  readonly template: DatabaseTemplate | undefined;
  /** What ran while it was filled, or why nobody knows; absent: nobody watched. */
  readonly seeded?: readonly ReachDocument[] | string | undefined;
  /** Names of the dependencies that the app itself replaces; absent: not known. */
  readonly replaced?: readonly string[];
  /** Identities that a query found in its database; absent: there is no query for them. */
  readonly users?: readonly ListedUser[];
}

/** The folder with all of the user's files in an arm's repository, and not only the app's. */
export function topFolderOf(
  { app: { folder } }: Pick<PreparedArm, "app">,
  { topFolder, prefix }: RepositoryChanges,
  { workload }: Pick<Prepared, "workload">,
): string {
  // The base's is a checkout, and an arm whose database is a file runs in a copy.
  if (folder === workload.app.folder) return topFolder;
  return folder.endsWith(`/${prefix}`) ? folder.slice(0, -prefix.length - 1) : folder;
}

/** Cells of one endpoint differ in their workers only, and share what they reach. */
export function keyOf({ endpoint }: Cell): string {
  return JSON.stringify(endpoint);
}

/** Key of hosts of which nobody knows whose request it was. */
export const anybody = "";

/** Hosts outside that the app tried to reach for an endpoint's requests, by `keyOf` of its cells. */
export type OutsideByEndpoint = ReadonlyMap<string, readonly string[]>;

/** Resources that all cells share. Disposal waits for those that are still stopping, unless that list is shared. */
export interface Prepared extends AsyncDisposable {
  readonly workload: Workload;
  readonly k6Version: string;
  readonly databases: DatabaseServer | undefined;
  readonly commits: Measurement["commits"];
  readonly arms: { readonly head: PreparedArm; readonly base: PreparedArm | undefined };
  readonly materials: Materials;
  /** Endpoints whose keys only the head has, so that they are measured alone, each with the reason as a sentence. */
  readonly ofHeadOnly?: ReadonlyMap<string, string>;
  /** Absent: not known, because no start of all arms was watched. */
  readonly outside?: OutsideByEndpoint;
  readonly login: Login<string> | undefined;
  readonly loneArm: LoneArm | undefined;
  /** Servers and databases of earlier cells that are still stopping while the next server starts. */
  readonly leaving: Promise<void>[];
}

/** Python and folder of a Locust file; empty where k6 sends the load. */
export function locustIn({ workload, arms: { head } }: Prepared): Pick<LoadRequest, "locust"> {
  const { load } = workload;
  if (load.kind !== "script" || load.locust === undefined) return {};
  const { interpreter } = head.python;
  return { locust: { interpreter, folder: head.app.folder } };
}

type TargetPorts = Pick<MeasurePorts, "findGenerator" | "findLocust">;

/** Preparation of apps that already run: we start, seed and stop nothing. */
export async function prepareTargets(
  workload: Workload,
  login: Prepared["login"],
  ports: TargetPorts,
): Promise<Prepared> {
  const python = await pythonFor(workload, ports);
  const { base } = workload.comparing;
  const reason = base.kind === "none" ? base.reason : undefined;
  const arm: PreparedArm = { app: workload.app, python, template: undefined };
  return {
    workload,
    k6Version: await ports.findGenerator(),
    databases: undefined,
    commits: {},
    arms: { head: arm, base: base.kind === "none" ? undefined : arm },
    materials: (await prepareMaterials(workload, undefined)).materials,
    login,
    loneArm: reason === undefined ? undefined : noBase(reason),
    leaving: [],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function pythonFor({ load }: Workload, ports: TargetPorts): Promise<PythonEnvironment> {
  const none = { binFolder: "", interpreter: "", version: "", packages: {} };
  if (load.kind !== "script" || load.locust === undefined) return none;
  const { interpreter, version } = await ports.findLocust();
  return { ...none, interpreter, packages: { locust: version } };
}

/** A server that runs without us: we cannot see its resource use, and we do not stop it. */
export function runningServer(baseUrl: string): AppServer {
  return {
    baseUrl,
    isElsewhere: true,
    failure: new Promise<string>(() => undefined),
    failureNow: () => Promise.resolve(undefined),
    cpuSeconds: () => undefined,
    workerCpuSeconds: () => undefined,
    cpus: () => undefined,
    peakMemoryBytes: () => undefined,
    logTail: () => "",
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
