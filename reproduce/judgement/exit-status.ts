import { isUnexpected, type Judgement } from "./claim-judgement.ts";

/** The result of a reproduction. */
export interface Reproduced {
  readonly judgements: readonly Judgement[];
  /** Ids of requested cases that have no figures. */
  readonly failed: readonly string[];
}

/**
 * Exit status of `reproduce`, as of `report`. 3: a case has no figures, so nobody knows the outcome of its claims. 1: a
 * claim came out otherwise than the list of claims expects. 0: all else.
 */
export function exitStatusOf({ judgements, failed }: Reproduced): 0 | 1 | 3 {
  if (failed.length > 0) return 3;
  return judgements.some(isUnexpected) ? 1 : 0;
}
