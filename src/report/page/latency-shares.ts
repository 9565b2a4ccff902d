/** Points of the curve of percentiles, equally far apart where the axis counts nines: 0 to 0.999. Dimensionless. */
export const latencyShares: readonly number[] = Array.from(
  { length: 61 },
  (_, step) => 1 - 10 ** (-step / 20),
);
