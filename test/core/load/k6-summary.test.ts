import { expect, test } from "vitest";

import { K6SummaryError, parseK6Summary } from "../../../src/core/load/k6-summary.ts";

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
