import { median } from "./estimate.ts";

/** Solves a few equations by elimination with pivots; `undefined` without a single solution. */
export function solve(
  matrix: readonly (readonly number[])[],
  values: readonly number[],
): number[] | undefined {
  const rows = matrix.map((row, index) => [...row, values[index] ?? 0]);
  const size = rows.length;
  for (let column = 0; column < size; column += 1) {
    const rest = rows.slice(column);
    const [pivot = []] = rest.toSorted((a, b) => Math.abs(b[column] ?? 0) - Math.abs(a[column] ?? 0));
    const head = pivot[column] ?? 0;
    if (!(Math.abs(head) > 1e-12)) return undefined;
    rows.splice(column, rest.length, pivot, ...rest.filter((row) => row !== pivot));
    for (const [index, row] of rows.entries()) {
      if (index === column) continue;
      const factor = (row[column] ?? 0) / head;
      rows[index] = row.map((value, at) => value - factor * (pivot[at] ?? 0));
    }
  }
  return rows.map((row, index) => (row[size] ?? 0) / (row[index] ?? 1));
}

/** One equation: the factors of the unknowns, the sum that they should have, and its weight. */
interface Equation {
  readonly terms: readonly number[];
  readonly value: number;
  readonly weight: number;
}

/**
 * Weighted least squares with no unknown below 0: the best of all choices of which unknowns are 0. With so few of them
 * that is exact, and simpler than the active sets of Lawson and Hanson (Solving Least Squares Problems, 1974, chapter
 * 23). `undefined` when no choice has a solution.
 */
export function nonNegativeLeastSquares(equations: readonly Equation[]): number[] | undefined {
  const unknowns = equations[0]?.terms.length ?? 0;
  // No other solution is nearer when no unknown is below 0 by itself.
  const unbound = leastSquares(
    equations,
    Array.from({ length: unknowns }, (_, index) => index),
  );
  if (unbound?.every((value) => value >= 0)) return unbound;
  const choices = Array.from({ length: 2 ** unknowns }, (_, bits) =>
    Array.from({ length: unknowns }, (__, index) => index).filter((index) => (bits >> index) % 2 === 1),
  );
  const solutions = choices.flatMap((free) => {
    const found = leastSquares(equations, free);
    return found?.every((value) => value >= 0) ? [found] : [];
  });
  const costs = solutions.map((solution) => cost(equations, solution));
  return solutions[costs.indexOf(Math.min(...costs))];
}

/** Residuals above this many robust deviations count less than their square. */
const huberLimit = 1.345;
/** Standard deviation of normal data, per median absolute deviation. */
const normalDeviation = 0.6745;

/** Weights by which wild residuals count with their size instead of its square (Huber, Annals of Mathematical Statistics 35, 1964). */
export function huberWeights(residuals: readonly number[]): number[] {
  const sizes = residuals.map(Math.abs);
  const limit = (huberLimit * median(sizes)) / normalDeviation;
  return sizes.map((size) => (size <= limit || size < 1e-9 ? 1 : limit / size));
}

function leastSquares(equations: readonly Equation[], free: readonly number[]): number[] | undefined {
  const unknowns = equations[0]?.terms.length ?? 0;
  const total = (part: (equation: Equation) => number) =>
    equations.reduce((sum, equation) => sum + equation.weight * part(equation), 0);
  const at = ({ terms }: Equation, index: number) => terms[index] ?? 0;
  const matrix = free.map((row) => free.map((column) => total((each) => at(each, row) * at(each, column))));
  const solution = solve(
    matrix,
    free.map((row) => total((each) => at(each, row) * each.value)),
  );
  if (solution === undefined) return undefined;
  const all = Array<number>(unknowns).fill(0);
  for (const [index, unknown] of free.entries()) all[unknown] = solution[index] ?? 0;
  return all;
}

function cost(equations: readonly Equation[], solution: readonly number[]): number {
  return equations.reduce((sum, { terms, value, weight }) => {
    const found = terms.reduce((part, term, index) => part + term * (solution[index] ?? 0), 0);
    return sum + weight * (found - value) ** 2;
  }, 0);
}
