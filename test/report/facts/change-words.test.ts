import { expect, test } from "vitest";
import type { Verdict } from "../../../src/compare/comparison.ts";
import type { LatencyChange } from "../../../src/compare/latency-change.ts";
import type { FailOn } from "../../../src/model/choices.ts";
import { plainText } from "../../../src/report/document/inline.ts";
import { percentileText, verdictWords } from "../../../src/report/facts/change-words.ts";
import { headline } from "../../../src/report/facts/headline.ts";
import { exitStatusOf, outcomeOf } from "../../../src/report/facts/outcome.ts";
import { reasonsOf } from "../../../src/report/facts/reasons.ts";
import { figuresOf } from "../../../src/report/figures/figures.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparedAs, comparedOf, design, effect, latencyChange, row, versus } from "../compared.ts";

const rowWith = (latency: readonly LatencyChange[], verdict: Partial<Verdict> = {}) =>
  row({ cell: cell(), versus: versus({ latency, verdict }) });
const check = (failOn: FailOn) => ({ failOn, maxSlowdown: 0.05 });
const p50 = latencyChange({ share: 0.5, effect: effect(0.3, 0.05) });
const perhaps = latencyChange({ effect: effect(0.3, 0.15) });
const told = "Latency at saturation changed: p99 from 10.6 to 15.5 ms (+46% ± 15).";

test.for<
  readonly [name: string, latency: readonly LatencyChange[], failOn: FailOn, text: string | undefined]
>([
  ["nothing found", [latencyChange({ kind: "none" })], "latency", undefined],
  ["longer", [latencyChange()], "regression", told],
  [
    "two of them",
    [p50, latencyChange()],
    "regression",
    "Latency at saturation changed: p50 from 10.6 to 15.5 ms (+30% ± 5), p99 from 10.6 to 15.5 ms (+46% ± 15).",
  ],
  [
    "shorter",
    [latencyChange({ kind: "shorter", effect: effect(-0.3, 0.1) })],
    "latency",
    "Latency at saturation changed: p99 from 10.6 to 15.5 ms (−30% ± 10).",
  ],
  [
    "longer, and that fails the check",
    [latencyChange()],
    "latency",
    `${told} The check fails because a percentile is at least 20% higher.`,
  ],
  [
    "longer, and that may fail the check",
    [perhaps],
    "latency",
    "Latency at saturation changed: p99 from 10.6 to 15.5 ms (+30% ± 15). A percentile may be at least 20% higher, which would fail the check.",
  ],
])("%s", ([, latency, failOn, text]) => {
  const { shown } = reasonsOf(comparedOf([rowWith(latency)], { check: check(failOn) }));
  expect(shown.map((each) => each.text || each.detail)).toEqual(text === undefined ? [] : [text]);
});

test("a control fails nothing, and does not say so", () => {
  const control = comparedOf([rowWith([latencyChange()])], {
    check: check("latency"),
    design: design({ kind: "control" }),
  });
  expect(exitStatusOf(control)).toBe(0);
  expect(reasonsOf(control).shown.map(({ text }) => text)).toEqual([told]);
});

test.for([
  { latency: [latencyChange()], failOn: "latency", expected: 1 },
  { latency: [perhaps], failOn: "latency", expected: 0 },
  { latency: [latencyChange({ kind: "shorter" })], failOn: "latency", expected: 0 },
  { latency: [latencyChange()], failOn: "regression", expected: 0 },
  { latency: [latencyChange()], failOn: "never", expected: 0 },
] as const)("exit status of case %#", ({ latency, failOn, expected }) => {
  expect(exitStatusOf(comparedOf([rowWith(latency)], { check: check(failOn) }))).toBe(expected);
});

test("the limit is the design's", () => {
  const comparison = comparedOf([rowWith([latencyChange()])], {
    check: check("latency"),
    design: design({ minLatencyChange: 0.4 }),
  });
  expect(exitStatusOf(comparison)).toBe(0);
  expect(exitStatusOf(comparedAs(comparison, { design: undefined }))).toBe(1);
  expect(reasonsOf(comparison).shown[0]?.text).toContain("may be at least 40% higher");
  expect(reasonsOf(comparedAs(comparison, { design: undefined })).shown[0]?.text).toContain(
    "at least 20% higher",
  );
});

test("an unchanged throughput with a longer latency is no quiet row", () => {
  const comparison = comparedOf([rowWith([latencyChange(), p50]), rowWith([])]);
  const [longer, quiet] = comparison.rows;
  if (longer === undefined || quiet === undefined) throw new Error("there are two rows");
  expect([longer, quiet].map(verdictWords)).toEqual(["unchanged, higher p99, p50", "unchanged"]);
  expect([longer, quiet].map(({ tone }) => tone)).toEqual(["doubt", "plain"]);
  expect(outcomeOf(comparison)).toBe("slower");
  expect(plainText(headline(comparison))).toBe("1 endpoint has higher latency");
  expect(figuresOf(comparison).cells.map(({ longerLatencies }) => longerLatencies)).toEqual([
    ["p99", "p50"],
    [],
  ]);
});

test("latencies that are longer because throughput is less are no news", () => {
  const slower = rowWith([latencyChange()], { kind: "slower" });
  expect(verdictWords(slower)).toBe("slower");
  expect(verdictWords(rowWith([latencyChange()], { kind: "slower", isSmall: true }))).toBe(
    "slower, small, higher p99",
  );
  expect(plainText(headline(comparedOf([slower])))).toMatch(/^1 endpoint got slower/);
});

test.for([
  { latency: [], expected: undefined },
  { latency: [latencyChange()], expected: "10.6 → 15.5 (+46% ± 15)" },
  {
    latency: [latencyChange({ effect: { value: 0.46, interval: undefined } })],
    expected: "10.6 → 15.5",
  },
  {
    latency: [latencyChange({ kind: "unresolved", requests: 240 })],
    expected: "unknown with 240 requests (10.1 to 11.0 → 15.0 or more)",
  },
])("in a table: $expected", ({ latency, expected }) => {
  expect(percentileText(rowWith(latency), 0.99)).toBe(expected);
});
