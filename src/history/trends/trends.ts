import {
  type ChangePoint,
  type ChangePoints,
  fewestPoints,
  isLongEnough,
  parseAnswer,
  questionOf,
  type Series,
  seriesOf,
} from "./change-points.ts";
import { type History, type HistoryText, readHistory } from "./history.ts";

export interface Trends {
  readonly history: History;
  readonly series: readonly Series[];
  readonly changePoints: ChangePoints;
}

interface OpenTrends {
  readonly history: History;
  readonly series: readonly Series[];
  readonly searched: readonly Series[];
  /** `undefined`: no series is long enough. */
  readonly question: string | undefined;
}

export function openTrends(texts: readonly HistoryText[]): OpenTrends {
  const history = readHistory(texts);
  const series = seriesOf(history.trends);
  const searched = series.filter(isLongEnough);
  return { history, series, searched, question: searched.length === 0 ? undefined : questionOf(searched) };
}

/** @param answer the engine's, or the reason why there is none; absent when nothing was searched */
export function trendsOf(
  { history, series, searched }: OpenTrends,
  answer:
    | { readonly kind: "answer"; readonly text: string }
    | { readonly kind: "no answer"; readonly reason: string } = nothingSearched,
): Trends {
  const changePoints: ChangePoints =
    answer.kind === "no answer"
      ? { kind: "not computed", reason: answer.reason }
      : { kind: "found", changes: parseAnswer(answer.text, searched) };
  return { history, series, changePoints };
}

const nothingSearched = {
  kind: "no answer",
  reason: `It takes ${fewestPoints} commits of one cell, measured on one kind of machine.`,
} as const;

/** Newest first; empty when nothing was searched. */
export function changesOf({ changePoints }: Trends): readonly ChangePoint[] {
  return changePoints.kind === "found" ? changePoints.changes : [];
}
