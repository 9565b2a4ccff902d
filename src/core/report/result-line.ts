import { compare, type Row } from "../comparison/comparison.ts";
import { type Cell, endpointLabel } from "../measurement/cell.ts";
import type { Measurement } from "../measurement/measurement.ts";
import { plural } from "../text/numbers.ts";
import { printable } from "../text/printable.ts";
import { failedColumn, figureText, p95Column, throughputColumn } from "./columns.ts";
import { problemOf, problemWords } from "./problem.ts";

/** Names a cell in one line that is safe to print: `/health, 2 workers`. */
export function cellName({ endpoint, workers }: Cell): string {
  return `${printable(endpointLabel(endpoint))}, ${plural(workers, "worker")}`;
}

/** Says in one line that is safe to print what came of a cell. */
export function resultLine(measurement: Measurement): string {
  const { cell } = measurement;
  return compare({ schemaVersion: 1, cells: [cell] }, [measurement])
    .rows.map((row) => `${cellName(cell)}: ${resultOf(row)}`)
    .join("");
}

function resultOf(row: Row): string {
  const problem = problemOf(row);
  if (problem !== undefined) return printable(problemWords(problem));
  const failed = figureText(failedColumn, row);
  const speed = `${figureText(throughputColumn, row)} req/s, p95 ${figureText(p95Column, row)} ms`;
  return failed === "0" ? speed : `${speed}, failed: ${failed}`;
}
