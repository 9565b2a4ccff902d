import type { Row } from "../../compare/comparison.ts";
import { workersAdvice } from "../../compare/workers/advice.ts";
import type { WorkersFigures } from "./figures-schema.ts";
import { rounded } from "./rounded.ts";

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
