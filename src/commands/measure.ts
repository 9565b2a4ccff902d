import type { RawInputs } from "../config/raw-inputs.ts";
import { InputError } from "../errors/errors.ts";
import { exitStatus } from "../errors/exit-status.ts";
import { measureApps } from "../measure/measure-apps.ts";
import type { RunPorts } from "../ports/run.ts";
import { fillInEndpoints } from "./filled-in-endpoints.ts";
import { planCells } from "./planned-cells.ts";
import { refuseTokens } from "./refused-tokens.ts";
import { readRequest } from "./request.ts";

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
