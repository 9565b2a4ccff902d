/** Lines of a file's new version that a change made or altered, from 1; both ends belong to it. */
export interface ChangedLines {
  readonly first: number;
  readonly last: number;
}

const hunk = /^@@ -\d+(?:,\d+)? \+(\d{1,9})(?:,(\d{1,9}))? @@/gm;

/**
 * Reads the changed lines of one file from `git diff --unified=0`. Every line of its contents has a sign before it, so
 * none can be taken for the head of a hunk.
 */
export function parseChangedLines(diff: string): readonly ChangedLines[] {
  return [...diff.matchAll(hunk)]
    .map(([, first, count = "1"]) => ({ first: Number(first), count: Number(count) }))
    .filter(({ count }) => count > 0) // lines that were only taken away are nowhere in the new version
    .map(({ first, count }) => ({ first, last: first + count - 1 }));
}

export function isChanged(line: number, changed: readonly ChangedLines[]): boolean {
  return changed.some(({ first, last }) => line >= first && line <= last);
}
