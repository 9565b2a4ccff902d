import type { Effects, OpenSummary, Row } from "../../compare/comparison.ts";
import { percentileName } from "../facts/change-words.ts";
import type { CellFigures, EffectFigures, OpenFigures } from "./figures-schema.ts";
import { effectNames, isOptionalEffect, rounded } from "./speed-figures.ts";

type VersusFigures = EffectFigures &
  Pick<
    CellFigures,
    | "verdict"
    | "isSmall"
    | "isByStalls"
    | "isByCpu"
    | "longerLatencies"
    | "moreOf"
    | "reason"
    | "minutesToSettle"
    | "minutesToPlace"
    | "confidence"
    | "replicates"
    | "gatesNotMet"
    | "open"
    | "libraries"
  >;

export function versusFigures(row: Row): VersusFigures {
  const versus = row.versus;
  const standing = row.standing;
  const changed = versus?.instructions;
  return {
    verdict: standing === undefined || standing === "not compared" ? null : standing,
    isSmall: versus?.verdict.isSmall ?? null,
    isByStalls: versus?.verdict.isByStalls ?? null,
    isByCpu: versus?.verdict.isByCpu ?? null,
    longerLatencies: versus === undefined ? null : row.longerLatencies.map(percentileName),
    moreOf: versus === undefined ? null : row.moreFootprint.map(({ part }) => part),
    reason: versus?.verdict.reason ?? row.loneArm?.reason ?? null,
    minutesToSettle: rounded(versus?.verdict.minutesToSettle),
    minutesToPlace: rounded(versus?.verdict.minutesToPlace),
    confidence: rounded(versus?.confidence),
    replicates: versus?.replicates ?? null,
    gatesNotMet:
      versus?.gates.filter(({ isMet }) => !isMet).map(({ name, evidence }) => ({ name, evidence })) ?? null,
    open:
      versus === undefined
        ? null
        : { base: openFigures(versus.open.base), head: openFigures(versus.open.head) },
    ...effectFigures(versus?.effects),
    ...(typeof changed === "object" && changed.libraries.length > 0 && { libraries: [...changed.libraries] }),
  };
}

function effectFigures(effects: Effects | undefined): EffectFigures {
  const fields = Object.entries(effectNames).flatMap(([name, key]) => {
    const effect = effects?.[key];
    if (effect === undefined && isOptionalEffect(name)) return [];
    return [
      [`${name}Effect`, rounded(effect?.value)],
      [`${name}EffectLow`, rounded(effect?.interval?.low)],
      [`${name}EffectHigh`, rounded(effect?.interval?.high)],
    ];
  });
  return Object.fromEntries(fields) as EffectFigures;
}

function openFigures(open: OpenSummary | undefined): OpenFigures {
  if (open === undefined) return null;
  const { p50, p95, p99 } = open.latencyMs;
  return {
    rateRequestsPerSecond: rounded(open.requestsPerSecond),
    p50Ms: rounded(p50),
    p95Ms: rounded(p95),
    p99Ms: rounded(p99),
  };
}
