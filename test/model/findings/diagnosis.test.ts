import { describe, expect, test } from "vitest";
import { filesOf, locate } from "../../../src/diagnosis/added-findings.ts";
import {
  type ArmDiagnosis,
  armDiagnosis,
  mostFindings,
  mostUnseen,
  nothingSeen,
} from "../../../src/model/findings/diagnosis.ts";
import { parseMeasurements } from "../../../src/model/measurement/documents.ts";
import { foundCause, line } from "../../diagnosis/samples.ts";
import { measurement } from "../../fixtures/measurement.ts";

function parsed(head: ArmDiagnosis) {
  const value = measurement({ diagnosis: { head } });
  return parseMeasurements([{ name: `${value.cell.id}.json`, text: JSON.stringify(value) }]);
}

describe("what was found", () => {
  test("survives the way to the report", () => {
    const head = armDiagnosis(
      [foundCause({ path: "app/orders.py", isInDiff: true })],
      ["hot lines: no clocks"],
    );
    expect(parsed(head)).toMatchObject({ warnings: [], measurements: [{ diagnosis: { head } }] });
  });

  test("without a usable form is left out and said, or the whole cell would be refused later", () => {
    const broken = foundCause({
      figures: [{ what: "mean", unit: "ms", value: Number.POSITIVE_INFINITY }],
    });
    const made = armDiagnosis([broken, foundCause()], []);
    expect(made).toEqual({
      findings: [foundCause()],
      unseen: ["ignored findings of an unknown form: 1"],
    });
    expect(parsed(made).warnings).toEqual([]);
  });

  test("has limits, whatever an app makes up", () => {
    const reasons = Array.from({ length: 50 }, (_, index) => `${index}`.repeat(2_000));
    const made = armDiagnosis(Array<ReturnType<typeof foundCause>>(80).fill(foundCause()), reasons);
    expect(made.findings).toHaveLength(mostFindings);
    expect(made.unseen).toHaveLength(mostUnseen);
    expect(parsed(made).warnings).toEqual([]);
  });

  test("is nothing for a reason", () => {
    expect(parsed(nothingSeen("the app did not start")).warnings).toEqual([]);
    expect(nothingSeen("x").findings).toBeUndefined();
  });

  test.for(["../x.py", "/etc/passwd", "a\n::error::b"])("cannot point at %j", (path) => {
    expect(parsed({ findings: [foundCause({ path })], unseen: [] })).toMatchObject({
      measurements: [],
      warnings: [expect.stringContaining("path")],
    });
  });
});

describe("a finding's line", () => {
  const diagnosis = armDiagnosis(
    [foundCause(), foundCause({ cause: "CPU work on the event loop" }), foundCause({ place: undefined })],
    [],
  );
  const diffOf = (hunk: string) => new Map([[line.file, { path: "api/app/orders.py", diff: hunk }]]);

  test("is in a file that is looked up once", () => {
    expect(filesOf(diagnosis)).toEqual([line.file]);
    expect(filesOf(nothingSeen("x"))).toEqual([]);
  });

  test.for<[hunk: string, isInDiff: boolean]>([
    ["@@ -30,0 +37 @@\n+x\n", true],
    ["@@ -30,0 +38 @@\n+x\n", false],
    ["", false],
  ])("%j: in the diff %s", ([hunk, isInDiff]) => {
    const [first, third, second] = locate(diagnosis, diffOf(hunk)).findings ?? []; // in their order
    for (const each of [first, second]) expect(each).toMatchObject({ path: "api/app/orders.py", isInDiff });
    expect(third).not.toHaveProperty("path");
  });

  test("has no path where git knows none, or one that leads out", () => {
    expect(locate(diagnosis, new Map([[line.file, undefined]]))).toEqual(diagnosis);
    expect(locate(diagnosis, new Map([[line.file, { path: "../x.py", diff: "" }]]))).toEqual(diagnosis);
    expect(locate(nothingSeen("x"), new Map())).toEqual(nothingSeen("x"));
  });

  test("without a diff is neither in it nor not", () => {
    const [first] =
      locate(diagnosis, new Map([[line.file, { path: "orders.py", diff: undefined }]])).findings ?? [];
    expect(first).toMatchObject({ path: "orders.py" });
    expect(first).not.toHaveProperty("isInDiff");
  });
});
