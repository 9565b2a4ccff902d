import type { Diagnose } from "../model/choices.ts";
import type { Measurement } from "../model/measurement/measurement.ts";
import type { Design } from "../model/plan/plan.ts";
import { versusOf } from "./cell-comparison.ts";

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
  const versus = design === undefined || diagnose === "always" ? new Map() : versusOf(measured, design);
  const chosen = measured.filter(({ cell }) => versus.get(cell.id)?.verdict.kind !== "unchanged");
  return new Set(chosen.map(({ cell }) => cell.id));
}
