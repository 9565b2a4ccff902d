import * as z from "zod";
import type { Workload } from "../config/config.ts";
import { type Cell, cellSchema, endpointLabel, loadSeconds, makeCell } from "./cell.ts";

/** The cells to measure, in order, and the document that travels from the plan job to the report job. */
export const planSchema = z.strictObject({
  schemaVersion: z.literal(1),
  cells: z.array(cellSchema).min(1).max(1_024),
  /** Load, warm-up and starts together; absent when the load ends by count. */
  estimatedSeconds: z.number().positive().optional(),
});
export type Plan = z.infer<typeof planSchema>;

/** Seconds that starting and stopping the server and copying the database add to each cell. From `bench/overhead`. */
const startSecondsPerCell = 2;

/** Lists the cells: for each endpoint, every worker count. */
export function makePlan({ endpoints, workerCounts, server, load, warmupSeconds }: Workload): Plan {
  const cells: Cell[] = endpoints.flatMap((endpoint) =>
    workerCounts.map((workers) => makeCell({ endpoint, workers, server: server.template, load })),
  );
  const seconds = loadSeconds(load);
  return {
    schemaVersion: 1,
    cells,
    ...(seconds !== undefined && {
      estimatedSeconds: cells.length * (seconds + warmupSeconds + startSecondsPerCell),
    }),
  };
}

/** Most jobs that one GitHub matrix may have. */
export const mostMatrixJobs = 256;

/** The plan as the two lists that a job matrix needs: worker counts, and endpoints as they are written in inputs. */
export function matrixOf({ cells }: Plan): { readonly workerCounts: number[]; readonly endpoints: string[] } {
  return {
    workerCounts: [...new Set(cells.map((cell) => cell.workers))],
    endpoints: [...new Set(cells.map((cell) => endpointLabel(cell.endpoint)))],
  };
}
