import type { Interval } from "../../src/engine.ts";
import type { ScaledClaim } from "../documents/claim-overrides.ts";
import { boundValue, type Scope } from "./bounds.ts";

/** The prediction of theory: a range of the checked value, or words. */
export type ClaimPrediction = Interval | { readonly words: string };

/** The range of an override when it can be computed, otherwise words. */
export function predictionOf({ prediction, model }: ScaledClaim, scope: Scope): ClaimPrediction {
  if (prediction === undefined) return { words: model.predicted };
  const { low, high } = prediction;
  const ends = { low: boundValue(low, scope), high: boundValue(high, scope) };
  if (typeof ends.low === "number" && typeof ends.high === "number")
    return { low: ends.low, high: ends.high };
  return { words: low === high ? String(low) : `${low} to ${high}` };
}
