import { describe, expect, test } from "vitest";

import type { Comparison, Row, Verdict } from "../../../src/compare/comparison.ts";
import type { FailOn } from "../../../src/model/choices.ts";
import { exitStatusOf, outcomeOf } from "../../../src/report/facts/outcome.ts";
import { cell, measurement } from "../../fixtures/measurement.ts";
import { changed, comparedAs, comparedOf, design, effect, loneArm, row, versus } from "../compared.ts";
import { comparisonOf, grid, partlyMeasured } from "../example.ts";

const at = cell();
const judged = (kind: Verdict["kind"], change = 0, isSmall = false): Row =>
  row({
    cell: at,
    versus: versus({ verdict: { kind, isSmall }, effects: { throughput: effect(change, 0.01) } }),
  });
const slower = judged("slower", -0.041);
const perhapsMuchSlower = judged("slower", -0.055);
const muchSlower = judged("slower", -0.061);
/** Slower by its stalls: the usual slice says nothing. */
const stalling = (change: number) =>
  row({
    cell: at,
    versus: versus({
      verdict: { kind: "slower", isByStalls: true },
      effects: { throughput: effect(0, 0.01), totalThroughput: effect(change, 0.05) },
    }),
  });
/** Slower beyond doubt by this at least; `seen` is what the figures show. */
const bent = (least: number, seen: number) =>
  row({
    cell: at,
    versus: versus({
      verdict: { kind: "slower" },
      effects: { throughput: { value: -seen, interval: { low: -1, high: -least } } },
      gates: [{ name: "steal", isMet: false, evidence: "" }],
    }),
  });
const slowerSmall = judged("slower", -0.02, true);
const faster = judged("faster", 0.1);
const fasterSmall = judged("faster", 0.02, true);
const unchanged = judged("unchanged");
const inconclusive = judged("inconclusive", -0.2);
const invalid = judged("invalid", -0.2);
/** Whose slices had both arms never. */
const unpaired = (baseRate: number, headRate: number): Row =>
  row({
    cell: at,
    baseRate,
    headRate,
    versus: versus({
      verdict: { kind: "invalid" },
      effects: { throughput: { value: Number.NaN, interval: undefined } },
    }),
  });
const added = row({ cell: at, loneArm: loneArm("added") });
const removed = row({ cell: at, loneArm: loneArm("removed") });
const noBase = row({ cell: at, loneArm: loneArm("no base") });
const notCompared = row({ cell: at, versus: undefined });
const notReached = changed(notCompared, { status: "not reached", arms: {} });
const missing = changed(unchanged, { status: "missing", arms: {}, versus: undefined });
const failedAfterwards = changed(muchSlower, { status: "failed" });

describe("the outcome", () => {
  test.for<readonly [name: string, comparison: Comparison, expected: string]>([
    ["one arm", grid(2), "complete"],
    ["one arm, some failed", partlyMeasured(), "incomplete"],
    ["no request counted", comparisonOf([cell()], [measurement({ replicates: [] })]), "incomplete"],
    ["no base at all", comparedOf([noBase, noBase]), "complete"],
    ["not reached only", comparedOf([notReached, notReached]), "not reached"],
    ["not reached beside unchanged", comparedOf([unchanged, notReached]), "unchanged"],
    ["not reached beside new", comparedOf([added, notReached]), "complete"],
    ["new and removed only", comparedOf([added, removed]), "complete"],
    ["missing beside slower", comparedOf([slower, missing]), "incomplete"],
    ["slower beside everything", comparedOf([faster, invalid, inconclusive, slower, noBase]), "slower"],
    ["inconclusive", comparedOf([faster, inconclusive]), "inconclusive"],
    ["invalid", comparedOf([unchanged, invalid]), "inconclusive"],
    ["no base for some", comparedOf([unchanged, noBase]), "inconclusive"],
    ["not compared although wanted", comparedOf([unchanged, notCompared]), "inconclusive"],
    ["not compared and not wanted", comparedOf([unchanged, notCompared], { design: undefined }), "unchanged"],
    ["faster", comparedOf([unchanged, faster, slowerSmall, added]), "faster"],
    ["small changes", comparedOf([slowerSmall, fasterSmall, removed]), "unchanged"],
    ["unchanged", comparedOf([unchanged]), "unchanged"],
  ])("of %s", ([, comparison, expected]) => {
    expect(outcomeOf(comparison)).toBe(expected);
  });
});

describe("the exit status", () => {
  test.for<readonly [rows: string, comparison: Comparison, failOn: FailOn, expected: number]>([
    ["slower by 3.1 to 5.1%", comparedOf([unchanged, slower]), "slower", 1],
    ["slower by 2.5 to 4.5%", comparedOf([judged("slower", -0.035)]), "slower", 0],
    ["slower by 3.1 to 5.1%", comparedOf([unchanged, slower]), "regression", 0],
    ["slower by 4.5 to 6.5%", comparedOf([unchanged, perhapsMuchSlower]), "regression", 0],
    ["slower by 5.1 to 7.1%", comparedOf([unchanged, muchSlower]), "regression", 1],
    ["slower by 5.1 to 7.1%", comparedOf([unchanged, muchSlower]), "never", 0],
    ["slower by its stalls, 7 to 17%", comparedOf([stalling(-0.12)]), "regression", 1],
    ["slower by its stalls, 4 to 14%", comparedOf([stalling(-0.09)]), "regression", 0],
    ["slower by 37% at least", comparedOf([bent(0.37, 0.6)]), "regression", 1],
    ["slower by 4% at least, seen 30% slower", comparedOf([bent(0.04, 0.3)]), "regression", 1],
    ["slower by 3% at least, seen 4% slower", comparedOf([bent(0.03, 0.04)]), "regression", 0],
    ["slower by 3% at least, seen 4% slower", comparedOf([bent(0.03, 0.04)]), "invalid", 0],
    ["slower, small", comparedOf([slowerSmall]), "slower", 0],
    ["inconclusive", comparedOf([inconclusive]), "slower", 0],
    ["invalid, seen 20% slower", comparedOf([unchanged, invalid]), "regression", 1],
    ["invalid, seen 20% slower", comparedOf([unchanged, invalid]), "never", 0],
    ["invalid, seen 4% slower", comparedOf([judged("invalid", -0.04)]), "regression", 0],
    ["invalid, seen 4% slower", comparedOf([judged("invalid", -0.04)]), "slower", 1],
    ["invalid, seen 2% slower", comparedOf([judged("invalid", -0.02)]), "slower", 0],
    ["invalid, seen faster", comparedOf([judged("invalid", 0.3)]), "regression", 0],
    ["invalid, seen faster", comparedOf([judged("invalid", 0.3)]), "invalid", 1],
    ["slower by 3.1 to 5.1%", comparedOf([slower]), "invalid", 0],
    ["slower by 5.1 to 7.1%", comparedOf([muchSlower]), "invalid", 1],
    ["invalid without a pair of slices, at half the rate", comparedOf([unpaired(100, 50)]), "regression", 1],
    ["invalid without a pair of slices, at the same rate", comparedOf([unpaired(100, 100)]), "regression", 0],
    ["invalid, a control", comparedOf([invalid], { design: design({ kind: "control" }) }), "invalid", 0],
    ["faster", comparedOf([faster]), "slower", 0],
    ["no base", comparedOf([noBase]), "slower", 0],
    ["new and removed", comparedOf([added, removed]), "slower", 0],
    ["not reached", comparedOf([notReached]), "slower", 0],
    ["missing beside slower", comparedOf([muchSlower, missing]), "slower", 3],
    ["failed with a verdict", comparedOf([failedAfterwards]), "never", 3],
    ["a control", comparedOf([muchSlower], { design: design({ kind: "control" }) }), "slower", 0],
    ["one arm", grid(1), "slower", 0],
  ])("case %#: of %s", ([, comparison, failOn, expected]) => {
    expect(exitStatusOf(comparedAs(comparison, { check: { failOn, maxSlowdown: 0.05 } }))).toBe(expected);
  });
});
