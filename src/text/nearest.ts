const mostEdits = 3;

/** The most likely candidate for a mistyped name: the first that it begins, or one within three edits. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const longer = candidates.find((candidate) => candidate.startsWith(`${name}-`));
  if (longer !== undefined) return longer;
  const [best] = candidates
    .filter((candidate) => Math.abs(candidate.length - name.length) <= mostEdits) // no more can be near, however long
    .map((candidate) => ({ candidate, edits: distance(name, candidate) }))
    .toSorted((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= mostEdits ? best.candidate : undefined;
}

/** Levenshtein's edit distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
