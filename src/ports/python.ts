import type { App } from "../model/workload/workload.ts";
import type { Unbuilt } from "../repository/install-failure.ts";
export interface PythonEnvironment {
  /** Absolute path of the folder with `python`, `uvicorn`, ...; goes first on the server's PATH. */
  readonly binFolder: string;
  /** Absolute path of the interpreter. */
  readonly interpreter: string;
  /** e.g. `3.11.7` */
  readonly version: string;
  /** Installed distributions: normalised name to version. */
  readonly packages: Readonly<Record<string, string>>;
  /** Packages that the app requires and that could not be built; absent without any. */
  readonly leftOut?: readonly Unbuilt[];
}

/** What one import of the app showed. */
export interface ImportedApp {
  /** A sentence on why it cannot be imported; absent when it can. */
  readonly problem?: string;
  /** Names of the dependencies that the app itself replaces (`dependency_overrides`). */
  readonly replaced?: readonly string[];
}

export interface PythonPorts {
  preparePython(app: App): Promise<PythonEnvironment>;
  /** Takes as long as its start may take, or a minute. */
  tryImport(
    environment: PythonEnvironment,
    app: App,
    variables: Readonly<Record<string, string>>,
    readyWithinSeconds: number,
  ): Promise<ImportedApp>;
}
