import { describe, expect, test } from "vitest";

import { droppingOrder } from "../../../../src/report/render/markdown/fit.ts";
import { byteLength } from "../../../../src/text/length.ts";
import { cpuMs } from "../../../cpu-time.ts";
import { cell, failure } from "../../../fixtures/measurement.ts";
import { elementsOf, toHtml } from "../../../text/gfm.ts";
import { comparedOf, effect, row, versus } from "../../compared.ts";
import { grid } from "../../example.ts";
import { renderComment, renderHtml, renderSummary, renderTerminalTable } from "../../forms.ts";

const marker = "<!-- marker -->";
const logTail = "Traceback ``` </details>\n".repeat(700);
const failed = (index: number, every: number) =>
  index % every === 0
    ? ({ status: "failed", failure: failure({ logTail: `${index}\n${logTail}` }) } as const)
    : {};

test("says what gives way when a report is too long", () => {
  expect(droppingOrder).toMatchInlineSnapshot(`
    [
      "logs of cells that failed, the last ones first",
      "lists of gates, further comparisons, further figures and worker counts, the last ones first",
      "rows of cells that are unchanged or were not compared, from the end",
      "notes",
      "the list of causes",
      "rows of cells that were not measured, from the end",
      "rows of cells that are slower, faster, inconclusive or invalid, from the end",
    ]
  `);
});

test.for([
  ["1 cell", grid(1), { measuredRows: 1, hasFurther: true, logs: 0 }],
  ["64 cells", grid(64), { measuredRows: 64, hasFurther: true, logs: 0 }],
  ["256 cells", grid(256), { measuredRows: 256, hasFurther: true, logs: 0 }],
  [
    "256 cells, 32 failed",
    grid(256, undefined, (_, index) => failed(index, 8)),
    { measuredRows: 224, hasFurther: true, logs: 3 },
  ],
  [
    "256 cells, all failed",
    grid(256, undefined, (_, index) => failed(index, 1)),
    { measuredRows: 0, hasFurther: true, logs: 6 },
  ],
  ["5,000 cells", grid(5_000), { measuredRows: 650, hasFurther: false, logs: 0 }],
  [
    "5,000 cells, 100 failed",
    grid(5_000, undefined, (_, index) => failed(index, 50)),
    { measuredRows: 500, hasFurther: false, logs: 0 },
  ],
  [
    "emoji names",
    grid(1_000, (index) => `/${"👩‍👩‍👧🎉".repeat(20)}/${index}`),
    { measuredRows: 50, hasFurther: false, logs: 0 },
  ],
] as const)("a comment on %s fits, and keeps what matters", ([, comparison, least]) => {
  const comment = renderComment(comparison, { marker });
  expect(byteLength(comment)).toBeLessThanOrEqual(65_536 - 4_096);
  expect(comment.startsWith(`${marker}\n## Load test – `)).toBe(true);
  expect(comment).not.toMatch(/\p{Cs}/u);
  const all = comparison.rows.length;
  const failures = comparison.rows.filter(({ status }) => status === "failed").length;
  const mainTable = comment.slice(0, comment.indexOf("<sub>"));
  expect(mainTable.match(/\*\*failed\*\*/g) ?? []).toHaveLength(failures);
  const measuredRows = (mainTable.match(/ ± /g) ?? []).length;
  expect(measuredRows).toBeGreaterThanOrEqual(least.measuredRows);
  if (measuredRows + failures < all) {
    expect(comment).toContain(
      `Omitted for length: ${(all - measuredRows - failures).toLocaleString("en")} measured cells`,
    );
  }
  const html = toHtml(comment);
  const elements = elementsOf(html);
  expect(elements.filter((name) => name === "details").length).toBe(html.match(/<\/details>/g)?.length ?? 0);
  expect(comment.includes("More figures")).toBe(least.hasFurther && failures < all);
  expect(elements.filter((name) => name === "pre").length).toBeGreaterThanOrEqual(least.logs);
});

test("gives way in that order as the limit shrinks", () => {
  const comparison = grid(40, undefined, (_, index) => failed(index, 10));
  const contents = [60_000, 24_000, 16_000, 9_000, 4_200, 2_000, 1_200, 500].map((limit) => {
    const comment = renderComment(comparison, { marker, limit });
    expect(byteLength(comment)).toBeLessThanOrEqual(limit);
    expect(comment).toContain("36 of 40 cells measured: 4 failed");
    const table = comment.split("More figures")[0] ?? "";
    const times = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
    return [
      `${limit} bytes: ${times(table, /^\| .*\*\*failed\*\*/gm)} failed`,
      `${times(comment, /<sub>/g)} notes`,
      `${times(table, / ± /g)} measured`,
      `${times(comment, /More figures/g)} further`,
      `${times(comment, /^`{4,}text$/gm)} logs`,
    ].join(", ");
  });
  expect(contents).toMatchInlineSnapshot(`
    [
      "60000 bytes: 4 failed, 1 notes, 36 measured, 1 further, 4 logs",
      "24000 bytes: 4 failed, 1 notes, 36 measured, 1 further, 2 logs",
      "16000 bytes: 4 failed, 1 notes, 36 measured, 1 further, 1 logs",
      "9000 bytes: 4 failed, 1 notes, 36 measured, 0 further, 0 logs",
      "4200 bytes: 4 failed, 1 notes, 27 measured, 0 further, 0 logs",
      "2000 bytes: 4 failed, 0 notes, 0 measured, 0 further, 0 logs",
      "1200 bytes: 2 failed, 0 notes, 0 measured, 0 further, 0 logs",
      "500 bytes: 0 failed, 0 notes, 0 measured, 0 further, 0 logs",
    ]
  `);
});

/** Unchanged cells, of which the last ones are slower. */
function comparedGrid(cellCount: number, slowerCount: number) {
  const one = row({ cell: cell() });
  const slower = versus({
    verdict: { kind: "slower" },
    effects: { throughput: effect(-0.1, 0.01) },
    gates: [{ name: "steal", isMet: false, evidence: "9% of the time was stolen." }],
  });
  return comparedOf(
    grid(cellCount).rows.map((each, index) =>
      index < cellCount - slowerCount
        ? { ...one, cell: each.cell }
        : { ...one, cell: each.cell, versus: slower },
    ),
  );
}

test.for([
  [256, 256, true],
  [5_000, 250, false],
] as const)("a comment on %i compared cells fits, and shows all that changed", ([cells, least, hasAll]) => {
  const comment = renderComment(comparedGrid(cells, 100), { marker });
  expect(byteLength(comment)).toBeLessThanOrEqual(65_536 - 4_096);
  const table = comment.slice(0, comment.indexOf("<sub>"));
  expect(table.match(/\| \*\*−10/g)).toHaveLength(100);
  expect(table.match(/\| (?:\*\*−10|none \()/g)?.length).toBeGreaterThanOrEqual(least);
  expect(comment).toContain("endpoints got slower");
  expect(comment).toContain("\n- and 80 more\n");
  expect(comment.includes(" measured cells")).toBe(!hasAll);
});

test("what changed stays longest", () => {
  const comparison = comparedGrid(40, 4);
  const contents = [60_000, 12_000, 6_000, 3_500, 2_600].map((limit) => {
    const comment = renderComment(comparison, { marker, limit });
    expect(byteLength(comment)).toBeLessThanOrEqual(limit);
    const table = comment.split("<sub>")[0] ?? "";
    const times = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
    return [
      `${limit} bytes: ${times(table, /\| \*\*−10/g)} slower`,
      `${times(table, /\| none \(/g)} unchanged`,
      `${times(comment, /<sub>/g)} notes`,
      ...["More figures", "More figures", "Checks on the measurement"].filter((title) =>
        comment.includes(`${title}</summary>`),
      ),
    ].join(", ");
  });
  expect(contents).toMatchInlineSnapshot(`
    [
      "60000 bytes: 4 slower, 36 unchanged, 1 notes, More figures, More figures, Checks on the measurement",
      "12000 bytes: 4 slower, 36 unchanged, 1 notes",
      "6000 bytes: 4 slower, 24 unchanged, 1 notes",
      "3500 bytes: 4 slower, 1 unchanged, 1 notes",
      "2600 bytes: 4 slower, 0 unchanged, 0 notes",
    ]
  `);
});

describe("the job summary", () => {
  test("has every cell and log where they fit", () => {
    const summary = renderSummary(grid(256, undefined, (_, index) => failed(index, 16)));
    expect(summary.match(/^`{4,}text$/gm)).toHaveLength(16);
    expect(summary).not.toContain("Omitted for length");
  });

  test("stays below what the runner takes", () => {
    const comparison = grid(5_000, undefined, (_, index) => failed(index, 2));
    const summary = renderSummary(comparison);
    expect(byteLength(summary)).toBeLessThan(900_000);
    expect(summary).toContain(". The results folder has them.");
  });
});

test("renders 256 cells within a second", () => {
  const comparison = grid(256, undefined, (_, index) => failed(index, 2));
  const start = cpuMs();
  renderComment(comparison, { marker });
  renderSummary(comparison);
  renderHtml(comparison);
  renderTerminalTable(comparison, { width: 80, colour: true });
  expect(cpuMs() - start).toBeLessThan(1_000);
});
