import * as z from "zod";
import type { Workload } from "../config/config.ts";
import { type Cell, cellSchema, endpointLabel, loadSeconds, makeCell } from "./cell.ts";

/** How base and head are compared: decided before anything is measured, so that no result can bend it. */
export const designSchema = z.strictObject({
  /** `control`: both arms are the same code, to see the noise of the machine. */
  kind: z.enum(["comparison", "control"]),
  /** Smallest change of throughput that matters, as a share: 0.03 is 3 %. */
  smallestEffect: z.number().positive().max(1),
  /** Chance that a report without any change calls at least one cell slower or faster: 0.01 is 1 %. */
  falseAlarmRate: z.number().positive().max(0.5),
  /** After how many replicates a cell is looked at; ascending. At the last it ends. */
  looks: z.array(z.int().min(2).max(1_000)).min(1).max(20),
  /** For the whole report. */
  maxMinutes: z.number().positive(),
});
export type Design = z.infer<typeof designSchema>;

/** The cells to measure, in order, and the document that travels from the plan job to the report job. */
export const planSchema = z.strictObject({
  schemaVersion: z.literal(1),
  cells: z.array(cellSchema).min(1).max(1_024),
  /** Load, warm-up and starts together; absent when the load ends by count. */
  estimatedSeconds: z.number().positive().optional(),
  /** Absent when the head is measured alone. */
  design: designSchema.optional(),
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
