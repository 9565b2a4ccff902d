import { figure, unknown } from "../../src/text/numbers.ts";
import { exact } from "../judgement/check-result.ts";
import type { Judgement } from "../judgement/claim-judgement.ts";
import type { ClaimOutcome } from "../judgement/claim-outcome.ts";
import type { ClaimPrediction } from "../judgement/prediction.ts";

/** A claim's line in words; all of them may quote foreign text. */
export interface ClaimRow {
  readonly id: string;
  readonly text: string;
  /** Ratios are dimensionless; figures of one side carry the name of their metric, which has the unit. */
  readonly published: string;
  readonly measured: string;
  readonly predicted: string;
  readonly outcome: ClaimOutcome;
  readonly isExpected: boolean;
  readonly reason: string;
}

/** Says a judgement in words. */
export function claimRow(judgement: Judgement): ClaimRow {
  const { id, text, outcome, isExpected, reason, predicted } = judgement;
  return {
    id,
    text,
    published: publishedWords(judgement),
    measured: measuredWords(judgement),
    predicted: predictionWords(predicted),
    outcome,
    isExpected,
    reason,
  };
}

/**
 * What the list of claims prints of a spread is the ratio of the longest times, which is another thing. A figure of one
 * side is of another machine, and of another load where ours is scaled; none that failed is none anywhere.
 */
function publishedWords({ on, metric, publishedLeft, publishedRatio }: Judgement): string {
  if (on === "max_minus_mean") return unknown;
  if (on !== "left") return figure(publishedRatio);
  return sideWords(metric, publishedLeft) + (publishedLeft ? " (not comparable)" : "");
}

function measuredWords({ on, metric, measuredLeft, measuredRatio, interval }: Judgement): string {
  const words = on === "left" ? sideWords(metric, measuredLeft) : ratioWords(measuredRatio);
  return interval === undefined
    ? words
    : `${words} (${figure(interval.low)} to ${ratioWords(interval.high)})`;
}

function sideWords(metric: string, value: number | undefined): string {
  return value === undefined ? unknown : `${metric} ${figure(value)}`;
}

function ratioWords(ratio: number | undefined): string {
  return ratio === Number.POSITIVE_INFINITY ? exact(ratio) : figure(ratio);
}

function predictionWords(predicted: ClaimPrediction): string {
  if ("words" in predicted) return predicted.words;
  const { low, high } = predicted;
  return low === high ? figure(low) : `${figure(low)} to ${figure(high)}`;
}
