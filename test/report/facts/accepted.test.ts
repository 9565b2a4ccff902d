import { describe, expect, test } from "vitest";

import type { Comparison } from "../../../src/compare/comparison.ts";
import type { Threshold } from "../../../src/model/thresholds/threshold.ts";
import { acceptedRows, exitStatusOf } from "../../../src/report/facts/outcome.ts";
import { cell } from "../../fixtures/measurement.ts";
import { comparedAs, comparedOf, design, effect, row, versus } from "../compared.ts";
import { checkRunOf, renderComment, renderHtml, renderJunit, renderTerminalTable } from "../forms.ts";

const slower = (path: string, workers = 1) =>
  row({
    cell: cell({ path, workers }),
    versus: versus({ verdict: { kind: "slower" }, effects: { throughput: effect(-0.3, 0.02) } }),
  });
const orders = {
  endpoint: "/orders",
  by: "ana",
  reason: "new validation, `see` #12 @octo",
  url: "https://github.com/octo/app/pull/7#issuecomment-12",
  remark: "c12",
};
const accepted = comparedOf([slower("/orders")], { accepted: [orders] });
const rest = (threshold: Threshold): Partial<Comparison> => ({
  check: { failOn: "regression", maxSlowdown: 0.05, thresholds: [threshold] },
});

test("fails nothing, and turns the check neutral", () => {
  expect(exitStatusOf(comparedOf([slower("/orders")]))).toBe(1);
  expect(exitStatusOf(accepted)).toBe(0);
  const run = checkRunOf("Load test", accepted, {});
  expect([run.conclusion, run.title]).toEqual(["neutral", expect.stringMatching(/\); accepted by ana$/)]);
});

test.for<readonly [what: string, by: readonly string[], others: readonly string[], end: RegExp]>([
  ["one of two endpoints", ["ana"], ["/price"], /; 1 accepted by ana$/],
  ["by two maintainers", ["ana", "bo"], [], /; accepted$/],
])("the headline of what was accepted: %s", ([, by, others, end]) => {
  const paths = ["/orders", "/tax"].slice(0, by.length);
  const comparison = comparedOf(
    [...paths, ...others].map((path) => slower(path)),
    {
      accepted: paths.map((endpoint, index) => ({ ...orders, endpoint, by: by[index] ?? "" })),
    },
  );
  expect(checkRunOf("Load test", comparison, {}).title).toMatch(end);
});

describe("everything else fails all the same", () => {
  const slowerByTen: Threshold = { condition: { slowerBy: 0.1 } };
  const fast: Threshold = {
    condition: {
      metric: "http_req_duration",
      aggregation: "p",
      percentile: 95,
      operator: "<",
      bound: 1,
    },
  };
  test.for<[string, Comparison, number]>([
    ["another endpoint", comparedOf([slower("/orders"), slower("/price")], { accepted: [orders] }), 1],
    [
      "another worker count",
      comparedOf([slower("/orders"), slower("/orders", 2)], { accepted: [{ ...orders, workers: 1 }] }),
      1,
    ],
    [
      "a bound on the slow-down itself is accepted with it",
      comparedAs(accepted, { ...rest(slowerByTen) }),
      0,
    ],
    [
      "that bound for another endpoint",
      comparedAs(comparedOf([slower("/orders"), slower("/price")], { accepted: [orders] }), {
        ...rest(slowerByTen),
      }),
      1,
    ],
    ["a bound on a figure", comparedAs(accepted, { ...rest(fast) }), 1],
    [
      "a cell without figures",
      comparedOf([...accepted.rows, { ...slower("/x"), status: "missing", versus: undefined, arms: {} }], {
        accepted: [orders],
      }),
      3,
    ],
  ])("%s", ([, comparison, expected]) => {
    expect(exitStatusOf(comparison)).toBe(expected);
  });
});

test("is not told of what would fail nothing", () => {
  const unchanged = comparedOf([row({ cell: cell({ path: "/orders" }) })], { accepted: [orders] });
  expect(acceptedRows(unchanged)).toEqual([]);
  expect(acceptedRows(comparedAs(accepted, { design: design({ kind: "control" }) }))).toEqual([]);
});

describe("says who and why", () => {
  const where = "https://github.com/octo/app/pull/7#issuecomment-12";
  test("in the comment, without a mention or a link of the reason's own", () => {
    expect(renderComment(accepted, { marker: "" })).toContain(
      `Accepted: \`/orders\`, 1 worker, by [ana](${where}): new validation, \`see\` \`#12 @octo\``,
    );
  });
  test("on the page, in the terminal and in JUnit", () => {
    expect(renderHtml(accepted)).toContain(`by <a href="${where}">ana</a>: new validation`);
    expect(renderTerminalTable(accepted, { width: undefined, colour: false })).toContain(
      "Accepted: /orders, 1 worker, by ana: new validation",
    );
    expect(renderJunit(accepted)).toContain('<skipped message="accepted by ana: new validation');
  });
  test.for(["javascript:alert(1)", "https://x/#a#b", "https://x/#a(b)", ""])(
    "without a link to %j",
    (url) => {
      const comment = renderComment(comparedAs(accepted, { accepted: [{ ...orders, url }] }), { marker: "" });
      expect(comment).toContain("by `ana`: new validation");
    },
  );
});
