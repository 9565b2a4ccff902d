import type { Estimate } from "../../statistics/estimate.ts";

/** One worker count of an endpoint, with figures that can be used. All are the head's. */
export interface WorkerCount {
  readonly workers: number;
  /** Requests per second, one value for each replicate: the unit of analysis. At least one, all above 0. */
  readonly rates: readonly number[];
  /** Largest resident memory of all its processes together; pages that they share count once for each. */
  readonly memoryBytes: number | undefined;
  /** Connections to the database, of all workers together. */
  readonly connections: number | undefined;
  /** CPU time that was used, as a share of the CPU time that so many workers could use of the app's CPUs. */
  readonly cpuShare: number | undefined;
}

/** A worker count that was planned, but has no usable figures. */
export interface UnusableCount {
  readonly workers: number;
  /** A few words; may quote foreign text. */
  readonly reason: string;
}

/** A worker count beside the smallest one that can be used. */
export interface ScaledCount extends WorkerCount {
  /**
   * Throughput relative to that of the smallest count. Dimensionless; no interval with fewer than two replicates, and
   * absent where the counts cannot be compared.
   */
  readonly speedUp: Estimate | undefined;
  /** Speed-up divided by how many times as many workers there are: 1 is as good as it gets. */
  readonly efficiency: Estimate | undefined;
}
