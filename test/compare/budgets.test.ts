import { describe, expect, test } from "vitest";

import type { MeasuredRow } from "../../src/compare/comparison.ts";
import { parseThreshold } from "../../src/config/threshold-parser.ts";
import { armDiagnosis, type Seen, seenSchema } from "../../src/model/findings/diagnosis.ts";
import { partNames } from "../../src/model/findings/probe-document.ts";
import { usualCheck } from "../../src/model/thresholds/threshold.ts";
import { exitStatusOf } from "../../src/report/facts/outcome.ts";
import { line } from "../diagnosis/samples.ts";
import { cell, environment } from "../fixtures/measurement.ts";
import { comparedOf, effect, footprintChange, loneArm, row, versus } from "../report/compared.ts";
import { renderComment } from "../report/forms.ts";

type Parts = Partial<Parameters<typeof row>[0]>;

function judged(text: string, ...rows: readonly MeasuredRow[]) {
  const parsed = parseThreshold(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return comparedOf(rows, { check: { ...usualCheck, thresholds: [parsed.threshold] } });
}

const orders = (parts: Parts, path = "/orders") => row({ cell: cell({ path }), ...parts });

/** 10,000 requests of an arm. */
const sql = (sqlStatements: number, more: Parts["arm"] = {}): Parts => ({ arm: { sqlStatements, ...more } });

test.for<[line: string, state: string, parts: Parts, value?: number]>([
  ["sql_per_request<=5", "kept", sql(50_000), 5],
  ["sql_per_request<=5", "kept", sql(50_400), 5.04], // a new connection sends statements, too
  ["sql_per_request<=5", "broken", sql(51_000), 5.1],
  ["sql_per_request==0", "kept", sql(300), 0.03],
  ["sql_per_request<=5", "unknown", {}],
  ["sql_rows_per_request<100", "broken", { arm: { sqlRows: 1_000_000 } }, 100],
  ["sql_rows_per_request<=100", "kept", { arm: { sqlRows: 1_000_000 } }, 100],
  ["sql_rows_per_request<=100", "unknown", sql(50_000)],
  ["response_bytes<=200", "kept", { arm: { responseBytes: 200.4 } }, 200.4],
  ["response_bytes<=200", "broken", { arm: { responseBytes: 201 } }, 201],
  ["outside_calls==0", "kept", { environment: environment({ outsideHosts: [] }) }, 0],
  ["outside_calls==0", "broken", { environment: environment({ outsideHosts: ["api.example.com"] }) }, 1],
  ["outside_calls==0", "unknown", { environment: environment() }],
  ["outside_calls==0", "unknown", { environment: undefined }],
  ["peak_memory_mb<=84.2", "kept", { arm: { peakMemoryBytes: 84_200_000 } }, 84.2],
  ["peak_memory_mb<=80", "broken", { arm: { peakMemoryBytes: 84_200_000 } }, 84.2],
  ["ready_memory_mb<=80", "unknown", {}],
  ["ready_memory_mb<=80", "kept", { arm: { readyMemoryBytes: 79e6 } }, 79],
  ["start_cpu_seconds<1", "broken", { arm: { startCpuSeconds: 1.2 } }, 1.2],
])("%s is %s", ([text, state, parts, value]) => {
  const comparison = judged(text, orders(parts));
  const [only] = comparison.thresholds;
  expect(only).toMatchObject({ state, reason: state === "unknown" ? "not counted" : "" });
  if (value === undefined) expect(only?.value).toBeUndefined();
  else expect(only?.value).toBeCloseTo(value, 9);
  expect(exitStatusOf(comparison)).toBe(state === "broken" ? 1 : 0);
});

describe("no more than the base", () => {
  const grown = (part: "peakMemory" | "startCpu", kind: "more" | "none"): Parts => ({
    arm: { peakMemoryBytes: 84e6, startCpuSeconds: 1 },
    versus: versus({ footprint: [footprintChange({ part, kind })] }),
  });
  test.for<[line: string, state: string, parts: Parts, reason?: string]>([
    ["sql_per_request<=base", "kept", sql(20_000)],
    ["sql_per_request<=base", "kept", { ...sql(20_000), headArm: { sqlStatements: 24_000 } }],
    ["sql_per_request<=base", "broken", { ...sql(20_000), headArm: { sqlStatements: 30_000 } }],
    ["sql_per_request<=base", "kept", { ...sql(1_000_000), headArm: { sqlStatements: 1_008_000 } }],
    ["sql_per_request<=base", "unknown", { arm: { sqlStatements: undefined } }, "not counted"],
    ["sql_per_request<=base", "unknown", { headArm: { sqlStatements: 5 } }, "not counted in the base"],
    ["sql_per_request<=base", "unknown", { ...sql(9), loneArm: loneArm("added") }, "not counted in the base"],
    ["response_bytes<=base", "kept", { arm: { responseBytes: 100 }, headArm: { responseBytes: 109 } }],
    ["response_bytes<=base", "broken", { arm: { responseBytes: 100 }, headArm: { responseBytes: 111 } }],
    [
      "outside_calls<=base",
      "unknown",
      { environment: environment({ outsideHosts: [] }) },
      "not counted in the base",
    ],
    ["peak_memory_mb<=base", "broken", grown("peakMemory", "more")],
    ["peak_memory_mb<=base", "kept", grown("peakMemory", "none")],
    ["start_cpu_seconds<=base", "broken", grown("startCpu", "more")],
    ["start_cpu_seconds<=base", "unknown", grown("peakMemory", "more"), "not counted in the base"],
  ])("%s is %s", ([text, state, parts, reason = ""]) => {
    expect(judged(text, orders(parts)).thresholds).toMatchObject([{ state, reason }]);
  });
});

test("overall is a mean over all requests, and the most memory", () => {
  const rows = [
    orders({ headRate: 3_000, ...sql(60_000, { peakMemoryBytes: 50e6 }) }),
    orders({ headRate: 1_000, ...sql(60_000, { peakMemoryBytes: 90e6 }) }, "/b"),
  ];
  expect(judged("overall: sql_per_request<=3", ...rows).thresholds).toMatchObject([
    { state: "kept", value: 3 },
  ]);
  expect(judged("overall: peak_memory_mb<=80", ...rows).thresholds).toMatchObject([
    { state: "broken", value: 90 },
  ]);
  expect(judged("overall: sql_per_request<=3", ...rows, orders({}, "/c")).thresholds).toMatchObject([
    { state: "unknown", reason: "not counted" },
  ]);
});

test("what was not measured is not judged", () => {
  const failed = row({ cell: cell(), status: "failed", arms: {}, versus: undefined });
  expect(judged("sql_per_request<=5", failed).thresholds).toMatchObject([
    { state: "unknown", reason: "not measured" },
  ]);
});

describe("statements that diagnosis saw", () => {
  const amount = { count: 1_900, totalMs: 950, longestMs: 9 };
  const repeated = { ...amount, place: line, text: "SELECT name FROM items WHERE id = ?" };
  const seen = (...statements: Seen["statements"]): Seen =>
    seenSchema.parse({
      requests: 100,
      partsMs: Object.fromEntries(partNames.map((name) => [name, 1])),
      stalls: [],
      statements,
    });
  const diagnosed = (...statements: Seen["statements"]): Parts => ({
    diagnosis: { head: armDiagnosis([], [], seen(...statements)) },
    versus: versus({ verdict: { kind: "slower" }, effects: { throughput: effect(-0.3, 0.01) } }),
  });
  const { place: _, ...elsewhere } = { ...repeated, count: 100, text: "BEGIN `x`" };

  test("count where no database does: those of MySQL and SQLite", () => {
    const comparison = judged("sql_per_request<=5", orders(diagnosed(elsewhere, repeated)));
    expect(comparison.thresholds).toMatchObject([
      { state: "broken", value: 20, statement: { perRequest: 19 } },
    ]);
    expect(renderComment(comparison, { marker: "" })).toContain(
      "20, most often `SELECT name FROM items WHERE id = ?` at `app/orders.py:37` (19 times)",
    );
  });

  test("have no line where nobody knows it", () => {
    expect(
      renderComment(judged("sql_per_request<1", orders(diagnosed(elsewhere))), { marker: "" }),
    ).toContain("1, most often `BEGIN 'x'` (once)");
  });

  test("are no count where some may be missing", () => {
    const ten = Array.from({ length: 10 }, (_, index) => ({ ...repeated, text: `SELECT ${index}` }));
    expect(judged("sql_per_request<=5", orders(diagnosed(...ten))).thresholds).toMatchObject([
      { state: "unknown", reason: "not counted" },
    ]);
    expect(judged("sql_per_request<=5", orders(diagnosed())).thresholds).toMatchObject([
      { state: "unknown" },
    ]);
  });
});
