import { figure, unknown } from "../../src/engine.ts";
import { exact } from "../judgement/check-result.ts";
import type { Judgement } from "../judgement/claim-judgement.ts";
import type { ClaimOutcome } from "../judgement/claim-outcome.ts";
import type { ClaimPrediction } from "../judgement/prediction.ts";

/** A claim's line in words. All of them may quote foreign text. */
export interface ClaimRow {
  readonly id: string;
  readonly text: string;
  /** Ratios are dimensionless. Figures of one side carry the name of their metric, which has the unit. */
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
 * The published figure. For a spread, the list of claims has only the ratio of the longest times, which is another
 * thing. A figure of one side comes from another machine, and from another load when ours is scaled. Only a share of 0
 * means the same everywhere.
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
