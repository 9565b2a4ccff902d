import { plural } from "../../src/engine.ts";
import type { ScaledClaim } from "../documents/claim-overrides.ts";
import { boundValue, type Scope } from "./bounds.ts";

/** Cores that a claim needs to show itself, against the machine's. */
export interface CoreNeed {
  /** `undefined` when the number needed cannot be computed. */
  readonly isMet: boolean | undefined;
  readonly words: string;
}

/**
 * The need that the scenario states. Otherwise, a claim that depends on the machine needs the workers of its larger
 * side and a core for the load generator. `undefined` for a claim without such a need, and for one that no number of
 * cores would show at this size.
 */
export function coreNeed(
  { cores: stated, expect, unfit }: ScaledClaim,
  scope: Scope,
  cores: number,
): CoreNeed | undefined {
  if (stated === undefined && (expect !== "hardware" || unfit !== undefined)) return undefined;
  const needed = stated === undefined ? workersOf(scope) + 1 : boundValue(stated, scope);
  if (typeof needed !== "number")
    return { isMet: undefined, words: `the cores it needs are unknown: ${needed.missing}` };
  const isMet = cores >= needed;
  const here = isMet ? "which this machine has" : `this machine has ${cores}`;
  return { isMet, words: `needs ${plural(Math.ceil(needed), "core")}, ${here}` };
}

function workersOf({ sides: { cases } }: Scope): number {
  return Math.max(...[cases.left, cases.right].map((side) => side?.parameters["W"] ?? 1));
}
