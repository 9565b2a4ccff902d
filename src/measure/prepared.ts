import type { Login } from "../model/endpoint/login.ts";
import type { LoneArm, Measurement } from "../model/measurement/measurement.ts";
import type { App, Workload } from "../model/workload/workload.ts";
import type { DatabaseServer, DatabaseTemplate } from "../ports/database.ts";
import type { PythonEnvironment } from "../ports/python.ts";
import type { Materials } from "./materials.ts";
/** What the servers of one arm are started from. */
export interface PreparedArm {
  readonly app: App;
  readonly python: PythonEnvironment;
  /** Absent when the app needs no database of ours. */
  readonly template: DatabaseTemplate | undefined;
}

/** What all cells share. Disposal waits for what is still on its way out, unless that is shared. */
export interface Prepared extends AsyncDisposable {
  readonly workload: Workload;
  readonly k6Version: string;
  readonly databases: DatabaseServer | undefined;
  readonly commits: Measurement["commits"];
  /** `base` only when there is one to compare with. */
  readonly arms: { readonly head: PreparedArm; readonly base: PreparedArm | undefined };
  /** What is sent to endpoints that have a form: the same to both arms. */
  readonly materials: Materials;
  /** With its secrets. */
  readonly login: Login<string> | undefined;
  /** Why there is no base although one was wanted. */
  readonly loneArm: LoneArm | undefined;
  /** What earlier cells stood on, on its way out while the next server starts. */
  readonly leaving: Promise<void>[];
}
