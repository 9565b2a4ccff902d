import { plural } from "../../src/text/numbers.ts";
import type { ScaledClaim } from "../documents/claim-overrides.ts";
import { boundValue, type Scope } from "./bounds.ts";

/** How many cores a claim needs to show itself, held against the machine's. */
export interface CoreNeed {
  /** `undefined` when it cannot be computed how many that are. */
  readonly isMet: boolean | undefined;
  readonly words: string;
}

/**
 * What its scenario says, else for a claim that the list says depends on the machine: the workers of the side that has
 * more of them, and a core for what drives the load. `undefined` for a claim that needs none in particular.
 */
export function coreNeed(
  { cores: stated, expect }: ScaledClaim,
  scope: Scope,
  cores: number,
): CoreNeed | undefined {
  if (stated === undefined && expect !== "hardware") return undefined;
  const needed = stated === undefined ? workersOf(scope) + 1 : boundValue(stated, scope);
  if (typeof needed !== "number") return { isMet: undefined, words: `the cores it needs: ${needed.missing}` };
  const isMet = cores >= needed;
  const here = isMet ? "which this machine has" : `this machine has ${cores}`;
  return { isMet, words: `needs ${plural(Math.ceil(needed), "core")}, ${here}` };
}

function workersOf({ sides: { cases } }: Scope): number {
  return Math.max(...[cases.left, cases.right].map((side) => side?.parameters["W"] ?? 1));
}
