import { expect, test } from "vitest";
import { expectedReplicates, expectedSeconds, precisionWarning } from "../../src/compare/expected-time.ts";
import { looks } from "../../src/model/plan/plan.ts";
import { design } from "./two-arms.ts";

const by = (overrides: Parameters<typeof design>[0] = {}) =>
  design({ looks: [...looks], maxMinutes: 15, ...overrides });

test("a larger effect, and fewer cells, need fewer replicates", () => {
  const [one, many, coarse, fine] = [{}, { cells: 40 }, { minChange: 0.1 }, { minChange: 0.005 }].map(
    (overrides) => expectedReplicates(by(overrides)),
  );
  expect(coarse).toBe(3);
  expect(one).toBeGreaterThan(3);
  expect(one).toBeLessThanOrEqual(12);
  expect(many).toBeGreaterThanOrEqual(one ?? 0);
  expect(fine).toBe(58);
});

test.for([
  { overrides: {}, cells: 1, least: 15, most: 60 },
  { overrides: { soakSeconds: 60 }, cells: 1, least: 46, most: 91 },
  { overrides: { countedEndpoints: 2 }, cells: 1, least: 29, most: 74 },
  { overrides: { soakSeconds: 60, countedEndpoints: 1 }, cells: 1, least: 46, most: 91 },
  { overrides: { cells: 50 }, cells: 50, least: 900, most: 900 },
])("$cells cells probably take $least to $most s", ({ overrides, cells, least, most }) => {
  const seconds = expectedSeconds(by(overrides), cells);
  expect(seconds).toBeGreaterThanOrEqual(least);
  expect(seconds).toBeLessThanOrEqual(most);
});

test.for([
  { name: "one cell", overrides: {}, cells: 1, expected: undefined },
  { name: "a job of a matrix", overrides: { cells: 40 }, cells: 1, expected: undefined },
  {
    name: "many cells",
    overrides: { cells: 60 },
    cells: 60,
    expected:
      /^max-minutes: 15 leaves time for about 2 replicates of each of the 60 cells, and detecting a change of 3% takes about \d+, even on a quiet machine; set max-minutes to \d\d, or measure fewer endpoints or worker counts$/,
  },
  {
    name: "fewer cells, for which a coarser comparison would do",
    overrides: { cells: 50 },
    cells: 50,
    expected:
      /about [34] replicates of each of the 50 cells, .* set max-minutes to \d\d, set min-change to \d+%, or measure/,
  },
  {
    name: "minutes of which a part is kept for the pair that gets old",
    overrides: { cells: 8, maxMinutes: 3, soakSeconds: 60 },
    cells: 8,
    expected:
      /^max-minutes: 3 leaves time for about [34] replicates of each of the 8 cells, .* set max-minutes to \d+, /,
  },
  {
    name: "one minute",
    overrides: { maxMinutes: 1, cells: 2, minChange: 0.01 },
    cells: 2,
    expected: /^max-minutes: 1 leaves time for about \d replicates of each of the 2 cells/,
  },
])("a warning for $name: $expected", ({ overrides, cells, expected }) => {
  const text = precisionWarning(by(overrides), cells);
  if (expected === undefined) expect(text).toBeUndefined();
  else expect(text).toMatch(expected);
});
