import type { BisectAnswer, Bisection } from "../model/bisection/bisection.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { reachOf } from "./answer.ts";
import type { Row } from "./comparison.ts";

export type ComparedEnds =
  | { readonly kind: "changed"; readonly row: Row; readonly effect: Estimate }
  | { readonly kind: "equal" }
  /** `undefined`: nothing was measured. */
  | { readonly kind: "not certain"; readonly row: Row | undefined };

export function compareEnds(rows: readonly Row[]): ComparedEnds {
  const changed = rows.flatMap((row) => {
    const verdict = row.versus?.verdict;
    const isChanged = verdict?.kind === "slower" || verdict?.kind === "faster";
    return isChanged && !verdict.isSmall && row.effect !== undefined ? [{ row, effect: row.effect }] : [];
  });
  const [most] = changed.toSorted((a, b) => sizeOf(b.effect) - sizeOf(a.effect));
  if (most !== undefined) return { kind: "changed", ...most };
  const open = rows.filter((row) => !isEqual(row));
  return rows.length > 0 && open.length === 0
    ? { kind: "equal" }
    : { kind: "not certain", row: open.find(({ versus }) => versus !== undefined) ?? open[0] };
}

/** A size that is the same for half and for twice the throughput. */
function sizeOf({ value }: Estimate): number {
  return Math.abs(Math.log1p(value));
}

function isEqual({ standing, versus }: Row): boolean {
  if (standing === "not reached") return true;
  return versus !== undefined && (versus.verdict.kind === "unchanged" || versus.verdict.isSmall);
}

/** How much slower the slower end is than the faster one: -0.1 is 10% less. */
export function slowdownOf({ value }: Estimate): number {
  return value < 0 ? value : 1 / (1 + value) - 1;
}

export type Likeness = "slower end" | "faster end" | "not certain" | "not measured";

/** @param limit half of the slowdown between the ends, as a share above 0: neither end is near it */
export function likenessOf(row: Row | undefined, limit: number): Likeness {
  if (row?.standing === "not reached") return "faster end";
  if (row?.versus === undefined) return "not measured";
  if (row.effect === undefined) return "not certain";
  const reach = reachOf(row.effect, limit);
  if (reach === "perhaps") return "not certain";
  return reach === "certainly" ? "slower end" : "faster end";
}

/** The answer for git; `undefined` where none is certain. */
export function answerOf(
  likeness: Likeness,
  slowerEnd: Bisection["slowerEnd"],
): BisectAnswer["answer"] | undefined {
  if (likeness === "not certain") return undefined;
  if (likeness === "not measured") return "skip";
  return (likeness === "slower end") === (slowerEnd === "bad") ? "bad" : "good";
}
