import { describe, expect, test } from "vitest";
import { compare } from "../../../src/compare/compare.ts";
import type { Comparison } from "../../../src/compare/comparison.ts";
import { plainMeasurement } from "../../../src/forge/posting/plain-measurement.ts";
import type { ScriptResults } from "../../../src/model/measurement/generator.ts";
import { measurementSchema } from "../../../src/model/measurement/measurement.ts";
import { makeCell } from "../../../src/model/plan/cell.ts";
import { matrixOf } from "../../../src/model/plan/plan.ts";
import { exitStatusOf } from "../../../src/report/facts/outcome.ts";
import { figuresOf } from "../../../src/report/figures/figures.ts";
import { design, replicate } from "../../compare/two-arms.ts";
import { environment, measurement } from "../../fixtures/measurement.ts";
import { comparedOf } from "../compared.ts";
import { renderHtml, renderSummary, renderTerminalTable } from "../forms.ts";

const results: ScriptResults = {
  checks: [
    { group: "", name: "is fine", passes: 20, fails: 0 },
    { group: "::list::first page", name: "is 200 | <b>", passes: 19, fails: 1 },
  ],
  groups: [{ name: "::list", count: 1_200, meanMs: 2.5, p95Ms: 9 }],
  metrics: [{ name: "orders", values: { rate: 9.79, count: 20 } }],
  thresholds: [
    { metric: "http_req_duration", condition: "p(95)<1", isKept: false, value: 5.5 },
    { metric: "orders", condition: "count>3", isKept: true },
  ],
};

const cell = makeCell({
  endpoint: { script: "load/checkout.js" },
  workers: 2,
  server: "uvicorn {app} --port {port}",
  load: { kind: "script" },
});

function document(script: ScriptResults = results) {
  const plain = measurement({ cell });
  return measurementSchema.parse({
    ...plain,
    replicates: plain.replicates.map((replicate) => ({ ...replicate, script })),
  });
}

function comparisonOf(script?: ScriptResults, failOn: "regression" | "never" = "regression"): Comparison {
  const check = { failOn, maxSlowdown: 0.05 };
  return compare({ schemaVersion: 1, cells: [cell], check }, [document(script)]);
}

describe("a k6 script in the report", () => {
  test("has a row as all others, by its path", () => {
    expect(cell.id).toMatch(/^script-load-checkout-js-w2-/);
    expect(matrixOf({ schemaVersion: 1, cells: [cell] }).endpoints).toEqual([""]);
    const markdown = renderSummary(comparisonOf());
    expect(markdown).toContain("| <code>load/checkout&#46;<wbr>js</code> | 2 |");
    expect(markdown).toContain(
      "Load per cell (one endpoint at one worker count): as defined by the k6 script.",
    );
  });

  test("has its checks, those that failed first, then groups and metrics", () => {
    const lines = renderSummary(comparisonOf()).split("\n");
    const start = lines.findIndex((line) => line.startsWith("| Load script |"));
    expect(lines.slice(start, start + 6)).toEqual([
      "| Load script | Kind | Name | Workers | Result |",
      "| :--- | :--- | :--- | ---: | :--- |",
      "| <code>load/checkout&#46;<wbr>js</code> | check | <code>list /<wbr> first page&#58; is 200 &#124; &#60;b&#62;</code> | 2 | **19 of 20 passed** |",
      "| <code>load/checkout&#46;<wbr>js</code> | check | `is fine` | 2 | 20 of 20 passed |",
      "| <code>load/checkout&#46;<wbr>js</code> | group | `list` | 2 | ran 1,200 times, mean 2.50 ms, p95 9.00 ms |",
      "| <code>load/checkout&#46;<wbr>js</code> | metric | `orders` | 2 | count 20.0, rate 9.79 |",
    ]);
  });

  test("has its thresholds among all others, and a broken one fails the check", () => {
    const markdown = renderSummary(comparisonOf());
    expect(markdown).toContain("**Thresholds:** 1 not met, 1 met.");
    expect(markdown).toContain(
      "| `http_req_duration: p(95)<1` | <code>load/checkout&#46;<wbr>js</code> | 2 | 5.50 | **not met** |",
    );
    expect(markdown).toContain("1 threshold not met");
    expect(exitStatusOf(comparisonOf())).toBe(1);
    expect(exitStatusOf(comparisonOf(results, "never"))).toBe(0);
    expect(exitStatusOf(comparisonOf({ ...results, thresholds: [] }))).toBe(0);
    expect(figuresOf(comparisonOf()).thresholds).toEqual([
      {
        ...{ threshold: "http_req_duration: p(95)<1", endpoint: "load/checkout.js", workers: 2 },
        ...{ state: "broken", value: 5.5, reason: "" },
      },
      {
        ...{ threshold: "orders: count>3", endpoint: "load/checkout.js", workers: 2 },
        ...{ state: "kept", value: null, reason: "" },
      },
    ]);
  });

  test("has the app of its cell beside each threshold", () => {
    const named = makeCell({ ...cell, app: "till" });
    const script = { ...document(), cell: named };
    const report = compare({ schemaVersion: 1, cells: [named] }, [script]);
    expect(figuresOf(report).thresholds).toMatchObject([
      { app: "till", endpoint: "load/checkout.js", workers: 2, state: "broken", value: 5.5 },
      { app: "till", endpoint: "load/checkout.js", workers: 2, state: "kept", value: null },
    ]);
  });

  test("is on the page and in the terminal, with nothing of it live", () => {
    const page = renderHtml(comparisonOf());
    expect(page).toContain("<h2>Load scripts</h2>");
    expect(page).toContain("list / first page: is 200 | &lt;b&gt;");
    const table = renderTerminalTable(comparisonOf(), { width: 120, colour: true });
    expect(table).toContain("load/checkout.js (w2): check is fine: 20 of 20 passed");
    expect(table).toContain("19 of 20 passed\u001b[0m");
  });

  test("that ran against both arms has the base's results, too", () => {
    const slower = { ...results, groups: [{ name: "::list", count: 1_000, meanMs: 5, p95Ms: 18 }] };
    const requests = [{ name: "GET /", count: 10, meanMs: 1, p95Ms: 2 }];
    const passed = results.checks.map((each) => ({ ...each, passes: 20, fails: 0 }));
    const replicates = Array.from({ length: 3 }, () =>
      replicate({ scripts: { base: { ...results, checks: passed }, head: { ...slower, requests } } }),
    );
    const made = comparedOf(
      compare({ schemaVersion: 1, cells: [cell], design: design() }, [{ ...document(), replicates }]).rows,
    );
    const markdown = renderSummary(made);
    expect(markdown).toContain("**57 of 60 passed, base 60 of 60**");
    expect(markdown).toContain(
      "| group | `list` | 2 | ran 3,000 times, mean 2.50 → 5.00 ms (+100% ± 0), p95 9.00 → 18.0 ms |",
    );
    expect(markdown).toContain("| request | `GET /` | 2 | ran 30 times, mean 1.00 ms, p95 2.00 ms |");
    expect(markdown).toContain("count 20.0, rate 9.79; base count 20.0, rate 9.79");
    expect(JSON.stringify(plainMeasurement({ ...document(), replicates }))).not.toMatch(
      /is fine|orders|first/,
    );
  });

  test("names what is too much", () => {
    const checks = Array.from({ length: 50 }, (_, n) => ({ group: "", name: `c${n}`, passes: 1, fails: 0 }));
    const markdown = renderSummary(comparisonOf({ ...results, checks }));
    expect(markdown).toContain("and 12 more in `report.html`");
  });

  test("of a fork has none of its author's words", () => {
    const plain = JSON.stringify(plainMeasurement(document()));
    expect(plain).toContain("load/checkout.js");
    expect(plain).not.toMatch(/is fine|orders|first page/);
    const spoken = plainMeasurement({ ...document(), cell: { ...cell, endpoint: { script: "buy now !" } } });
    expect(spoken.cell.endpoint).toEqual({ script: "buy_now__" });
    const locust = plainMeasurement({ ...document(), environment: environment({ k6: "" }) });
    expect(locust.environment?.k6).toBe("");
  });
});
