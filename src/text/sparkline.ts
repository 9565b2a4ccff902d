const levels = "▁▂▃▄▅▆▇█";

/** Numbers as a row of little bars, on the scale of `all` from its smallest to its largest: shapes, not sizes. */
export function sparkline(values: readonly number[], all: readonly number[] = values): string {
  const least = Math.min(...all);
  const span = Math.max(...all) - least;
  const level = (value: number) =>
    span === 0 ? 3 : Math.round(((value - least) / span) * (levels.length - 1));
  return values.map((value) => levels.charAt(level(value))).join("");
}
