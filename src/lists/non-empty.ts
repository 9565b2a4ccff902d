/** An array known to hold at least one element, so `[0]` needs no check. */
export type NonEmptyArray<T> = readonly [T, ...T[]];

export function isNonEmpty<T>(items: readonly T[]): items is NonEmptyArray<T> {
  return items.length > 0;
}
