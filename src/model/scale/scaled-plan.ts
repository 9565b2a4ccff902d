import { fingerprint } from "../../text/fingerprint.ts";
import type { Plan } from "../plan/plan.ts";

/** What the records of all generators must have in common: the cells, and how they are compared. */
export function planMark({ cells, design }: Pick<Plan, "cells" | "design">): string {
  const ids = cells.map(({ id }) => id).toSorted();
  const compared = design && [design.kind, design.minChange, design.falseAlarmRate, design.looks];
  return fingerprint(JSON.stringify([ids, compared ?? []]));
}

/** Decides the order of the arms, which must be the same in all generators of a run. */
export function seedOf(run: string, cell: string): number {
  return Number.parseInt(fingerprint(`${run} ${cell}`), 16);
}
