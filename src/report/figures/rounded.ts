/** Six digits that count. Numbers that JSON does not know become `null`. */
export function rounded(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : Number(value.toPrecision(6));
}
