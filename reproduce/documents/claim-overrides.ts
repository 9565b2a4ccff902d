import * as z from "zod";

import { type Bound, boundSchema, checkSchema, formulaSchema } from "./checks.ts";
import { type Claim, checkProblems } from "./claims.ts";
import { checkValue, refuse } from "./document.ts";

const coresProblem = 'must be a number from 1 on, or a formula such as "W + 2"';
/** How many cores a claim needs to show itself; a formula may name workers. */
const coresSchema = z.union([z.number().min(1, coresProblem), formulaSchema], coresProblem);

/**
 * What a scaled-down run changes about a claim: the check's borders, what theory predicts then, what is needed, what of
 * that this size does not have (`unfit`), among which cases the largest figure counts, and why it may come out otherwise
 * than expected.
 */
const overrideSchema = z.strictObject({
  check: checkSchema.optional(),
  predicted: z.union([boundSchema, z.strictObject({ low: boundSchema, high: boundSchema })]).optional(),
  needs: z.string().min(1).max(1_000).optional(),
  cores: coresSchema.optional(),
  unfit: z.string().min(1).max(1_000).optional(),
  /** How the names of these cases begin: `junge/`. */
  among: z.string().min(1).max(100).optional(),
  otherwise: z.string().min(1).max(1_000).optional(),
});
export type ClaimOverride = z.infer<typeof overrideSchema>;

/** By the claim's id. */
export type ClaimOverrides = Readonly<Record<string, ClaimOverride>>;

/** Reads overrides by claim, e.g. those of a scenario. Throws an `InputError`, also for a claim that is not there. */
export function parseClaimOverrides(value: unknown, claims: readonly Claim[]): ClaimOverrides {
  const name = "claim overrides";
  const overrides = checkValue(name, z.record(z.string(), overrideSchema), value);
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  const problems = Object.entries(overrides).flatMap(([id, { check, among }]) => {
    const claim = byId.get(id);
    if (claim === undefined) return [`there is no claim ${id}`];
    const isOfLeft = (check ?? claim.check).on === "left";
    return [
      ...(check === undefined ? [] : checkProblems(claim, check, claims)),
      ...(among === undefined || isOfLeft ? [] : [`${id}: among is for a check of the left side alone`]),
    ];
  });
  refuse(name, problems);
  return overrides;
}

/** A claim as a scaled-down run judges it. */
export interface ScaledClaim extends Claim {
  /** A range of the checked value; the model's own words count when it is absent. */
  readonly prediction?: { readonly low: Bound; readonly high: Bound };
  /** Of the machine; a claim that the list says depends on it needs its workers and one more where this is absent. */
  readonly cores?: Bound;
  /** What else is missing here, e.g. users; a claim that does not hold is not measurable then. */
  readonly unfit?: string;
  /** Of the cases whose names begin so, that with the largest figure is the left side. */
  readonly among?: string;
  /** Told where the claim comes out otherwise than expected. */
  readonly otherwise?: string;
}

/** Puts an override in the place of what it changes, and what another claim needs in the place of `as P01`. */
export function scaleClaim(
  claim: Claim,
  { check, predicted, needs, cores, unfit, among, otherwise }: ClaimOverride = {},
  claims: readonly Claim[],
): ScaledClaim {
  const sameAs = claims.find(({ id }) => claim.needs === `as ${id}`);
  return {
    ...claim,
    check: check ?? claim.check,
    needs: needs ?? sameAs?.needs ?? claim.needs,
    ...(predicted !== undefined && { prediction: rangeOf(predicted) }),
    ...(cores !== undefined && { cores }),
    ...(unfit !== undefined && { unfit }),
    ...(among !== undefined && { among }),
    ...(otherwise !== undefined && { otherwise }),
  };
}

function rangeOf(predicted: NonNullable<ClaimOverride["predicted"]>): {
  readonly low: Bound;
  readonly high: Bound;
} {
  return typeof predicted === "object" ? predicted : { low: predicted, high: predicted };
}
