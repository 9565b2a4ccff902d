import { expect, test } from "vitest";

import type { Comparison } from "../../../src/compare/comparison.ts";
import { headline } from "../../../src/report/facts/headline.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparedOf, design, loneArm, mixed, row, versus } from "../compared.ts";

const at = cell();
const unchanged = row({ cell: at });
const control = { design: design({ kind: "control" }) };
const noisy = row({ cell: at, versus: versus({ noise: { spread: 0.012, finest: 0.0071 } }) });
const invalid = row({
  cell: at,
  versus: versus({ verdict: { kind: "invalid" }, noise: { spread: 0.5, finest: 0.3 } }),
});
const blind = row({
  cell: at,
  versus: versus({
    verdict: { kind: "inconclusive" },
    effects: { throughput: { value: 0, interval: undefined } },
    noise: undefined,
  }),
});

test.for<readonly [comparison: Comparison, expected: string]>([
  [
    mixed(),
    "2 slower (1 small), 1 faster, 1 unchanged, 1 inconclusive, 1 invalid, 1 failed, 1 new, 1 removed",
  ],
  [comparedOf([unchanged, unchanged]), "0 slower, 0 faster, 2 unchanged, 0 inconclusive"],
  [
    comparedOf([
      unchanged,
      row({ cell: at, loneArm: loneArm("no base") }),
      row({ cell: at, versus: undefined }),
      { ...unchanged, status: "missing", arms: {}, versus: undefined },
      { ...unchanged, status: "not reached", arms: {}, versus: undefined },
      { ...unchanged, status: "cancelled" },
      { ...unchanged, status: "invalid", arms: {}, versus: undefined },
    ]),
    "0 slower, 0 faster, 1 unchanged, 0 inconclusive, 1 invalid, 1 cancelled, 1 missing, 1 not reached, 1 no base, 1 not compared",
  ],
  [
    comparedOf([row({ cell: at, arm: { statuses: { "200": 9_000, "503": 1_000 } } })]),
    "0 slower, 0 faster, 1 unchanged, 0 inconclusive, 1 with failed requests",
  ],
  [comparedOf([row({ cell: at, loneArm: loneArm("no base") })]), "1 cell measured"],
  [
    comparedOf([unchanged, noisy, invalid], control),
    "A/A control: both arms are the same code; 0 slower, 0 faster, 2 unchanged, 0 inconclusive, 1 invalid; noise: two fresh servers differ by ± 1.2 % (standard deviation), so changes within ± 0.7 % cannot be told from none",
  ],
  [
    comparedOf([blind], control),
    "A/A control: both arms are the same code; 0 slower, 0 faster, 0 unchanged, 1 inconclusive",
  ],
])("case %#: %s", ([comparison, expected]) => {
  expect(headline(comparison)).toBe(expected);
});
