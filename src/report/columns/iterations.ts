import type { Row } from "../../compare/comparison.ts";
import { isIteration } from "../../model/endpoint/endpoint.ts";

/** Whole iterations of a cell that has several steps, by k6's own count. */
export interface IterationFigures {
  readonly perSecond: number;
  /** Includes pauses; `undefined` when no iteration was completed. */
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
}

/** `undefined` for a cell of one endpoint, and when k6's figures were not asked for. */
export function iterationsOf({ cell, details }: Pick<Row, "cell" | "details">): IterationFigures | undefined {
  if (details === undefined || !isIteration(cell.endpoint)) return undefined;
  const { iterationsPerSecond, iterationDuration } = details;
  return {
    perSecond: iterationsPerSecond,
    p50Ms: iterationDuration?.medMs,
    p95Ms: iterationDuration?.p95Ms,
  };
}
