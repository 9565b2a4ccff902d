import type { Row } from "../../compare/comparison.ts";
import { timeOfEach } from "../../diagnosis/rules/slow-statement.ts";
import type { FoundCause } from "../../model/findings/diagnosis.ts";
import type { ArmName } from "../../model/measurement/measurement.ts";

/** Share of a slow statement's time from which the other arm's is not another. */
const alike = 2 / 3;

/** True when the other arm waits about as long for a slow statement: one of them may stay below what is called slow. */
export function isSlowIn(arm: ArmName, { cause, place, figures }: FoundCause, rows: readonly Row[]): boolean {
  if (cause !== "slow statement" || place === undefined) return false;
  const timeMs = figures.find(({ what }) => what === timeOfEach)?.value ?? Number.POSITIVE_INFINITY;
  const statements = rows.flatMap(({ diagnosis }) => diagnosis?.[arm]?.seen?.statements ?? []);
  return statements.some(
    (each) =>
      each.place?.file === place.file &&
      each.place.function === place.function &&
      each.totalMs / each.count >= alike * timeMs,
  );
}
