import { endpointLabel, loadLabel, type Workload } from "../../src/engine.ts";
import type { ScenarioCase } from "./scenario.ts";

/** The address of a server is chosen at its start, and does not tell cases apart. */
const address = / (?:--host|--port|-b) \{\w+\}(?::\{port\})?/g;

/** The settings of a case, as one phrase that tells it apart from others. Literal texts stand between backticks. */
export function caseNote({ beside, turns }: ScenarioCase, workload: Workload): string {
  const { app, server, workerCounts, endpoints, load, separateCpus } = workload;
  const command = server.template
    .replaceAll(address, "")
    .replaceAll("{app}", app.importString)
    .replaceAll("{workers}", String(workerCounts[0]));
  const variables = Object.entries(app.variables).map(([name, value]) => `${name}=${value}`);
  return [
    literal(command),
    ...(variables.length > 0 ? [literal(variables.join(" "))] : []),
    ...(beside === undefined ? [] : [`with ${literal(beside.command.replaceAll(address, ""))}`]),
    literal(endpointLabel(endpoints[0])),
    loadLabel(load),
    ...(turns > 1 ? [`${turns} turns`] : []),
    ...(separateCpus ? [] : ["on all CPUs"]),
  ].join("; ");
}

function literal(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}
