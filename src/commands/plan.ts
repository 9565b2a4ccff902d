import type { Workload } from "../core/config/config.ts";
import { InputError } from "../core/errors.ts";
import { makePlan, matrixOf, mostMatrixJobs, type Plan } from "../core/measurement/plan.ts";
import type { PlanPorts } from "../ports.ts";

/** Lists the cells, prints them, and hands them to later jobs as outputs. Starts nothing. */
export async function plan(workload: Workload, ports: PlanPorts): Promise<Plan> {
  const made = makePlan(workload);
  const { workerCounts, endpoints } = matrixOf(made);
  if (made.cells.length > mostMatrixJobs && ports.forMatrix) {
    throw new InputError([
      `workers, endpoints: make ${made.cells.length} cells, but a matrix has at most ${mostMatrixJobs} jobs; use \`run\``,
    ]);
  }
  ports.progress({ kind: "plan", cells: made.cells, estimatedSeconds: made.estimatedSeconds });
  await ports.setOutputs({
    plan: JSON.stringify(made),
    "worker-counts": JSON.stringify(workerCounts),
    endpoints: JSON.stringify(endpoints),
  });
  return made;
}
