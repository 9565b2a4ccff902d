/** A share in percent, with two digits after the point at most. */
export function percent(share: number): string {
  return `${toPercent(share)}%`;
}

export function toPercent(share: number): number {
  return Number((share * 100).toFixed(2));
}
