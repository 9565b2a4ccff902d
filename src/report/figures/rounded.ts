/** Six digits that count, and nothing that JSON does not know. */
export function rounded(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : Number(value.toPrecision(6));
}
