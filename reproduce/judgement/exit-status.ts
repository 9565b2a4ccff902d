import { isUnexpected, type Judgement } from "./claim-judgement.ts";

/** What came of a reproduction. */
export interface Reproduced {
  readonly judgements: readonly Judgement[];
  /** Ids of the cases that were asked for and have no figures. */
  readonly failed: readonly string[];
}

/**
 * Exit status of `reproduce`, as of `report`: 3 when a case has no figures, because then nobody knows what its claims
 * would have come to; else 1 when a claim came out otherwise than the list of claims expects; else 0.
 */
export function exitStatusOf({ judgements, failed }: Reproduced): 0 | 1 | 3 {
  if (failed.length > 0) return 3;
  return judgements.some(isUnexpected) ? 1 : 0;
}
