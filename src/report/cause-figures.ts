import type { Comparison } from "../compare/comparison.ts";
import type { FoundCause } from "../model/findings/diagnosis.ts";
import { causesOf, type MendedCause } from "./causes.ts";
import { rounded } from "./rounded.ts";

/** One cause; `null` where something is not known or does not apply. Texts may quote the code under test. */
export interface CauseFigures {
  /** Absent where nobody named it. */
  readonly app?: string;
  readonly cause: FoundCause["cause"];
  readonly severity: FoundCause["severity"];
  readonly confidence: FoundCause["confidence"];
  /** Method and route. */
  readonly endpoint: string | null;
  /** From the top of the repository. */
  readonly path: string | null;
  /** From the app's folder. */
  readonly file: string | null;
  readonly line: number | null;
  readonly function: string | null;
  readonly isInDiff: boolean | null;
  readonly summary: string;
  readonly advice: string;
  /** The figure that the cause implies, and what was measured. */
  readonly prediction: {
    readonly what: string;
    readonly predicted: number | null;
    readonly observed: number | null;
  };
  /** Share of what limits the requests that the cause accounts for, 0 to 1. */
  readonly weight: number | null;
  readonly cells: number;
}

export interface DiagnosisFigures {
  /** Of the head, as many as the report shows, in its order. */
  readonly causes: readonly (CauseFigures & {
    /** Whether the base has it not; `null` where that was not looked into. */
    readonly isNew: boolean | null;
  })[];
  /** How many there are besides. */
  readonly more: number;
  /** Of the base, with its lines; the head has them no longer. */
  readonly mended: readonly CauseFigures[];
  /** What was not seen, or that nothing was found. */
  readonly remarks: readonly string[];
}

/** What diagnosis found, for a later step of a workflow; `undefined` where nobody looked. */
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
    remarks,
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
