import { expect, test } from "vitest";
import type { Comparison } from "../../src/compare/comparison.ts";
import {
  badgeOf,
  emptyMark,
  historyEntry,
  historyLineSchema,
  historyLines,
  parseHistoryLine,
  parseHistoryMark,
} from "../../src/history/history-line.ts";
import { cell, measurement } from "../fixtures/measurement.ts";
import { comparedAs, comparedOf, effect, row, versus } from "../report/compared.ts";
import { comparisonOf, grid, partlyMeasured } from "../report/example.ts";

const run = { commit: "a".repeat(40), runId: 70, runNumber: 7, attempt: 2 };
const ofRun = (runId: number, attempt = 1) => ({ runId, attempt });
const one = comparisonOf([cell()], [measurement()]);

test("a line has the cell's figures with their units, and the machine", () => {
  const [line] = historyLines(one, "default", run);
  expect(line).toMatchInlineSnapshot(`
    {
      "accepted": null,
      "app": null,
      "cell": "get-health-w1-b90922bc",
      "commit": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "cpuPerRequestMs": 0.9,
      "endpoint": "/health",
      "failures": 0,
      "machine": {
        "cores": 4,
        "cpuModel": "AMD EPYC 7763 64-Core Processor",
        "fingerprint": "77846291",
      },
      "p50Ms": 6.99366,
      "p95Ms": 14.9545,
      "p99Ms": 31.0319,
      "report": "default",
      "requests": 10000,
      "runId": 70,
      "runNumber": 7,
      "schemaVersion": 1,
      "startedAt": "2026-11-21T04:00:00.000Z",
      "statementsPerRequest": null,
      "throughputHighRequestsPerSecond": 1010.66,
      "throughputLowRequestsPerSecond": 989.336,
      "throughputRequestsPerSecond": 1000,
      "workers": 1,
    }
  `);
  expect(historyLineSchema.parse(JSON.parse(JSON.stringify(line)))).toEqual(line);
});

test("a line names its app where the report has several", () => {
  const named = cell({ app: "shop/api" });
  const lines = historyLines(comparisonOf([named], [measurement({ cell: named })]), "default", run);
  expect(lines.map(({ app }) => app)).toEqual(["shop/api"]);
});

test("a line names who accepted the slow-down that came with its commit", () => {
  const accepted = {
    endpoint: "/health",
    by: "ana",
    reason: "x".repeat(400),
    url: "https://x/#1",
    remark: "c1",
  };
  const [line] = historyLines(comparedAs(one, { accepted: [accepted] }), "default", run);
  expect(line?.accepted).toEqual({ by: "ana", reason: `${"x".repeat(299)}…`, url: "https://x/#1" });
  expect(parseHistoryLine(JSON.stringify(line))).toEqual(line);
});

const [written] = historyLines(one, "default", run);
test.for([
  ["a later version", { ...written, schemaVersion: 2 }],
  ["another form", { ...written, app: undefined }],
])("a line of %s is none of ours", ([, line]) => {
  expect(parseHistoryLine(JSON.stringify(line))).toBeUndefined();
});

test.for(["", "{", "null", "[]"])("%j is no line", (text) => {
  expect(parseHistoryLine(text)).toBeUndefined();
});

test("cells without figures have no line, and a report without any no entry", () => {
  const { rows } = partlyMeasured();
  const measured = rows.filter(({ status, arms }) => status === "measured" && arms.head !== undefined);
  expect(historyLines({ rows }, "default", run).map(({ cell: id }) => id)).toEqual(
    measured.map((each) => each.cell.id),
  );
  const none = { ...one, rows: [] };
  expect(historyEntry(none, "default", run, emptyMark)).toBeUndefined();
});

test("as many cells as a plan may have are kept, and long names are cut", () => {
  const [first] = one.rows;
  if (first === undefined) throw new Error("there is one row");
  const endpoint = { method: "GET", path: `/${"x".repeat(1_000)}` } as const;
  const lines = historyLines(
    { rows: Array.from({ length: 1_024 }, () => ({ ...first, cell: { ...first.cell, endpoint } })) },
    "default",
    run,
  );
  expect([lines.length, lines[0]?.endpoint.length]).toEqual([1_024, 300]);
});

test("a run puts its lines, its badge and the mark", () => {
  const entry = historyEntry(one, "default", run, {
    schemaVersion: 1,
    newest: { other: ofRun(90), default: ofRun(60) },
  });
  expect(entry?.message).toBe("Load test of aaaaaaaaaa, run 7");
  const { files = new Map<string, string>() } = entry ?? {};
  expect([...files.keys()]).toEqual([
    "loadtest-history.json",
    `cells/default/${run.commit}.jsonl`,
    "badges/default.json",
  ]);
  expect(parseHistoryMark(files.get("loadtest-history.json") ?? "")).toEqual({
    schemaVersion: 1,
    newest: { other: ofRun(90), default: ofRun(70, 2) },
  });
  expect(files.get(`cells/default/${run.commit}.jsonl`)?.split("\n")).toEqual([
    JSON.stringify(historyLines(one, "default", run)[0]),
    "",
  ]);
});

test.for([
  ["run", ofRun(71)],
  ["attempt", ofRun(70, 3)],
] as const)("an older %s that ends later leaves the badge", ([, newest]) => {
  const mark = { schemaVersion: 1, newest: { default: newest } } as const;
  const files = historyEntry(one, "default", run, mark)?.files;
  expect(files?.has("badges/default.json")).toBe(false);
  expect(parseHistoryMark(files?.get("loadtest-history.json") ?? "")).toEqual(mark);
});

test.for([
  ["..", "cells/%2e%2e/"],
  ["api v2.1", "cells/api%20v2%2e1/"],
  ["constructor", "cells/constructor/"],
  ["__proto__", "cells/%5f_proto__/"],
] as const)("the report %s has a folder of plain characters", ([reportId, folder]) => {
  const paths = [...(historyEntry(one, reportId, run, emptyMark)?.files.keys() ?? [])];
  expect(paths).toContain(`${folder}${run.commit}.jsonl`);
  // What any object has by itself is no newer run: the badge is put, and found again in the mark.
  expect(paths).toContain(`${folder.replace("cells", "badges").slice(0, -1)}.json`);
  const mark = parseHistoryMark(historyEntry(one, reportId, run, emptyMark)?.files.get(paths[0] ?? "") ?? "");
  expect(Object.values(mark?.newest ?? {})).toEqual([ofRun(70, 2)]);
});

test.for([
  ["no JSON", "{"],
  ["another file", '{"name":"app"}'],
  ["a later version", '{"schemaVersion":2,"newest":{}}'],
] as const)("a mark that is %s is none of ours", ([, text]) => {
  expect(parseHistoryMark(text)).toBeUndefined();
});

const judged = (kind: "slower" | "unchanged" | "inconclusive", change = 0) =>
  comparedOf([
    row({
      cell: cell(),
      versus: versus({ verdict: { kind, isSmall: false }, effects: { throughput: effect(change, 0.01) } }),
    }),
  ]);

test.for<readonly [what: string, comparison: Comparison, message: string, color: string]>([
  ["one cell", one, "1,000 req/s", "brightgreen"],
  ["several", grid(2), "up to 1,000 req/s", "brightgreen"],
  ["no cell at all", comparedAs(one, { rows: [] }), "complete", "brightgreen"],
  ["a cell without figures", partlyMeasured(), "incomplete", "red"],
  ["unchanged", judged("unchanged"), "unchanged", "brightgreen"],
  ["inconclusive", judged("inconclusive"), "inconclusive", "yellow"],
  ["slower by what is forbidden", judged("slower", -0.2), "slower", "red"],
])("the badge of %s", ([, comparison, message, color]) => {
  const check = { failOn: "regression", maxSlowdown: 0.05 } as const;
  expect(badgeOf(comparedAs(comparison, { check }))).toEqual({
    schemaVersion: 1,
    label: "load test",
    message,
    color,
  });
});

test("machines that are alike have one fingerprint, whatever the job's name, kernel and spare memory", () => {
  const [first] = one.rows;
  if (first?.environment === undefined) throw new Error("there is one row, with its machine");
  const { environment } = first;
  const hosted = { ...environment, runner: 'GitHub Actions runner "Hosted 1" (ubuntu24 20261101.1)' };
  const fingerprintOf = (changes: Partial<typeof environment>) =>
    historyLines({ rows: [{ ...first, environment: { ...hosted, ...changes } }] }, "default", run)[0]?.machine
      .fingerprint;
  const alike = {
    memoryBytes: hosted.memoryBytes + 4_096,
    kernel: "6.99",
    runner: 'GitHub Actions runner "Hosted 2" (ubuntu24 20261108.1)',
  };
  expect(fingerprintOf(alike)).toBe(fingerprintOf({}));
  const others = [
    { cpuModel: "another" },
    { cores: hosted.cores + 1 },
    { memoryBytes: hosted.memoryBytes * 2 },
    { platform: "another" },
    { runner: 'GitHub Actions runner "Hosted 1" (ubuntu22 20261101.1)' },
    { runner: "local" },
  ];
  const all = [{}, ...others].map(fingerprintOf);
  expect(new Set(all).size).toBe(all.length);
});
