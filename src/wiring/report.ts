import { join, resolve } from "node:path";
import { readPageScript } from "../adapters/files/index.ts";
import { openForge } from "../adapters/forge/index.ts";
import { packageFolder } from "../adapters/process/index.ts";
import { openResultsFolder } from "../adapters/results/index.ts";
import type { Explaining, ExplainPorts } from "../commands/explain.ts";
import { linksOf, programOf } from "../forge/forges.ts";
import type { Reporting } from "../model/workload/workload.ts";
import type { ReportPorts } from "../ports/report.ts";
import type { Shared } from "./shared.ts";

export const pageScriptPath = join(packageFolder, "dist", "page.js");

export function reportPorts(
  { resultsDirectory }: Pick<Reporting, "resultsDirectory">,
  shared: Shared,
): ReportPorts {
  const { environment, runner, terminal, signal } = shared;
  const results = openResultsFolder(resultsDirectory);
  return {
    ...openForge(runner.context, environment, { signal }),
    progress: terminal.progress,
    links: linksOf(runner.context),
    program: programOf(runner.context, process.argv[1] ?? "", environment),
    terminal,
    readPlan: () => results.read("plan.json"),
    readCells: () => results.readCells(),
    readPageScript: () => readPageScript(pageScriptPath),
    save: (name, text) => results.write(name, text),
    addSummary: runner.addSummary,
    annotate: runner.annotate,
    setOutputs: runner.setOutputs,
    print: (text) => terminal.finish(text),
  };
}

export function explainPorts({ resultsDirectory }: Explaining, shared: Shared): ExplainPorts {
  return {
    ...reportPorts({ resultsDirectory: resolve(resultsDirectory) }, shared),
    answer: shared.answer,
  };
}
