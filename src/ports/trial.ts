import type { FailureDetail } from "../errors/errors.ts";
import type { App } from "../model/workload/workload.ts";
import type { MeasurePorts } from "./measure.ts";
import type { PythonEnvironment } from "./python.ts";

export type DocumentResult =
  | { readonly document: unknown }
  | { readonly problem: string; readonly detail?: FailureDetail };

/** Ports that read an app's endpoints and request them. They run the app's code. */
export interface TrialPorts
  extends Pick<
    MeasurePorts,
    | "clock"
    | "copyApp"
    | "freePort"
    | "openDatabases"
    | "preparePython"
    | "prepareServices"
    | "progress"
    | "runCommand"
    | "secrets"
    | "sendRequest"
    | "signal"
    | "startApp"
  > {
  /** Resolves after so long, or when the run is cancelled. */
  pause(seconds: number): Promise<void>;
  /** The app's OpenAPI document, evaluated in its environment, or the end of a sentence that says why there is none. */
  readDocument(
    environment: PythonEnvironment,
    app: App,
    variables: Readonly<Record<string, string>>,
    readyWithinSeconds: number,
  ): Promise<DocumentResult>;
}
