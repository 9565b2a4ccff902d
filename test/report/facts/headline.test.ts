import { expect, test } from "vitest";

import type { Comparison, Row } from "../../../src/compare/comparison.ts";
import { plainText } from "../../../src/report/document/inline.ts";
import { headline, titleOf } from "../../../src/report/facts/headline.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparedOf, design, effect, loneArm, mixed, row, versus } from "../compared.ts";

const at = (path: string, workers = 1) => cell({ path, workers });
const unchanged = (path: string, workers = 1) => row({ cell: at(path, workers) });
const judged = (path: string, kind: "slower" | "faster" | "inconclusive" | "invalid", isSmall = false) =>
  row({
    cell: at(path),
    versus: versus({ verdict: { kind, isSmall }, effects: { throughput: effect(-0.1, 0.01) } }),
  });
const aged = (of: Row): Row => ({
  ...of,
  aging: {
    ...{ seconds: 60, cells: 1, kind: "slower", memoryGrowth: undefined, isMemoryGrowing: false },
    ...{ effect: effect(-0.2, 0.05), beyond: effect(-0.2, 0.05), longestMs: { base: 1, head: 1 } },
  },
});
const control = { design: design({ kind: "control" }) };
const noisy = row({ cell: at("/b"), versus: versus({ finestChange: 0.0071 }) });
const blind = row({
  cell: at("/a"),
  versus: versus({
    verdict: { kind: "inconclusive" },
    effects: { throughput: { value: 0, interval: undefined } },
    finestChange: undefined,
  }),
});
const open = (path: string, minutesToSettle: number): Row =>
  row({ cell: at(path), versus: versus({ verdict: { kind: "inconclusive", minutesToSettle } }) });

test.for<readonly [comparison: Comparison, expected: string]>([
  [
    mixed(),
    "1 endpoint got slower (/users/{id}, −9.8%); 2 could not be compared; 1 got faster; 1 is new; 1 was removed",
  ],
  [
    comparedOf([unchanged("/a"), unchanged("/a", 2)]),
    "No endpoint got slower – 1 compared, no change above 3%",
  ],
  [comparedOf([unchanged("/a")], { design: undefined }), "No endpoint got slower – 1 compared"],
  [comparedOf([judged("/a", "slower")]), "1 endpoint got slower (/a, −10%)"],
  [
    comparedOf([judged("/a", "slower"), judged("/b", "slower"), unchanged("/c")]),
    "2 of 3 endpoints got slower (worst: /a, −10%)",
  ],
  [
    comparedOf([judged("/a", "slower"), judged("/b", "faster")]),
    "1 of 2 endpoints got slower (/a, −10%); 1 got faster",
  ],
  [
    comparedOf([aged(judged("/a", "faster")), judged("/b", "faster")]),
    "2 endpoints got faster, but 1 slows down over time",
  ],
  [
    comparedOf([aged(judged("/a", "faster")), unchanged("/b")]),
    "1 of 2 endpoints got faster, but slows down over time",
  ],
  [
    comparedOf([aged(judged("/a", "faster")), aged(judged("/b", "faster"))]),
    "2 endpoints got faster, but slow down over time",
  ],
  [comparedOf([judged("/a", "slower", true), unchanged("/b")]), "1 of 2 endpoints got slightly slower"],
  [comparedOf([judged("/a", "faster"), judged("/b", "faster")]), "2 endpoints got faster"],
  [comparedOf([judged("/a", "faster", true), unchanged("/b")]), "1 of 2 endpoints got slightly faster"],
  [comparedOf([judged("/a", "invalid"), unchanged("/b")]), "1 of 2 endpoints could not be compared"],
  [comparedOf([judged("/a", "inconclusive"), unchanged("/b")]), "1 of 2 endpoints is inconclusive"],
  [
    comparedOf([open("/a", 1.2), open("/b", 2.4)]),
    "2 endpoints are inconclusive – about 4 more minutes should settle them: set max-minutes to 24",
  ],
  [
    comparedOf([
      { ...open("/a", 1), cell: cell({ path: "/a", app: "shop" }) },
      { ...open("/a", 1), cell: cell({ path: "/a", app: "till" }) },
    ]),
    "2 endpoints are inconclusive",
  ],
  [comparedOf([open("/a", 1.2), open("/b", Number.POSITIVE_INFINITY)]), "2 endpoints are inconclusive"],
  [
    comparedOf([
      unchanged("/a"),
      row({ cell: at("/b"), loneArm: loneArm("no base") }),
      row({ cell: at("/c"), versus: undefined }),
      { ...unchanged("/d"), status: "missing", arms: {}, versus: undefined },
      { ...unchanged("/e"), status: "not reached", arms: {}, versus: undefined },
      { ...unchanged("/f"), status: "cancelled" },
      { ...unchanged("/g"), status: "invalid", arms: {}, versus: undefined },
    ]),
    "5 of 7 endpoints could not be compared; 1 not affected by this change",
  ],
  [
    comparedOf([{ ...unchanged("/e"), status: "not reached", arms: {}, versus: undefined }]),
    "Nothing measured – no trial request ran the changed code",
  ],
  [
    comparedOf(
      ["/e", "/f"].map((path) => ({
        ...unchanged(path),
        status: "not reached",
        arms: {},
        versus: undefined,
      })),
    ),
    "Nothing measured – no trial request ran the changed code",
  ],
  [comparedOf([row({ cell: at("/a"), loneArm: loneArm("added") })]), "Nothing to compare; 1 endpoint is new"],
  [
    comparedOf([row({ cell: at("/a"), arm: { statuses: { "200": 9_000, "503": 1_000 } } })]),
    "No endpoint got slower – 1 compared, no change above 3%; 1 has failed requests",
  ],
  [comparedOf([row({ cell: at("/a"), loneArm: loneArm("no base") })]), "1 cell measured"],
  [
    comparedOf([unchanged("/a"), noisy], control),
    "A/A control (the same code twice): No endpoint got slower – 2 compared, no change above 3%; with all replicates, the smallest detectable change would be ±0.7%",
  ],
  [comparedOf([blind], control), "A/A control (the same code twice): 1 endpoint is inconclusive"],
])("case %#: %s", ([comparison, expected]) => {
  expect(plainText(headline(comparison))).toBe(expected);
});

test("a sentence about the pull request is a title by itself, anything else needs a name", () => {
  expect(plainText(titleOf(comparedOf([judged("/a", "slower")])))).toBe("1 endpoint got slower (/a, −10%)");
  expect(plainText(titleOf(comparedOf([blind], control)))).toMatch(/^Load test – A\/A control/);
  expect(plainText(titleOf(comparedOf([row({ cell: at("/a"), loneArm: loneArm("no base") })])))).toBe(
    "Load test – 1 cell measured",
  );
});
