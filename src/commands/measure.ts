import type { RawInputs } from "../config/inputs.ts";
import { exitStatus, InputError } from "../errors/errors.ts";
import { measureApps } from "../measure/measure.ts";
import type { Workload } from "../model/workload/workload.ts";
import type { RunPorts } from "../ports/run.ts";
import { planCells } from "./plan.ts";
import { fillInEndpoints, readRequest, refuseTokens } from "./request.ts";

/** Measures the cells and leaves one document each. Returns the exit status. */
export async function measure(
  raw: RawInputs,
  ports: Omit<RunPorts, "reportPorts" | "print">,
): Promise<number> {
  refuseTokens(ports.environment);
  const request = await readRequest("measure", raw, ports.request);
  const apps = await fillInEndpoints(request, ports);
  const number = generatorNumber(ports.environment["LOADTEST_GENERATOR"]);
  const workloads = apps.map(({ workload }) => withNumber(workload, number));
  const plan = await planCells(apps, ports.planPorts({ forMatrix: false }));
  const { measurements, problems } = await measureApps(plan, workloads, (workload) =>
    ports.measurePorts(request.reporting, workload),
  );
  if (problems.length > 0) throw new InputError(problems);
  const isComplete = measurements.every(({ status }) => status === "measured" || status === "not reached");
  return isComplete ? exitStatus.fine : exitStatus.environmentFailed;
}

/** The job's place among those that share the load, which its matrix gives it. */
function generatorNumber(text = ""): number | undefined {
  if (text === "") return undefined;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new InputError([
    `LOADTEST_GENERATOR: must be a generator's number, e.g. 2 (got ${JSON.stringify(text)})`,
  ]);
}

function withNumber(workload: Workload, number: number | undefined): Workload {
  if (number === undefined) return workload;
  const { generators } = workload;
  if (generators !== undefined && number <= generators.count)
    return { ...workload, generators: { ...generators, number } };
  throw new InputError([
    `LOADTEST_GENERATOR: there is no generator ${number}: generators is ${generators?.count ?? 1}`,
  ]);
}
