import { expect, test } from "vitest";
import { cellProgressOf, cellProgressWords } from "../../../src/report/progress/cell-progress.ts";
import { recording } from "../../recordings/recording.ts";

const { plan, measurements } = recording("same");
const replicates = measurements[0]?.replicates ?? [];
const { design } = plan;
if (design === undefined) throw new Error("the recording compares");

test("of a real cell: the change so far, with an interval that narrows", () => {
  const words = [1, 2, 4, 8].map((count) =>
    cellProgressWords(cellProgressOf(replicates.slice(0, count), design)),
  );
  expect(words).toMatchInlineSnapshot(`
    [
      "after 1 replicate",
      "−0.5% (−7.6 to +7.1) after 2 replicates",
      "−0.8% (−4.8 to +3.3) after 4 replicates",
      "+0.1% ± 2.1 after 8 replicates",
    ]
  `);
});

test("a change without an interval is not shown", () => {
  const effect = { value: -0.5, interval: undefined };
  expect(cellProgressWords({ replicates: 2, effect })).toBe("after 2 replicates");
});
