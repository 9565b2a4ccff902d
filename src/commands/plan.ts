import type { Workload } from "../core/config/config.ts";
import { InputError } from "../core/errors.ts";
import { parsePlan } from "../core/measurement/documents.ts";
import {
  type Design,
  makePlan,
  matrixOf,
  mostMatrixJobs,
  type Plan,
  planForPart,
} from "../core/measurement/plan.ts";
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
  ports.progress({ kind: "plan", cells: made.cells, estimatedSeconds: made.estimatedSeconds });
  if (made.design !== undefined) ports.progress({ kind: "step", text: timeOf(made.design) });
  await ports.setOutputs({
    plan: JSON.stringify(made),
    "worker-counts": JSON.stringify(workerCounts),
    endpoints: JSON.stringify(endpoints),
  });
  return made;
}

function timeOf({ kind, maxMinutes }: Design): string {
  const arms = kind === "control" ? "the head with itself" : "base with head";
  return `comparing ${arms}: each machine measures for at most ${maxMinutes} min, less when its cells are settled`;
}
