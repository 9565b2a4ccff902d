import { machineKey } from "../../model/measurement/environment.ts";
import { percent } from "../../text/percent.ts";
import type { Row } from "../comparison.ts";
import type { Enough } from "./enough.ts";

/** Why throughput at different worker counts cannot be compared at all: our own words; `undefined` when it can. */
export function incomparable(rows: readonly Row[]): string | undefined {
  if (rows.some(({ cell }) => cell.load.kind === "rate"))
    return "requests arrived at a given rate, which says nothing of what more workers could do";
  const machines = new Set(rows.flatMap(({ environment }) => (environment ? [machineKey(environment)] : [])));
  return machines.size > 1
    ? `its worker counts were measured on ${machines.size} machines, which are not equally fast`
    : undefined;
}

/** Least chance of an advice: below it, the advice is more likely wrong than right. */
const leastChance = 0.5;

/** Why a count that was found must not be advised: the replicates of other counts allow them as well. */
export function tooUnsure({ chance, chances }: Enough): string | undefined {
  if (chance === undefined || chance >= leastChance) return undefined;
  const likely = chances
    .filter((each) => each.chance >= 0.1)
    .toSorted((a, b) => b.chance - a.chance)
    .map((each) => `${each.workers} (${percent(each.chance, "whole")})`);
  return `the replicates differ too much to tell which count is enough: ${likely.join(", ")}; give more max-minutes, or a quieter machine`;
}

/** Why no count can be advised although they could be compared. */
export function tooFew(figures: {
  readonly planned: number;
  readonly usable: number;
  readonly allowed: number;
}): string | undefined {
  const { planned, usable, allowed } = figures;
  if (usable < 2)
    return `${usable === 0 ? "none" : "only one"} of ${planned} worker counts has usable figures`;
  return allowed === 0 ? "every worker count takes more memory or connections than there are" : undefined;
}
