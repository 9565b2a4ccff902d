import type { Comparison } from "../../compare/comparison.ts";
import { judgeThresholds } from "../../compare/thresholds/judged-thresholds.ts";
import { endpointLabel } from "../../model/plan/cell.ts";
import { thresholdText } from "../../model/thresholds/threshold.ts";
import type { ThresholdFigures } from "./figures-schema.ts";
import { rounded } from "./rounded.ts";

/** Each threshold at each place, for a later step of a workflow. */
export function thresholdFigures(comparison: Comparison): ThresholdFigures[] {
  const ofScripts = comparison.rows.flatMap(({ cell: { app, endpoint, workers }, script }) =>
    (script?.thresholds ?? []).map(({ metric, condition, isKept, value }) => ({
      threshold: `${metric}: ${condition}`,
      ...(app !== undefined && { app }),
      endpoint: endpointLabel(endpoint),
      workers,
      state: isKept ? ("kept" as const) : ("broken" as const),
      value: rounded(value),
      reason: "",
    })),
  );
  const judged = judgeThresholds(comparison).map(
    ({ threshold, app, endpoint, workers, state, value, reason }) => ({
      threshold: thresholdText(threshold),
      ...(app !== undefined && { app }),
      endpoint: endpoint ?? null,
      workers,
      state,
      value: rounded(value),
      reason,
    }),
  );
  return [...judged, ...ofScripts];
}
