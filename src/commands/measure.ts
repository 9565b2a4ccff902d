import type { RawInputs } from "../config/inputs.ts";
import { exitStatus, InputError } from "../errors/errors.ts";
import { measureApps } from "../measure/measure.ts";
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
  const workloads = apps.map(({ workload }) => workload);
  const plan = await planCells(apps, ports.planPorts({ forMatrix: false }));
  const { measurements, problems } = await measureApps(plan, workloads, (workload) =>
    ports.measurePorts(request.reporting, workload),
  );
  if (problems.length > 0) throw new InputError(problems);
  const isComplete = measurements.every(({ status }) => status === "measured" || status === "not reached");
  return isComplete ? exitStatus.fine : exitStatus.environmentFailed;
}
