import { expect, test } from "vitest";
import type { Comparison, Row } from "../../../src/compare/comparison.ts";
import { checkRunOfNothing } from "../../../src/report/forge/check-run.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparedAs, comparedOf, effect, loneArm, row, versus } from "../compared.ts";
import { grid, partlyMeasured } from "../example.ts";
import { checkRunOf } from "../forms.ts";

const slowerBy = (change: number): Row =>
  row({
    cell: cell(),
    versus: versus({
      verdict: { kind: "slower", isSmall: false },
      effects: { throughput: effect(-change, 0.01) },
    }),
  });
const judged = (kind: "unchanged" | "inconclusive" | "faster"): Row =>
  row({ cell: cell(), versus: versus({ verdict: { kind, isSmall: false } }) });

const baseless = comparedOf([row({ cell: cell(), loneArm: loneArm("no base") })]);

test.for<readonly [what: string, comparison: Comparison, conclusion: string, title: RegExp]>([
  ["nothing to compare with", grid(2), "success", /^2 cells measured$/],
  ["a base that could not be", baseless, "neutral", /^1 cell measured$/],
  ["unchanged", comparedOf([judged("unchanged")]), "success", /^No endpoint got slower/],
  ["faster", comparedOf([judged("faster")]), "success", /^1 endpoint got faster/],
  ["slower by what is allowed", comparedOf([slowerBy(0.04)]), "neutral", /^1 endpoint got slower/],
  ["no answer", comparedOf([judged("inconclusive")]), "neutral", /^1 endpoint is inconclusive/],
  ["slower by what is forbidden", comparedOf([slowerBy(0.2)]), "failure", /^1 endpoint got slower/],
  ["a cell without figures", partlyMeasured(), "failure", /cells measured: /],
])("of %s", ([, comparison, conclusion, title]) => {
  const check = { failOn: "regression", maxSlowdown: 0.05 } as const;
  const made = checkRunOf("Load test", comparedAs(comparison, { check }), {});
  expect(made).toMatchObject({ name: "Load test", conclusion, title: expect.stringMatching(title) });
  expect(made.summary.replaceAll("`", "")).toContain(made.title);
  expect(made.summary.length).toBeLessThanOrEqual(65_535);
});

test("of a run without a result", () => {
  expect(checkRunOfNothing("Load test", {})).toEqual({
    name: "Load test",
    conclusion: "failure",
    title: "No result",
    summary: expect.stringMatching(/^## Load test – no result/),
  });
});
