import type { Diagnose } from "../model/choices.ts";
import type { Measurement } from "../model/measurement/measurement.ts";
import type { Design } from "../model/plan/plan.ts";
import { versusOf } from "./cell-comparison.ts";
import type { Versus } from "./comparison.ts";

/** Ids of the cells in which causes are looked for: those with a measured head, because only the head can be fixed. */
export function diagnosedCells(
  measurements: readonly Measurement[],
  design: Design | undefined,
  diagnose: Diagnose,
): ReadonlySet<string> {
  if (diagnose === "never") return new Set();
  const measured = measurements.filter(
    ({ status, replicates }) =>
      status === "measured" && replicates.some(({ arms }) => arms.head !== undefined),
  );
  const versus =
    design === undefined || diagnose === "always" ? new Map<string, Versus>() : versusOf(measured, design);
  const chosen = measured.filter(({ cell }) => {
    const { verdict, latency = [] } = versus.get(cell.id) ?? {};
    return verdict?.kind !== "unchanged" || latency.some(({ kind }) => kind === "longer");
  });
  return new Set(chosen.map(({ cell }) => cell.id));
}
