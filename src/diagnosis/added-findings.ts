import { type ArmDiagnosis, armDiagnosis, type FoundCause } from "../model/findings/diagnosis.ts";
import type { Estimate } from "../statistics/estimate.ts";

/** What a look of its own found about the head against the base. */
export interface AddedFindings {
  readonly findings: readonly FoundCause[];
  /** Why there are none: sentences. */
  readonly unexplained: readonly string[];
}

/** Largest distance of what the lines predict from what was measured, as a share of that. */
const tolerance = 0.35;

/** The head's diagnosis with these. */
export function withAdded(head: ArmDiagnosis, { findings, unexplained }: AddedFindings): ArmDiagnosis {
  const unseen = [...head.unseen, ...unexplained];
  if (head.findings === undefined && findings.length === 0) return { ...head, unseen };
  return { ...head, ...armDiagnosis([...(head.findings ?? []), ...findings], unseen, head.seen) };
}

/** True when lines that were found make up an increase that was measured without any probe. */
export function isFitting(predicted: number, { value, interval }: Estimate): boolean {
  if (predicted <= 0 || value <= 0) return false;
  const isInside = interval !== undefined && predicted >= interval.low && predicted <= interval.high;
  return isInside || Math.abs(predicted - value) <= tolerance * value;
}
