/** Lines of a file's new version that a change made or altered, from 1; both ends belong to it. */
export interface ChangedLines {
  readonly first: number;
  readonly last: number;
}

const hunk = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/gm;

/**
 * Reads the changed lines of one file from `git diff --unified=0`. Every line of its contents has a sign before it, so
 * none can be taken for the head of a hunk.
 */
export function parseChangedLines(diff: string): readonly ChangedLines[] {
  return [...diff.matchAll(hunk)].flatMap(([, , , first, count]) => rangeOf(first, count));
}

/** The lines of the old version that a change altered or took away, read in the same way. */
export function parseFormerLines(diff: string): readonly ChangedLines[] {
  return [...diff.matchAll(hunk)].flatMap(([, first, count]) => rangeOf(first, count));
}

/** Lines that were only taken away are nowhere in the new version, and only added ones nowhere in the old. */
function rangeOf(first: string | undefined, count = "1"): readonly ChangedLines[] {
  return Number(count) === 0 ? [] : [{ first: Number(first), last: Number(first) + Number(count) - 1 }];
}

export function isChanged(line: number, changed: readonly ChangedLines[]): boolean {
  return changed.some(({ first, last }) => line >= first && line <= last);
}
