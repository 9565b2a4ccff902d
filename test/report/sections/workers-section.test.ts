import fc from "fast-check";
import { expect, test } from "vitest";
import { parseMermaid } from "../../../reproduce/test/page/mermaid.ts";
import { curveBlock } from "../../../src/report/render/markdown/folds.ts";
import { curveOf } from "../../../src/report/sections/workers-section.ts";

function counts(...rates: readonly (readonly [workers: number, rate: number])[]) {
  return rates.map(([workers, rate]) => ({
    workers,
    rates: [rate],
    memoryBytes: undefined,
    connections: undefined,
    cpuShare: undefined,
    speedUp: undefined,
    efficiency: undefined,
  }));
}

test("has the counts in order, and what as much from every worker would give", () => {
  expect(curveOf("/a", counts([4, 250], [2, 200], [8, 300]))).toEqual({
    caption: expect.arrayContaining([{ kind: "name", text: "/a" }]),
    points: [
      { workers: 2, rate: 200, ideal: 200 },
      { workers: 4, rate: 250, ideal: 400 },
      { workers: 8, rate: 300, ideal: 800 },
    ],
  });
});

test.for([0, 1, 2])("%i counts are no curve", (length) => {
  expect(curveOf("/a", counts([1, 100], [2, 200]).slice(0, length))).toBeUndefined();
});

test("Mermaid's own parser reads it, whatever was measured", async () => {
  const rate = fc.double({ min: 1e-9, max: 1e12, noNaN: true });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 512 }), { minLength: 3, maxLength: 12 }),
      fc.array(rate, { minLength: 12, maxLength: 12 }),
      async (workers, rates) => {
        const chart = curveOf(
          "`</details>",
          counts(...workers.map((each, index) => [each, rates[index] ?? 1] as const)),
        );
        if (chart === undefined) throw new Error("no chart");
        const text = curveBlock(chart);
        expect(text).not.toContain("details");
        const block = text.split("\n").slice(1, -1).join("\n");
        await expect(parseMermaid(`${block}\n`)).resolves.toBe("xychart");
      },
    ),
    { numRuns: 30 },
  );
});
