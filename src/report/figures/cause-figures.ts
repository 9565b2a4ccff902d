import type { Comparison } from "../../compare/comparison.ts";
import { causesOf, type MendedCause } from "../causes/causes.ts";
import type { CauseFigures, DiagnosisFigures } from "./figures-schema.ts";
import { rounded } from "./rounded.ts";

/** The findings of diagnosis, for a later step of a workflow; `undefined` when it did not run. */
export function diagnosisFigures(comparison: Pick<Comparison, "rows">): DiagnosisFigures | undefined {
  if (comparison.rows.every(({ diagnosis }) => diagnosis === undefined)) return undefined;
  const { causes, more, mended, remarks } = causesOf(comparison);
  return {
    causes: causes.map((told) => ({
      ...causeFigures(told),
      isNew: told.isNew ?? null,
    })),
    more,
    mended: mended.map(causeFigures),
    remarks: [...remarks],
  };
}

function causeFigures({ app, finding, cells }: MendedCause): CauseFigures {
  const { place, prediction } = finding;
  return {
    ...(app !== undefined && { app }),
    cause: finding.cause,
    severity: finding.severity,
    confidence: finding.confidence,
    endpoint: finding.endpoint ?? null,
    path: finding.path ?? null,
    file: place?.file ?? null,
    line: place?.line ?? null,
    function: place?.function ?? null,
    isInDiff: finding.isInDiff ?? null,
    summary: finding.summary,
    advice: finding.advice,
    prediction: {
      what: prediction.what,
      predicted: rounded(prediction.predicted),
      observed: rounded(prediction.observed),
    },
    weight: rounded(finding.weight),
    cells,
  };
}
