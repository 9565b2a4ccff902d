import { describe, expect, test } from "vitest";

import { parseThreshold } from "../../../src/config/threshold-parser.ts";
import { armDiagnosis } from "../../../src/model/findings/diagnosis.ts";
import { causes } from "../../../src/model/findings/finding.ts";
import { usualCheck } from "../../../src/model/thresholds/threshold.ts";
import { explainDocument } from "../../../src/report/explain/explain-document.ts";
import { type ExplainDocument, explainSchema } from "../../../src/report/explain/explain-schema.ts";
import { explainText } from "../../../src/report/explain/explain-text.ts";
import { byteLength } from "../../../src/text/length.ts";
import { foundCause } from "../../diagnosis/samples.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparedOf, effect, row, versus } from "../compared.ts";

const long = "x".repeat(400);
const slower = versus({ verdict: { kind: "slower" }, effects: { throughput: effect(-0.3, 0.02) } });

/** A report of so many cells, of which some are slower, with as many causes. */
function documentOf(cells: number, slow: number, findings = slow, text = "app"): ExplainDocument {
  const rows = Array.from({ length: cells }, (_, index) => {
    const own = causes
      .slice(index * 3, index * 3 + 3)
      .map((cause) => foundCause({ cause, advice: text, summary: text }));
    return row({
      cell: cell({ path: `/orders/${index}` }),
      versus: index < slow ? slower : versus(),
      ...(index < findings && { diagnosis: { head: armDiagnosis(own, []) } }),
    });
  });
  const parsed = ["avg<1", "avg<2", "max<1", "p(95)<1", "max<100000"].map(parseThreshold);
  const thresholds = parsed.flatMap((each) => ("problem" in each ? [] : [each.threshold]));
  return explainDocument(comparedOf(rows, { check: { ...usualCheck, thresholds }, warnings: [text] }));
}

const read = (text: string) => explainSchema.parse(JSON.parse(text));

test("is one line that ends", () => {
  const document = documentOf(1, 1);
  expect(explainText(document)).toBe(`${JSON.stringify(document)}\n`);
});

describe("12 cells in 8 kB", () => {
  test.for([0, 1, 4, 12])("with %i slower ones", (slow) => {
    const document = documentOf(12, slow, slow, long);
    const text = explainText(document);
    expect(byteLength(text)).toBeLessThanOrEqual(8_001);
    const { cells, leftOut } = read(text);
    const kept = cells.filter(({ verdict }) => verdict === "slower").length;
    expect(kept).toBe(Math.min(slow, 12 - (leftOut?.cells ?? 0)));
    expect(kept).toBeGreaterThanOrEqual(Math.min(slow, 6));
    expect(read(explainText(document, { isAll: true }))).toEqual(document);
  });

  test("without causes, all of them", () => {
    expect(read(explainText(documentOf(12, 12, 0))).cells.length).toBeGreaterThanOrEqual(12);
  });
});

test("what matters least goes first, and is counted", () => {
  const {
    cells,
    causes: found,
    thresholds = [],
    quoted,
    leftOut,
  } = read(explainText(documentOf(40, 2, 2, long)));
  expect([quoted, thresholds.some(({ state }) => state === "kept")]).toEqual([undefined, false]);
  expect(cells.slice(0, 2).map(({ verdict }) => verdict)).toEqual(["slower", "slower"]);
  expect([cells.length + (leftOut?.cells ?? 0), found.length + (leftOut?.causes ?? 0)]).toEqual([40, 6]);
});

test("one cell stays, however long it is", () => {
  const document = documentOf(1, 1);
  const [only] = document.cells;
  if (only === undefined) throw new Error("there is one");
  const whole = { ...document, cells: [{ ...only, reason: "x".repeat(9_000) }] };
  expect(JSON.parse(explainText(whole)).cells).toHaveLength(1);
});
