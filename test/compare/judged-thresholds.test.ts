import { describe, expect, test } from "vitest";

import type { Comparison } from "../../src/compare/comparison.ts";
import { parseThreshold } from "../../src/config/threshold-parser.ts";
import type { FailOn } from "../../src/model/choices.ts";
import { quantileMs } from "../../src/model/load/histogram.ts";
import { plainText } from "../../src/report/document/inline.ts";
import { headline } from "../../src/report/facts/headline.ts";
import { exitStatusOf } from "../../src/report/facts/outcome.ts";
import { figuresOf } from "../../src/report/figures/figures.ts";
import { cell } from "../fixtures/measurement.ts";
import { comparedAs, comparedOf, design, effect, loneArm, row, versus } from "../report/compared.ts";
import { grid } from "../report/example.ts";
import { renderComment, renderHtml, renderSummary, renderTerminalTable } from "../report/forms.ts";

function bound(comparison: Comparison, lines: readonly string[], failOn: FailOn = "regression"): Comparison {
  const thresholds = lines.map((line) => {
    const parsed = parseThreshold(line);
    if ("problem" in parsed) throw new Error(parsed.problem);
    return parsed.threshold;
  });
  return comparedAs(comparison, { check: { failOn, maxSlowdown: 0.05, thresholds } });
}

const states = (comparison: Comparison, ...lines: string[]) =>
  bound(comparison, lines).thresholds.map(({ state, reason }) => (reason === "" ? state : reason));

const one = grid(1);
const head = one.rows[0]?.arms.head;
if (head === undefined) throw new Error("the example is measured");

describe("a bound of the head", () => {
  const p95 = quantileMs(head.latency, 0.95) ?? 0;
  test.for<readonly [line: string, value: number]>([
    [`p(95)<=${p95}`, p95],
    ["min>0", quantileMs(head.latency, 0) ?? 0],
    ["med>0", head.latencyMs.p50],
    [`avg<=${head.latencyMs.mean + 1}`, head.latencyMs.mean],
    [`max==${head.latencyMs.max}`, head.latencyMs.max],
    ["rate<1", head.failures / head.requests],
    [`http_reqs: count>=${head.requests}`, head.requests],
    ["http_reqs: rate!=0", head.throughput.value],
    ["http_reqs: rate>0", head.throughput.value],
  ])("%s is kept, and the opposite broken", ([line, value]) => {
    const [kept] = bound(one, [line]).thresholds;
    expect(kept).toMatchObject({ state: "kept", endpoint: "/endpoints/0", workers: 1 });
    expect(kept?.value).toBeCloseTo(value, 9);
    const opposites = { "<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "==" } as const;
    const opposite = line.replace(/<=|>=|==|!=|<|>/, (found) =>
      found in opposites ? Reflect.get(opposites, found) : "",
    );
    expect(bound(one, [opposite]).thresholds).toMatchObject([{ state: "broken" }]);
  });

  test("is of each endpoint, of one, or of all together", () => {
    const four = grid(4);
    const places = bound(four, ["p(95)<1", "/endpoints/1: avg<1", "overall: http_reqs: count>1"]).thresholds;
    expect(places.map(({ endpoint, workers, value }) => [endpoint, workers, Math.round(value ?? 0)])).toEqual(
      [
        ...[0, 1].flatMap((index) =>
          [1, 2].map((workers) => [`/endpoints/${index}`, workers, expect.any(Number)]),
        ),
        ...[1, 2].map((workers) => ["/endpoints/1", workers, expect.any(Number)]),
        ...[1, 2].map((workers) => [undefined, workers, 2 * head.requests]),
      ],
    );
    const overall = bound(four, [
      "overall: avg<1e9".replace("1e9", "1000000000"),
      "overall: p(95)>0",
    ]).thresholds;
    expect(overall[0]?.value).toBeCloseTo(head.latencyMs.mean, 9);
    expect(overall[2]?.value).toBeCloseTo(p95, 9);
  });

  test("is neither kept nor broken where nothing was measured, but it is there", () => {
    const failed = row({ cell: cell(), status: "failed", arms: {}, versus: undefined });
    const removed = row({ cell: cell({ path: "/old" }), loneArm: loneArm("removed") });
    expect(states(comparedOf([failed]), "p(95)<1", "overall: p(95)<1", "slower than base by 5%")).toEqual([
      "not measured",
      "not measured",
      "not measured",
    ]);
    expect(states(comparedOf([removed, row({ cell: cell() })]), "rate<1", "overall: rate<1")).toEqual([
      "removed in the head",
      "kept",
      "kept",
    ]);
    expect(states(comparedOf([failed, row({ cell: cell() })]), "overall: rate<1")).toEqual([
      "not every endpoint was measured",
    ]);
    const [only] = one.rows;
    if (only === undefined) throw new Error("there is a row");
    const silent = { ...head, latency: { buckets: [], counts: [] } };
    expect(states(comparedOf([{ ...only, arms: { head: silent } }]), "p(95)<1", "avg<1")).toEqual([
      "not measured",
      "not measured",
    ]);
  });
});

describe("a bound of the change", () => {
  const changed = (
    kind: "slower" | "faster" | "unchanged" | "inconclusive" | "invalid",
    value: number,
    half = 0.01,
  ) =>
    comparedOf([
      row({
        cell: cell(),
        versus: versus({ verdict: { kind }, effects: { throughput: effect(value, half) } }),
      }),
    ]);
  const stalling = comparedOf([
    row({
      cell: cell(),
      versus: versus({
        verdict: { kind: "slower", isByStalls: true },
        effects: { throughput: effect(0, 0.01), totalThroughput: effect(-0.12, 0.05) },
      }),
    }),
  ]);
  const byCpu = comparedOf([
    row({
      cell: cell(),
      versus: versus({
        verdict: { kind: "slower", isByCpu: true },
        effects: { throughput: effect(-0.05, 0.08), throughputByCpu: effect(-0.08, 0.01) },
      }),
    }),
  ]);
  test.for<readonly [what: string, comparison: Comparison, expected: string]>([
    ["slower by more", changed("slower", -0.08), "broken"],
    ["slower by as much for sure", changed("slower", -0.061), "broken"],
    ["slower by as much, perhaps", changed("slower", -0.055), "the bound is within the interval"],
    ["slower by less, perhaps", changed("slower", -0.045), "the bound is within the interval"],
    ["slower by less", changed("slower", -0.035), "kept"],
    ["slower by its stalls", stalling, "broken"],
    ["slower by its CPU time", byCpu, "broken"],
    ["unchanged", changed("unchanged", 0), "kept"],
    ["faster, with a wide interval", changed("faster", 0.2, 0.3), "kept"],
    ["inconclusive, but not by so much", changed("inconclusive", -0.03), "kept"],
    ["inconclusive, perhaps by so much", changed("inconclusive", -0.04, 0.06), "inconclusive"],
    ["invalid", changed("invalid", -0.2), "the comparison is invalid"],
    ["without a base", one, "not compared with a base"],
    [
      "a control",
      { ...changed("slower", -0.2), design: design({ kind: "control" }) },
      "both arms are the same code",
    ],
  ])("%s", ([, comparison, expected]) => {
    expect(states(comparison, "slower than base by 5%")).toEqual([expected]);
  });
});

test.for<readonly [comparison: Comparison, line: string, failOn: FailOn, expected: number]>([
  [one, "p(95)<1", "regression", 1],
  [one, "p(95)<1", "slower", 1],
  [one, "p(95)<1", "never", 0],
  [one, "p(95)<100000", "regression", 0],
  [one, "slower than base by 5%", "regression", 0],
  [comparedOf([row({ cell: cell() })], { design: design({ kind: "control" }) }), "p(95)<1", "regression", 0],
])("exit status of case %#: %s", ([comparison, line, failOn, expected]) => {
  expect(exitStatusOf(bound(comparison, [line], failOn))).toBe(expected);
});

describe("every form of the report shows it with its value", () => {
  const comparison = bound(one, [
    "http_reqs: rate>100000",
    "rate<0.5",
    "p(95)<100000",
    "count>5",
    "slower than base by 5%",
  ]);

  test("the comment", () => {
    const comment = renderComment(comparison, { marker: "<!-- x -->" });
    expect(plainText(headline(comparison))).toBe("1 cell measured; 1 threshold not met");
    expect(comment).toContain("**Thresholds:** 1 not met, 1 not judged, 3 met.");
    expect(comment).toMatch(
      /\| `http_reqs: rate>100000` \| `\/endpoints\/0` \| 1 \| [\d,.]+ req\/s \| \*\*not met\*\* \|/,
    );
    expect(comment).toMatch(/\| `rate<0.5` \| `\/endpoints\/0` \| 1 \| [\d.]+% \| met \|/);
    expect(comment).toContain("| not compared with a base | **not judged** |");
    expect(comment).not.toContain("All thresholds");
  });

  test("the job summary, with many", () => {
    const many = bound(grid(30), ["p(95)<100000", "overall: avg<100000"]);
    const summary = renderSummary(many);
    expect(summary).toContain("**Thresholds:** 32 met.");
    expect(summary).toContain("<summary>All thresholds</summary>");
    expect(summary).toContain("| `avg<100000` | all endpoints | 2 |");
    const broken = renderSummary(bound(grid(30), ["p(95)<1"]));
    expect(broken.split("**not met**").length - 1).toBe(20 + 30);
  });

  test("the page", () => {
    const page = renderHtml(comparison);
    expect(page).toContain("<h2>Thresholds</h2>");
    expect(page).toMatch(/<code>http_reqs: rate&gt;100000<\/code>.*<strong>not met<\/strong>/);
    expect(renderHtml(bound(one, ["overall: avg<1"]))).toContain("all endpoints");
    expect(renderHtml(one)).not.toContain("Thresholds");
  });

  test("the terminal", () => {
    const text = renderTerminalTable(comparison, { width: 200, colour: false });
    expect(text).toMatch(
      /Threshold not met: \/endpoints\/0, 1 worker: http_reqs: rate>100000 \([\d,.]+ req\/s\)/,
    );
    expect(text).toContain(
      "Threshold not judged: /endpoints/0, 1 worker: slower than base by 5% (not compared with a base)",
    );
    const coloured = renderTerminalTable(bound(one, ["overall: avg<1", "rate<1"]), {
      width: 200,
      colour: true,
    });
    expect(coloured).toContain("\u001b[31mThreshold not met: all endpoints, 1 worker: avg<1");
    expect(coloured).toContain("\nThreshold met: /endpoints/0");
  });

  test("figures.json", () => {
    const { thresholds } = figuresOf(comparison);
    expect(thresholds?.[0]).toEqual({
      threshold: "http_reqs: rate>100000",
      endpoint: "/endpoints/0",
      workers: 1,
      state: "broken",
      value: expect.any(Number),
      reason: "",
    });
    expect(figuresOf(bound(one, ["overall: avg<1"])).thresholds).toMatchObject([
      { threshold: "overall: avg<1", endpoint: null },
    ]);
    expect(figuresOf(one)).not.toHaveProperty("thresholds");
  });

  test("a change in words", () => {
    const changed = (value: number) =>
      renderComment(
        bound(
          comparedOf([
            row({ cell: cell(), versus: versus({ effects: { throughput: effect(value, 0.001) } }) }),
          ]),
          ["slower than base by 5%"],
        ),
        { marker: "" },
      );
    expect(changed(-0.02)).toContain("| 2% slower | met |");
    expect(changed(0.02)).toContain("| 2% faster | met |");
  });
});
