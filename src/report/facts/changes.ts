import type { Comparison, Row } from "../../compare/comparison.ts";
import { judgedEffect, versusIn } from "../../compare/standing.ts";
import { groupBy } from "../../lists/group.ts";
import { cellLabel } from "../../model/plan/cell.ts";

/** An endpoint that clearly became slower, or faster. */
export interface Change {
  readonly kind: "slower" | "faster";
  /** Its cells, the largest change first; never empty. */
  readonly rows: readonly [Row, ...Row[]];
}

/** Changes of at least the smallest effect. Smaller ones are in the table only. */
export interface Changes {
  /** Slower ones first, the largest first. */
  readonly shown: readonly Change[];
  /** How many more there are of each kind. */
  readonly more: { readonly slower: number; readonly faster: number };
}

/** More paragraphs than these nobody reads. */
const mostOfKind = { slower: 5, faster: 3 } as const;

/** The first thing that a reader on a phone sees. */
export function changesOf(comparison: Comparison): Changes {
  const [slower, faster] = [changesOfKind("slower", comparison), changesOfKind("faster", comparison)];
  return {
    shown: [...slower.slice(0, mostOfKind.slower), ...faster.slice(0, mostOfKind.faster)],
    more: {
      slower: Math.max(0, slower.length - mostOfKind.slower),
      faster: Math.max(0, faster.length - mostOfKind.faster),
    },
  };
}

function changesOfKind(kind: Change["kind"], { rows }: Comparison): Change[] {
  const changed = rows.filter((row) => {
    const verdict = versusIn(row)?.verdict;
    return verdict?.kind === kind && !verdict.isSmall;
  });
  return [...groupBy(changed, ({ cell }) => cellLabel(cell)).values()]
    .flatMap((own): Change[] => {
      const [first, ...others] = own.toSorted((a, b) => sizeOf(b) - sizeOf(a));
      return first === undefined ? [] : [{ kind, rows: [first, ...others] }];
    })
    .toSorted((a, b) => sizeOf(b.rows[0]) - sizeOf(a.rows[0]));
}

function sizeOf(row: Row): number {
  return Math.abs(judgedEffect(row)?.value ?? 0);
}
