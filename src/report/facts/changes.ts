import type { Comparison, Row } from "../../compare/comparison.ts";
import { judgedEffect, versusIn } from "../../compare/standing.ts";

/** Cells that clearly became slower, or faster: the first thing that a reader on a phone sees. */
export interface Changes {
  readonly words: "Slower" | "Faster";
  /** The largest change first, at most three. */
  readonly rows: readonly Row[];
  readonly more: number;
}

const mostRows = 3;

/** Changes of at least the smallest effect. Smaller ones are in the table only. */
export function changesOf({ rows }: Comparison): Changes[] {
  return (["slower", "faster"] as const).flatMap((kind): Changes[] => {
    const changed = rows
      .filter((row) => {
        const verdict = versusIn(row)?.verdict;
        return verdict?.kind === kind && !verdict.isSmall;
      })
      .toSorted((a, b) => sizeOf(b) - sizeOf(a));
    if (changed.length === 0) return [];
    const words = kind === "slower" ? "Slower" : "Faster";
    return [{ words, rows: changed.slice(0, mostRows), more: Math.max(0, changed.length - mostRows) }];
  });
}

function sizeOf(row: Row): number {
  return Math.abs(judgedEffect(row)?.value ?? 0);
}
