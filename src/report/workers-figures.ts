import type { Row } from "../compare/comparison.ts";
import { workersAdvice } from "../compare/workers/advice.ts";
import { rounded } from "./rounded.ts";

/** How many workers one endpoint needs; `null` where that is not known. */
export interface WorkersFigures {
  readonly endpoint: string;
  /** Smallest count within 2 % of the best throughput. */
  readonly workers: number | null;
  /** Chance that it is this one, as a share. */
  readonly chance: number | null;
  /** Why there is no advice. */
  readonly obstacle: string | null;
  /** Of the Universal Scalability Law, from five counts on; no peak where there is none. */
  readonly serialShare: number | null;
  readonly crosstalk: number | null;
  readonly peakWorkers: number | null;
}

/** Advice of each endpoint that has two worker counts or more, for a later step of a workflow. */
export function workersFigures(rows: readonly Row[]): WorkersFigures[] {
  return workersAdvice(rows).map(({ endpoint, enough, obstacle, law }) => ({
    endpoint,
    workers: enough?.workers ?? null,
    chance: rounded(enough?.chance),
    obstacle: obstacle ?? null,
    serialShare: rounded(law?.serial),
    crosstalk: rounded(law?.crosstalk),
    peakWorkers: rounded(law?.peak),
  }));
}
