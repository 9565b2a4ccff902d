import { figure, percent, printable } from "../../src/engine.ts";
import type { CaseFigures } from "../documents/metrics.ts";
import type { ResultRow } from "./published-table.ts";

/** A warning that a reader needs before the two figures of a line. */
const notComparable =
  "Published and measured figures. They come from different machines and loads, so only the claims, which compare figures of one machine, can be checked:";

/** The published results that were run, for a terminal: one line for each. Empty when there are none. */
export function resultLines(results: readonly ResultRow[]): string {
  const run = results.filter(({ measured, reason }) => measured !== undefined || reason !== "not run");
  if (run.length === 0) return "";
  const width = Math.max(...run.map(({ id }) => id.length));
  const lines = run.map(
    ({ id, published, measured, reason }) =>
      `  ${printable(id).padEnd(width)}  published ${figures(published)}; ${
        measured === undefined ? `not measured: ${printable(reason)}` : `measured ${figures(measured)}`
      }`,
  );
  return [notComparable, ...lines].join("\n");
}

function figures({ rps, med_ms, p95_ms, failed_rate }: CaseFigures): string {
  return [
    ...(rps === undefined ? [] : [`${figure(rps)} req/s`]),
    ...(med_ms === undefined ? [] : [`p50 ${figure(med_ms)} ms`]),
    ...(p95_ms === undefined ? [] : [`p95 ${figure(p95_ms)} ms`]),
    ...(failed_rate === undefined || failed_rate === 0 ? [] : [`${percent(failed_rate)} failed`]),
  ].join(", ");
}
