import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/engine.ts";
import { publishedFigures } from "../../cases/published-figures.ts";
import { metricNames } from "../../documents/metrics.ts";
import { parsePublishedResults } from "../../documents/published-results.ts";
import { results } from "../published.ts";

test("all published results are read", () => {
  expect(results).toHaveLength(51);
  expect(new Set(results.map(({ report }) => report)).size).toBe(5);
});

describe("a document of another form is refused, and says where", () => {
  const [first = {}, second = {}] = results;
  const text = (...all: readonly unknown[]) => JSON.stringify({ about: "", count: all.length, results: all });

  test.for([
    { name: "not JSON", json: "{", message: /results\.json: is not JSON: SyntaxError/ },
    { name: "not an object", json: "[]", message: /results\.json: document: Invalid input: expected object/ },
    {
      name: "a missing result",
      json: JSON.stringify({ about: "", count: 2, results: [first] }),
      message: /results\.json: count is 2, but there are 1/,
    },
    { name: "a result twice", json: text(first, second, first), message: /pena\/async-io\/1 appears twice/ },
    {
      name: "an unknown key",
      json: text({ ...first, colour: 1 }),
      message: /results\.0: Unrecognized key: "colour"/,
    },
    {
      name: "no metrics",
      json: text(first, { ...second, metrics: {} }),
      message: /results\.1\.metrics\.reqs: /,
    },
    {
      name: "an open load",
      json: text({ ...first, load: { tool: "k6", model: "open", stated: "" } }),
      message: /results\.0\.load\.model: /,
    },
  ])("$name", ({ json, message }) => {
    expect(() => parsePublishedResults(json)).toThrow(InputError);
    expect(() => parsePublishedResults(json)).toThrow(message);
  });

  test("with at most ten problems", () => {
    const bad = Array.from({ length: 30 }, (_, index) => ({ id: String(index) }));
    let problems: readonly string[] = [];
    try {
      parsePublishedResults(text(...bad));
    } catch (error) {
      if (error instanceof InputError) problems = error.problems;
    }
    expect(problems).toHaveLength(10);
  });
});

describe("publishedFigures", () => {
  const figures = (id: string) => {
    const [found] = results.filter((each) => each.id === id).map(publishedFigures);
    return found;
  };

  test("tells successes from failures", () => {
    expect(figures("pena/async-mix")).toMatchObject({
      reqs: 9_992,
      avg_ms: 54_060,
      failed_rate: 0.8095,
      fails: 8_089,
      success_avg_ms: 30_460,
      success_p95_ms: 57_020,
      success_rps: expect.closeTo(31.1878, 3),
    });
  });

  test("has what only some reports print", () => {
    expect(figures("wsgi/gunicorn-sync-2/db25")).toMatchObject({ blocked_p95_ms: 1.04, vus: 10 });
    expect(figures("keyword/async-await")).toMatchObject({ total_s: 18, rps: 11.06 });
    expect(figures("junge/sync_baseline")).toMatchObject({ fails_per_s: 0, med_ms: 76_000 });
  });

  test("knows nothing that is not printed", () => {
    const { avg_ms, p95_ms, failed_rate, success_rps, blocked_p95_ms } = figures("keyword/async-await") ?? {};
    expect([avg_ms, p95_ms, failed_rate, success_rps, blocked_p95_ms]).toEqual(Array(5).fill(undefined));
  });

  test("uses the names of metrics only", () => {
    const names = new Set(results.flatMap((result) => Object.keys(publishedFigures(result))));
    expect([...names].filter((name) => !metricNames.some((metric) => metric === name))).toEqual([]);
  });
});
