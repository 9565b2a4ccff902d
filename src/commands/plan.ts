import type { Workload } from "../core/config/config.ts";
import { InputError } from "../core/errors.ts";
import { parsePlan } from "../core/measurement/documents.ts";
import { makePlan, matrixOf, mostMatrixJobs, type Plan, planForPart } from "../core/measurement/plan.ts";
import type { PlanPorts } from "../ports.ts";

/** Lists the cells, prints them, and hands them to later jobs as outputs. Starts nothing. */
export async function plan(workload: Workload, ports: PlanPorts): Promise<Plan> {
  const { planText } = workload;
  const made =
    planText === undefined
      ? makePlan(workload, { isForMatrix: ports.forMatrix })
      : planForPart(parsePlan(planText), workload);
  const { workerCounts, endpoints } = matrixOf(made);
  if (made.cells.length > mostMatrixJobs && ports.forMatrix) {
    throw new InputError([
      `workers, endpoints: make ${made.cells.length} cells, but a matrix has at most ${mostMatrixJobs} jobs; use \`run\``,
    ]);
  }
  ports.progress({ kind: "plan", plan: made });
  await ports.setOutputs({
    plan: JSON.stringify(made),
    "worker-counts": JSON.stringify(workerCounts),
    endpoints: JSON.stringify(endpoints),
  });
  return made;
}
