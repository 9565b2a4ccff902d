import { importProblem, preparePythonEnvironment } from "../adapters/python/index.ts";
import type { PythonPorts } from "../ports/python.ts";
import { cacheFolderOf } from "./places.ts";
import type { Shared } from "./shared.ts";

export function pythonPorts(
  logFolder: string,
  { environment, runner, signal, terminal }: Shared,
): PythonPorts {
  return {
    preparePython: (app) =>
      preparePythonEnvironment(app, {
        cacheFolder: cacheFolderOf(environment),
        logFolder,
        signal,
        onStep: (text) => terminal.progress({ kind: "step", text }),
        onMade: () => runner.setOutputs({ "python-made": "true" }),
      }),
    importProblem: (made, app, variables, readyWithinSeconds) =>
      importProblem(made, app, variables, signal, readyWithinSeconds),
  };
}
