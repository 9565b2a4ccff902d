import { changesSince, commitOf, copyApp, findFile, openBase } from "../adapters/git/index.ts";
import type { RepositoryPorts } from "../ports/repository.ts";
import type { Shared } from "./shared.ts";

export function repositoryPorts(workFolder: string, { signal, terminal }: Shared): RepositoryPorts {
  const options = { logFolder: workFolder, signal };
  const onStep = (text: string) => terminal.progress({ kind: "step", text });
  return {
    openBase: (workload) => openBase(workload, { ...options, workFolder, onStep }),
    copyApp: (app) => copyApp(app, { ...options, workFolder }),
    commitOf: (folder) => commitOf(folder, options),
    changesSince: (folder, base) => changesSince(folder, base, options),
    findFile: (folder, file, base) => findFile(folder, file, base, options),
  };
}
