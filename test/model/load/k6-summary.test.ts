import { describe, expect, test } from "vitest";

import { K6SummaryError, parseK6Summary } from "../../../src/model/load/k6-summary.ts";
import { detailsSchema } from "../../../src/model/measurement/generator.ts";

const summary = {
  state: { testRunDurationMs: 2_500 },
  metrics: {
    http_reqs: { values: { count: 10, rate: 4 } },
    http_req_failed: { values: { rate: 0.1, passes: 1, fails: 9 } },
    iterations: { values: { count: 10 } },
    dropped_iterations: { values: { count: 3 } },
  },
};

test("reads what we use", () => {
  expect(parseK6Summary(JSON.stringify(summary))).toEqual({
    requests: 10,
    failures: 1,
    iterations: 10,
    droppedIterations: 3,
    durationSeconds: 2.5,
  });
});

describe("details", () => {
  const trend = (count: number) => ({
    type: "trend",
    contains: "time",
    values: { count, avg: 3, min: 1, med: 2, max: 9, "p(90)": 5, "p(95)": 6, "p(99)": 8 },
  });
  const spread = { avgMs: 3, medMs: 2, maxMs: 9, p90Ms: 5, p95Ms: 6 };
  const detailed = {
    ...summary,
    metrics: {
      ...summary.metrics,
      iterations: { values: { count: 10, rate: 3.9 } },
      iteration_duration: trend(10),
      http_req_blocked: trend(10),
      http_req_connecting: trend(10),
      "http_req_duration{expected_response:true}": trend(9),
    },
  };
  const detailsOf = (metrics: Record<string, unknown>) =>
    parseK6Summary(JSON.stringify({ ...detailed, metrics: { ...detailed.metrics, ...metrics } }), {
      detailed: true,
    }).details;

  test("are read where they were asked for, in the schema's form", () => {
    const details = detailsOf({});
    expect(details).toEqual({
      expectedResponses: { ...spread, minMs: 1, count: 9 },
      blocked: spread,
      connecting: spread,
      iterationDuration: { ...spread, minMs: 1 },
      iterationsPerSecond: 3.9,
    });
    expect(detailsSchema.parse(details)).toEqual(details);
    expect(parseK6Summary(JSON.stringify(detailed))).not.toHaveProperty("details");
  });

  test("of a load in which nothing went well say nothing of good requests", () => {
    expect(detailsOf({ "http_req_duration{expected_response:true}": trend(0) })).not.toHaveProperty(
      "expectedResponses",
    );
  });

  test("of a load without a whole iteration say nothing of their duration", () => {
    const details = detailsOf({ iterations: undefined, iteration_duration: undefined });
    expect(details).toMatchObject({ iterationsPerSecond: 0 });
    expect(details).not.toHaveProperty("iterationDuration");
  });

  test("are missed where they were asked for and are not there", () => {
    expect(() => parseK6Summary(JSON.stringify(summary), { detailed: true })).toThrow(K6SummaryError);
    expect(() => detailsOf({ http_req_blocked: { values: { ...trend(1).values, avg: null } } })).toThrow(
      /http_req_blocked/,
    );
  });
});

test("a counter that never counted is absent and means 0", () => {
  expect(parseK6Summary(JSON.stringify({ ...summary, metrics: {} }))).toMatchObject({
    requests: 0,
    failures: 0,
  });
});

test.for([
  { name: "nothing", text: "" },
  { name: "half of it", text: JSON.stringify(summary).slice(0, 40) },
  { name: "no metrics", text: JSON.stringify({ state: summary.state }) },
  { name: "a negative count", text: JSON.stringify(summary).replace('"count":10', '"count":-10') },
  {
    name: "a count that is null, as k6 writes NaN",
    text: JSON.stringify(summary).replace('"count":10', '"count":null'),
  },
])("refuses $name", ({ text }) => {
  expect(() => parseK6Summary(text)).toThrow(K6SummaryError);
});
