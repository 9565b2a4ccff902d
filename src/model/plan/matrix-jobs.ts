import { serverKindOf } from "../workload/seed.ts";
import type { AppOfReport } from "../workload/workload.ts";
import { lineOf, type Plan } from "./plan.ts";

/** One job of a matrix: its own inputs, beside those of all jobs. */
export interface MatrixJob {
  /** Empty for an unnamed app. */
  readonly app: string;
  readonly config: string;
  readonly database: "private" | "existing" | "none";
  readonly workers: number;
  /** Empty with an iteration, or a script. */
  readonly endpoint: string;
  /** Number of the only generator that runs in this job; absent where one k6 sends the whole load. */
  readonly generator?: number;
}

/** A job for each worker count and line of `endpoints` of each app, in the order of the plan. */
export function jobsOf({ cells, generators }: Plan, apps: readonly AppOfReport[]): readonly MatrixJob[] {
  const jobs = eachOnce(cells, apps);
  const [first] = jobs;
  if (generators === undefined || first === undefined) return jobs;
  // All generators load one cell after the other, each of them together.
  const endpoint = jobs.map((job) => job.endpoint).join("\n");
  return Array.from({ length: generators.count }, (_, index) => ({
    ...first,
    endpoint,
    generator: index + 1,
  }));
}

function eachOnce(cells: Plan["cells"], apps: readonly AppOfReport[]): readonly MatrixJob[] {
  const jobs = apps.flatMap(({ workload, config }) =>
    cells
      .filter(({ app }) => app === workload.name)
      .map(({ endpoint, workers }): MatrixJob => {
        const line = lineOf(endpoint, workload);
        return {
          app: workload.name ?? "",
          config,
          database: serverKindOf(workload.database),
          workers,
          endpoint: line,
        };
      }),
  );
  return [...new Map(jobs.map((job) => [JSON.stringify(job), job])).values()];
}
