/** Three digits that count, thousands with commas. */
export function figure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  const [whole = "", fraction] = value.toFixed(size === 0 ? 0 : decimals).split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return (fraction === undefined ? grouped : `${grouped}.${fraction}`).replace("-", "−");
}

/** A share with its sign: `−9.8 %`. */
export function change(share: number | undefined): string {
  if (share === undefined || !Number.isFinite(share)) return "–";
  const text = Math.abs(share * 100).toFixed(Math.abs(share) < 0.001 ? 2 : 1);
  return `${share < 0 ? "−" : "+"}${text} %`;
}

/** `[value, low, high]` as `value (low to high)`. */
export function withInterval(
  estimate: readonly number[] | undefined,
  words: (value: number) => string,
): string {
  const [value, low, high] = estimate ?? [];
  if (value === undefined) return "–";
  return low === undefined || high === undefined
    ? words(value)
    : `${words(value)} (${words(low)} to ${words(high)})`;
}

export function workersText(workers: number): string {
  return workers === 1 ? "1 worker" : `${workers} workers`;
}
