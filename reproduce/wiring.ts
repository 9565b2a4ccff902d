import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { openResultsFolder } from "../src/adapters/results/index.ts";
import { measurePorts } from "../src/wiring/measure.ts";
import { packageFolder } from "../src/wiring/places.ts";
import { files } from "../src/wiring/request.ts";
import type { Shared } from "../src/wiring/shared.ts";
import type { Reproduction } from "./arguments.ts";
import type { ReproducePorts } from "./ports.ts";

const scenariosFolder = join(packageFolder, "reproduce", "scenarios");

export function reproducePorts({ resultsFolder, pagesFolder }: Reproduction, shared: Shared): ReproducePorts {
  return {
    files: { ...files, resolve: (path, folder = "") => resolve(packageFolder, folder, path) },
    scenarioNames: listScenarios,
    readScenarioFile: (name) => readFile(join(scenariosFolder, name), "utf8"),
    measurePorts: (name, workload) =>
      measurePorts({ resultsFolder: resolve(resultsFolder, name) }, workload, shared),
    saveResult: (name, text) => openResultsFolder(resolve(resultsFolder)).write(name, text),
    savePage: (name, text) => openResultsFolder(resolve(pagesFolder ?? resultsFolder)).write(name, text),
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
