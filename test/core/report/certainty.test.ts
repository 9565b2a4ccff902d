import { expect, test } from "vitest";

import type { Comparison } from "../../../src/core/comparison/comparison.ts";
import { certaintyOf } from "../../../src/core/report/certainty.ts";
import { cell, environment } from "../../fixtures/measurement.ts";
import { commits, comparedOf, design, loneArm, row, versus } from "./compared.ts";
import { grid } from "./example.ts";

const at = cell();
const named = "Compared: base `abc1234567`, head `0123456789`.";
const effects = (confidence: string, smallest = "; `unchanged` means no change larger than 3 %") =>
  `Effects are head against base in throughput at saturation, with ${confidence} % intervals that hold over all looks and all cells${smallest}.`;

test.for<readonly [comparison: Comparison, expected: string]>([
  [
    comparedOf([row({ cell: at })]),
    `${effects("99")} 8 replicates (fresh servers) of each arm on one machine, slices alternating. ${named}`,
  ],
  [
    comparedOf(
      [
        row({ cell: at, versus: versus({ replicates: 5, confidence: 0.995 }) }),
        row({ cell: at, versus: versus({ replicates: 12 }), environment: environment({ cores: 2 }) }),
      ],
      { design: design({ smallestEffect: 0.05 }), commits: { head: commits.head } },
    ),
    `${effects("99 to 99.5", "; `unchanged` means no change larger than 5 %")} 5 to 12 replicates (fresh servers) of each arm on the same machine, slices alternating. Compared: head \`0123456789\`.`,
  ],
  [
    comparedOf([row({ cell: at, versus: versus({ replicates: 1 }) })], { design: undefined, commits: {} }),
    `${effects("99", "")} 1 replicate (fresh server) of each arm on one machine, slices alternating.`,
  ],
  [comparedOf([row({ cell: at, loneArm: loneArm("added") })]), named],
  [comparedOf([row({ cell: at, loneArm: loneArm("no base") })]), ""],
  [grid(1), ""],
])("case %#: %s", ([comparison, expected]) => {
  expect(certaintyOf(comparison)).toBe(expected);
});
