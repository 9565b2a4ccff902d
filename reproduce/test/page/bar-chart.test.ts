import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileText } from "../../../test/text/hostile-text.ts";
import { renderBarChart } from "../../page/bar-chart.ts";
import { mermaidBlocks, parseMermaid } from "./mermaid.ts";

test("bars from 0, with their values", () => {
  const bars = [
    { label: "async", values: [2_044.475] },
    { label: "sync", values: [0.16667] },
  ];
  expect(renderBarChart({ title: "Throughput", axis: "requests per second", bars })).toMatchInlineSnapshot(`
    "\`\`\`mermaid
    ---
    config:
      xyChart:
        width: 900
        height: 220
        showDataLabel: true
      themeVariables:
        xyChart:
          plotColorPalette: "#8fb8de, #2f6fb0"
    ---
    xychart-beta horizontal
      title "Throughput"
      x-axis ["async", "sync"]
      y-axis "requests per second" 0 --> 2147
      bar [2044, 0.167]
    \`\`\`"
  `);
});

test.for([
  {
    what: "two bars in one place, without their values",
    bars: [{ label: "a", values: [2, 1] }],
    has: "bar [2]\n  bar [1]",
  },
  { what: "only zeros", bars: [{ label: "a", values: [0] }], has: "0 --> 1\n" },
  {
    what: "a value missing",
    bars: [
      { label: "a", values: [2, 1] },
      { label: "b", values: [3] },
    ],
    has: "bar [1, 0]",
  },
  {
    what: "digits that count",
    bars: [1.2345, 12.345, 123.45].map((value) => ({ label: "a", values: [value] })),
    has: "bar [1.23, 12.3, 123]",
  },
  { what: "no bars", bars: [], has: "x-axis []" },
  { what: "quotes", bars: [{ label: 'a"] %%{init: `#35;`', values: [1] }], has: '["a__ ___init: __35__"]' },
  { what: "long labels", bars: [{ label: "x".repeat(50), values: [1] }], has: `["${"x".repeat(38)}.."]` },
  {
    what: "small and large",
    bars: [
      { label: "a", values: [1e-7] },
      { label: "b", values: [1e30] },
    ],
    has: "bar [0, 1000000000000000]",
  },
])("$what", ({ bars, has }) => {
  expect(renderBarChart({ title: "t", axis: "ms", bars })).toContain(has);
});

test("whatever the texts, Mermaid reads them as one chart", async () => {
  await fc.assert(
    fc.asyncProperty(
      hostileText,
      fc.float({ min: 0, noNaN: true, noDefaultInfinity: true }),
      async (text, value) => {
        const chart = renderBarChart({ title: text, axis: text, bars: [{ label: text, values: [value] }] });
        const [block = "", ...more] = mermaidBlocks(chart);
        expect(more).toEqual([]);
        await expect(parseMermaid(block)).resolves.toBe("xychart");
      },
    ),
    { numRuns: 200 },
  );
});
