import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { huberWeights, nonNegativeLeastSquares, solve } from "../../src/statistics/least-squares.ts";

describe("equations", () => {
  test.for([
    [[[2]], [6], [3]],
    [
      [
        [1, 1],
        [1, -1],
      ],
      [3, 1],
      [2, 1],
    ],
    [
      [
        [0, 1],
        [1, 0],
      ],
      [5, 7],
      [7, 5],
    ],
    [[], [], []],
  ] as const)("%j x = %j", ([matrix, values, solution]) => {
    expect(solve(matrix, values)).toEqual(solution);
  });

  test("that say the same twice have no one solution", () => {
    expect(
      solve(
        [
          [1, 2],
          [2, 4],
        ],
        [1, 2],
      ),
    ).toBeUndefined();
  });
});

describe("least squares without negative unknowns", () => {
  const line = (points: readonly (readonly [number, number])[], weights: readonly number[] = []) =>
    nonNegativeLeastSquares(
      points.map(([x, value], index) => ({ terms: [1, x], value, weight: weights[index] ?? 1 })),
    );

  test.for([
    [
      "a line through its points",
      [
        [0, 1],
        [1, 3],
        [2, 5],
      ],
      [1, 2],
    ],
    [
      "a falling line becomes level",
      [
        [0, 3],
        [1, 2],
        [2, 1],
      ],
      [2, 0],
    ],
    [
      "a line that begins below 0 begins at 0",
      [
        [1, 0],
        [2, 2],
      ],
      [0, 0.8],
    ],
    [
      "nothing is left of what is below 0",
      [
        [0, -1],
        [1, -2],
      ],
      [0, 0],
    ],
  ] as const)("%s", ([, points, solution]) => {
    expect(line(points)).toEqual(solution.map((value) => expect.closeTo(value)));
  });

  test("what weighs more is met better", () => {
    const [level = 0] =
      line(
        [
          [0, 1],
          [0, 2],
        ],
        [3, 1],
      ) ?? [];
    expect(level).toBeCloseTo(1.25);
  });

  test("no other choice without negative unknowns is nearer", () => {
    const point = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.double({ min: -5, max: 5, noNaN: true }));
    const guess = fc.tuple(
      fc.double({ min: 0, max: 6, noNaN: true }),
      fc.double({ min: 0, max: 6, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(point, { minLength: 3, maxLength: 8 }), guess, (points, other) => {
        const cost = ([a = 0, b = 0]: readonly number[]) =>
          points.reduce((sum, [x, value]) => sum + (a + b * x - value) ** 2, 0);
        expect(cost(line(points) ?? [])).toBeLessThanOrEqual(cost(other) + 1e-9);
      }),
    );
  });
});

test("wild residuals weigh less, all others alike", () => {
  const weights = huberWeights([0.01, -0.01, 0.012, 1, -0.009]);
  expect(weights.map((weight) => weight === 1)).toEqual([true, true, true, false, true]);
  expect(weights[3]).toBeCloseTo((1.345 * 0.01) / 0.6745);
  expect(huberWeights([0, 0, 0])).toEqual([1, 1, 1]);
});
