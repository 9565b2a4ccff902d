import { expect, test } from "vitest";
import { knownEffect } from "../../src/compare/diagnosed-cells.ts";
import type { Measurement } from "../../src/model/measurement/measurement.ts";
import { cell, measurement } from "../fixtures/measurement.ts";
import { design, replicate } from "./two-arms.ts";

const measured = (path: string, effects: readonly number[]): Measurement =>
  measurement({
    cell: cell({ path }),
    replicates: effects.map((effect, index) => replicate({ effect: effect + (index % 2) * 0.001 })),
  });
const certain = measured("/slower", Array<number>(11).fill(-0.2));
const equal = measured("/equal", Array<number>(11).fill(0));
const doubtful = measured("/doubtful", [-0.2, 0.15, -0.3, 0.2]);
const all = [certain, equal, doubtful];

test.for([
  { name: "a cell that is slower for sure", cells: [certain], expected: -0.2 },
  { name: "one that is not", cells: [equal], expected: 0 },
  { name: "one in doubt", cells: [doubtful], expected: 0 },
  {
    name: "both by turns, equally quick in the base",
    cells: [certain, equal],
    expected: Math.log(2 / (1 + Math.exp(0.2))),
  },
  { name: "none", cells: [], expected: 0 },
])("what is known of $name", ({ cells, expected }) => {
  const known = knownEffect(cells, all, design({ cells: 3 }));
  expect(known?.effect ?? 0).toBeCloseTo(expected, 2);
  expect(known?.half ?? 0.01).toBeGreaterThan(0);
  expect(known?.half ?? 0).toBeLessThan(0.05);
});
