import jstat from "jstat";
import { sum } from "./estimate.ts";

/**
 * When one looks at growing data several times, each look is a chance for a false alarm. Bounds of the family of Wang
 * and Tsiatis (Biometrics 43, 1987) keep the chance over all looks: at look k, with the share t of all data, the
 * standardised mean must pass c t^(shape - 1/2). Shape 0 is O'Brien and Fleming's, 1/2 Pocock's.
 */
export interface Bounds {
  /** Chance of passing the bounds with constant `c` at one look or more, without any change; two-sided. */
  levelOf(c: number): number;
  /** The constant for a level. */
  constantFor(level: number): number;
  /** Bound of a look (from 0), in standard deviations. */
  boundAt(look: number, c: number): number;
  /** The constant whose bound at this look is `z`. */
  constantAt(look: number, z: number): number;
}

const smallestConstant = 1;
const largestConstant = 9;
const stepsOfConstant = 40;

/** Bounds for looks after the given shares of the data, ascending to 1. */
export function boundsFor(shares: readonly number[], shape: number): Bounds {
  const boundAt = (look: number, c: number) => c * (shares[look] ?? 1) ** (shape - 0.5);
  const step = (largestConstant - smallestConstant) / stepsOfConstant;
  const constants = Array.from(
    { length: stepsOfConstant + 1 },
    (_, index) => smallestConstant + index * step,
  );
  // A normal tail falls with the square of the bound, so ln(level) over squares is nearly straight.
  const squares = constants.map((c) => c * c);
  const logLevels = constants.map((c) =>
    Math.log(
      crossingProbability(
        shares,
        shares.map((_, look) => boundAt(look, c)),
      ),
    ),
  );
  return {
    levelOf: (c) => Math.min(1, Math.exp(interpolate(squares, logLevels, c * c))),
    constantFor: (level) =>
      Math.sqrt(interpolate(logLevels.toReversed(), squares.toReversed(), Math.log(level))),
    boundAt,
    constantAt: (look, z) => z / (shares[look] ?? 1) ** (shape - 0.5),
  };
}

/** Points of the grid over which a density is followed from look to look. */
const gridPoints = 121;

/**
 * Chance that the standardised mean of normal data passes a bound in either direction at one of the looks. It follows
 * the density of the sum so far through the looks (Armitage, McPherson and Rowe, JRSS A 132, 1969).
 *
 * @param shares share of the data at each look, ascending
 * @param bounds for the standardised mean at each look
 */
export function crossingProbability(shares: readonly number[], bounds: readonly number[]): number {
  let before: { readonly points: readonly number[]; readonly weights: readonly number[] } | undefined;
  let shareBefore = 0;
  let crossed = 0;
  for (const [look, share] of shares.entries()) {
    const limit = (bounds[look] ?? 0) * Math.sqrt(share); // for the sum, whose variance is the share
    const spread = Math.sqrt(share - shareBefore);
    const { points, weights } = before ?? { points: [0], weights: [1] };
    const density = (at: number) => {
      let total = 0;
      for (let index = 0; index < points.length; index += 1)
        total += (weights[index] ?? 0) * normalDensity((at - (points[index] ?? 0)) / spread);
      return total / spread;
    };
    const beyond = (point: number) =>
      normalTail((limit - point) / spread) + normalTail((limit + point) / spread);
    crossed += sum(points.map((point, index) => (weights[index] ?? 0) * beyond(point)));
    const grid = simpson(limit, gridPoints);
    before = {
      points: grid.points,
      weights: grid.points.map((point, index) => density(point) * (grid.weights[index] ?? 0)),
    };
    shareBefore = share;
  }
  return crossed;
}

/** Simpson's rule from -limit to limit; `count` is odd. */
function simpson(limit: number, count: number): { readonly points: number[]; readonly weights: number[] } {
  const step = (2 * limit) / (count - 1);
  const points = Array.from({ length: count }, (_, index) => -limit + index * step);
  const weights = points.map(
    (_, index) => (step / 3) * (index === 0 || index === count - 1 ? 1 : index % 2 === 1 ? 4 : 2),
  );
  return { points, weights };
}

function normalDensity(z: number): number {
  return Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
}

/** From here on a tail is computed by itself: jstat's is 1 minus the rest, which has few digits left, then none. */
const farOut = 5;
const termsFarOut = 40;

/** Chance of more than z standard deviations; keeps its digits far out. */
export function normalTail(z: number): number {
  if (z < farOut) return 0.5 * jstat.erfc(z / Math.SQRT2);
  let fraction = z; // Laplace's: z + 1 / (z + 2 / (z + 3 / ...))
  for (let term = termsFarOut; term > 0; term -= 1) fraction = z + term / fraction;
  return normalDensity(z) / fraction;
}

/** Straight lines between points; the first and last line go on beyond them. `xs` ascending. */
function interpolate(xs: readonly number[], ys: readonly number[], x: number): number {
  const found = xs.findIndex((each) => each > x);
  const right = Math.min(xs.length - 1, Math.max(1, found < 0 ? xs.length - 1 : found));
  const [x0 = 0, x1 = 1] = xs.slice(right - 1, right + 1);
  const [y0 = 0, y1 = 0] = ys.slice(right - 1, right + 1);
  return y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}
