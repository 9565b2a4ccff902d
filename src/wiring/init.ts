import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { changedOn, committedEnvironment } from "../adapters/git/index.ts";
import { textOfPlainFile } from "../adapters/process/index.ts";
import { findRepository, readRepository, readScripts, readVariables } from "../adapters/python/index.ts";
import { openResultsFolder } from "../adapters/results/index.ts";
import { hasProgram } from "../adapters/services/index.ts";
import { servicePresets } from "../model/workload/service-presets.ts";
import type { App } from "../model/workload/workload.ts";
import type { PythonEnvironment } from "../ports/python.ts";
import type { InitPorts } from "../ports/trial.ts";
import { files } from "./run.ts";
import type { Shared } from "./shared.ts";
import { trialPorts } from "./trial.ts";

/** Nobody at a terminal waits longer for a command that may not make the tables. */
const commandSeconds = 180;

export function initPorts(shared: Shared): InitPorts {
  const { terminal } = shared;
  const folder = findRepository(process.cwd());
  const gitOptions = async () => ({ logFolder: await shared.workFolder(), signal: shared.signal });
  const environments = new Map<string, PythonEnvironment>();
  return {
    progress: terminal.progress,
    files,
    folder,
    here: relative(folder, process.cwd()) || ".",
    fromHere: (path) => relative(process.cwd(), join(folder, path)),
    isFile: (path) => existsSync(join(folder, path)),
    textOf: (path) => textOfPlainFile(join(folder, path), { largestBytes: 1_000_000 }),
    readRepository: async () => [
      ...readRepository(folder),
      ...(await committedEnvironment(folder, await gitOptions())),
    ],
    readScripts: () => readScripts(folder),
    findApps: () => files.findApps(folder),
    readVariables: (sources) => readVariables(sources, shared.signal),
    presetsHere: async () => {
      const all = await Promise.all(
        Object.entries(servicePresets).map(async ([name, preset]) =>
          (await hasProgram(preset)) ? [name] : [],
        ),
      );
      return new Set(all.flat());
    },
    trialPorts: async (wanted, progress) => {
      const ports = await trialPorts(wanted, { ...shared, terminal: { ...terminal, progress } });
      // Its files stay as they are from one start to the next.
      const preparePython = async (app: App) => {
        const key = JSON.stringify(app);
        const environment = environments.get(key) ?? (await ports.preparePython(app));
        environments.set(key, environment);
        return environment;
      };
      // Nothing is left in the user's folders, and the next start finds it.
      const bytecode = { PYTHONPYCACHEPREFIX: join(await shared.workFolder(), "bytecode") };
      const withBytecode = <C extends { readonly variables: Readonly<Record<string, string>> }>(
        command: C,
      ) => ({
        ...command,
        variables: { ...bytecode, ...command.variables },
      });
      return {
        ...ports,
        preparePython,
        runCommand: (command, ...more) =>
          ports.runCommand({ ...withBytecode(command), withinSeconds: commandSeconds }, ...more),
        startApp: (command, ...more) => ports.startApp(withBytecode(command), ...more),
        readDocument: (python, started, variables, within) =>
          ports.readDocument(python, started, { ...bytecode, ...variables }, within),
        tryImport: (python, started, variables, within) =>
          ports.tryImport(python, started, { ...bytecode, ...variables }, within),
      };
    },
    changedOn: async (place, paths) => await changedOn(join(folder, place), paths, await gitOptions()),
    write: async (path, text) => void (await openResultsFolder(folder).write(path, text)),
    print: (text) => terminal.finish(text),
  };
}
