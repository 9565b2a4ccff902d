import type { LoadPhase } from "../model/load/phases.ts";
import type { Slicing } from "../model/load/slicing.ts";
import type { ArmName } from "../model/measurement/measurement.ts";

/** Facts that a cell's first replicate finds out for all others. */
export interface CellMemory {
  /** Number of replicates begun so far. */
  replicates?: number;
  slicing?: Slicing;
  /** Set once it is decided; its `phase` is `undefined` when the cell has no open phase. */
  open?: { readonly phase: LoadPhase | undefined };
  /**
   * Slowest of the first requests and the first warm-up. An app that loads things on first use does so after every
   * start.
   */
  slowestMs?: number;
  /** Time that starting both servers took last time, with what comes before the load. */
  startSeconds?: number;
  /** The same until they were ready. */
  serversSeconds?: number;
  /** Order of the last two whole runs of a script. */
  order?: readonly ArmName[];
}
