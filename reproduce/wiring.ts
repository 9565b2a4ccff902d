import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { files, measurePorts, openResultsFolder, packageFolder, type Shared } from "../src/engine.ts";
import type { Reproduction } from "./arguments.ts";
import type { ReproducePorts } from "./ports.ts";

const scenariosFolder = join(packageFolder, "reproduce", "scenarios");

export function reproducePorts(
  { resultsDirectory, pagesFolder }: Reproduction,
  shared: Shared,
): ReproducePorts {
  return {
    files: { ...files, resolve: (path, folder = "") => resolve(packageFolder, folder, path) },
    scenarioNames: listScenarios,
    readScenarioFile: (name) => readFile(join(scenariosFolder, name), "utf8"),
    measurePorts: (name, workload) =>
      measurePorts({ resultsDirectory: resolve(resultsDirectory, name) }, workload, shared),
    saveResult: (name, text) => openResultsFolder(resolve(resultsDirectory)).write(name, text),
    savePage: (name, text) => openResultsFolder(resolve(pagesFolder ?? resultsDirectory)).write(name, text),
    print: (text) => shared.terminal.finish(text),
  };
}

/** One file for each report, named by its subject. */
async function listScenarios(): Promise<readonly string[]> {
  const names = await readdir(scenariosFolder);
  return names
    .filter((name) => name.endsWith(".yml"))
    .map((name) => name.slice(0, -".yml".length))
    .toSorted();
}
