import * as z from "zod";

import { type Bound, boundSchema, checkSchema, formulaSchema } from "./checks.ts";
import { type Claim, checkProblems } from "./claims.ts";
import { checkValue, refuse } from "./document.ts";

const coresProblem = 'must be a number from 1 on, or a formula such as "W + 2"';
/** Cores that a claim needs to show itself. A formula may name workers. */
const coresSchema = z.union([z.number().min(1, coresProblem), formulaSchema], coresProblem);

/**
 * Changes that a scaled-down run makes to a claim: the check's bounds, the prediction for them, the claim's needs,
 * missing conditions at this size (`unfit`), the cases among which the largest figure counts, and a reason for another
 * outcome than expected.
 */
const overrideSchema = z.strictObject({
  check: checkSchema.optional(),
  predicted: z.union([boundSchema, z.strictObject({ low: boundSchema, high: boundSchema })]).optional(),
  needs: z.string().min(1).max(1_000).optional(),
  cores: coresSchema.optional(),
  unfit: z.string().min(1).max(1_000).optional(),
  /** Beginning of these cases' names: `junge/`. */
  among: z.string().min(1).max(100).optional(),
  otherwise: z.string().min(1).max(1_000).optional(),
});
export type ClaimOverride = z.infer<typeof overrideSchema>;

/** Overrides by the claim's id. */
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
  /** A range of the checked value; absent: the model's own words. */
  readonly prediction?: { readonly low: Bound; readonly high: Bound };
  /** Cores of the machine; absent: a claim that depends on the machine needs its workers and one core more. */
  readonly cores?: Bound;
  /** Other missing conditions, e.g. users. With any, a claim that does not hold is not measurable. */
  readonly unfit?: string;
  /** Beginning of cases' names: the case with the largest figure among them is the left side. */
  readonly among?: string;
  /** Explanation for a claim that comes out otherwise than expected. */
  readonly otherwise?: string;
}

/** Replaces the parts of a claim that an override changes, and a need such as `as P01` by the need of P01. */
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
