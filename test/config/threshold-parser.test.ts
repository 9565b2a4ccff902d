import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { parseConfig } from "../../src/config/config-parser.ts";
import { parseConfigurationFile } from "../../src/config/file/configuration-file.ts";
import { parseThreshold } from "../../src/config/threshold-parser.ts";
import { InputError } from "../../src/errors/errors.ts";
import {
  budgets,
  conditionSchema,
  operators,
  type Threshold,
  thresholdText,
} from "../../src/model/thresholds/threshold.ts";

const duration = { metric: "http_req_duration" } as const;

describe("parseThreshold", () => {
  test.for<readonly [line: string, threshold: Threshold, written?: string]>([
    [
      "p(95)<300",
      { condition: { ...duration, aggregation: "p", percentile: 95, operator: "<", bound: 300 } },
    ],
    [
      "avg <= 12.5",
      { condition: { ...duration, aggregation: "avg", operator: "<=", bound: 12.5 } },
      "avg<=12.5",
    ],
    [
      "http_req_duration: max<1000",
      { condition: { ...duration, aggregation: "max", operator: "<", bound: 1_000 } },
      "max<1000",
    ],
    [
      "rate<0.01",
      { condition: { metric: "http_req_failed", aggregation: "rate", operator: "<", bound: 0.01 } },
    ],
    [
      "http_req_failed:rate===0",
      { condition: { metric: "http_req_failed", aggregation: "rate", operator: "==", bound: 0 } },
      "rate==0",
    ],
    [
      "http_reqs: rate>=100",
      { condition: { metric: "http_reqs", aggregation: "rate", operator: ">=", bound: 100 } },
    ],
    ["count>1000", { condition: { metric: "http_reqs", aggregation: "count", operator: ">", bound: 1_000 } }],
    ["slower than base by 5%", { condition: { slowerBy: 0.05 } }],
    ["slower than base by 7.1%", { condition: { slowerBy: 0.071 } }, "slower than base by 7.1%"],
    [
      "overall: p(99.9)<800",
      {
        isOverall: true,
        condition: { ...duration, aggregation: "p", percentile: 99.9, operator: "<", bound: 800 },
      },
    ],
    [
      "/items?q=a:b: med!=3",
      { endpoint: "/items?q=a:b", condition: { ...duration, aggregation: "med", operator: "!=", bound: 3 } },
    ],
    [
      "value<5000000",
      {
        condition: {
          metric: "instructions_per_request",
          aggregation: "value",
          operator: "<",
          bound: 5_000_000,
        },
      },
    ],
    [
      "get /items: slower than base by 10%",
      { endpoint: "/items", condition: { slowerBy: 0.1 } },
      "/items: slower than base by 10%",
    ],
    [
      "POST /orders: http_req_failed: rate<0.1",
      {
        endpoint: "POST /orders",
        condition: { metric: "http_req_failed", aggregation: "rate", operator: "<", bound: 0.1 },
      },
      "POST /orders: rate<0.1",
    ],
    ["sql_per_request<=5", { condition: { budget: "sql_per_request", operator: "<=", bound: 5 } }],
    [
      "/orders: sql_per_request <= 5.5",
      { endpoint: "/orders", condition: { budget: "sql_per_request", operator: "<=", bound: 5.5 } },
      "/orders: sql_per_request<=5.5",
    ],
    [
      "outside_calls === 0",
      { condition: { budget: "outside_calls", operator: "==", bound: 0 } },
      "outside_calls==0",
    ],
    [
      "overall: peak_memory_mb: < 200",
      { isOverall: true, condition: { budget: "peak_memory_mb", operator: "<", bound: 200 } },
      "overall: peak_memory_mb<200",
    ],
    ["sql_per_request<=base", { condition: { budget: "sql_per_request", noMoreThan: "base" } }],
    [
      "POST /a: sql_rows_per_request: no more than base",
      { endpoint: "POST /a", condition: { budget: "sql_rows_per_request", noMoreThan: "base" } },
      "POST /a: sql_rows_per_request<=base",
    ],
  ])("%s", ([line, threshold, written]) => {
    expect(parseThreshold(line)).toEqual({ threshold });
    expect(thresholdText(threshold)).toBe(written ?? line);
  });

  const supported =
    'http_req_duration (avg, min, med, max, p(N)), http_req_failed (rate), http_reqs (count, rate), instructions_per_request (value), "slower than base by 5%", and the budgets sql_per_request, sql_rows_per_request, response_bytes, outside_calls, ready_memory_mb, peak_memory_mb, start_cpu_seconds, e.g. sql_per_request<=5 or sql_per_request<=base';
  test.for([
    [
      "iteration_duration: avg<5",
      `uses the metric iteration_duration, which is not supported; choose from ${supported}`,
    ],
    [
      "http_req_duration{name:x}: avg<5",
      `uses the metric http_req_duration{name:x}, which is not supported; choose from ${supported}`,
    ],
    [
      "p95<300",
      `must be a condition such as p(95)<300, rate<0.01 or slower than base by 5%; the metrics are ${supported}`,
    ],
    [
      "http_req_failed: p(95)<300",
      `uses p(95), which http_req_failed does not have; choose from ${supported}`,
    ],
    [
      "sql_per_request: avg<5",
      `uses the metric sql_per_request, which is not supported; choose from ${supported}`,
    ],
    [
      "sql_per_request<base",
      `must be a condition such as p(95)<300, rate<0.01 or slower than base by 5%; the metrics are ${supported}`,
    ],
    [
      "http_req_duration: value<3",
      `uses value, which http_req_duration does not have; choose from ${supported}`,
    ],
    ["p(101)<300", "has a percentile above 100"],
    ["slower than base by 0%", "must be above 0% and up to 100%"],
    ["overall: slower than base by 5%", "cannot be used with overall: each endpoint is compared on its own"],
  ] as const)("refuses %s", ([line, problem]) => {
    expect(parseThreshold(line)).toEqual({ problem: `${JSON.stringify(line)} ${problem}` });
  });

  test("takes any text", () => {
    const words = [
      "overall",
      "/a",
      "GET",
      "p(95)",
      "rate",
      "<",
      ":",
      ": ",
      "0.1",
      "slower than base by 5%",
      "sql_per_request",
      "<=base",
      " ",
    ];
    const texts = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...words)).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseThreshold(text);
        if ("problem" in parsed) expect(parsed.problem).toContain(JSON.stringify(text));
        else expect(parseThreshold(thresholdText(parsed.threshold))).toEqual(parsed);
      }),
    );
  });

  test("reads what it writes", () => {
    const bound = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom(0.01, 12.5, -3));
    const operator = fc.constantFrom(...operators);
    const condition = fc.oneof(
      fc.record({
        metric: fc.constant("http_req_duration"),
        aggregation: fc.constantFrom("avg", "min", "med", "max"),
        operator,
        bound,
      }),
      fc.record({
        metric: fc.constant("http_req_duration"),
        aggregation: fc.constant("p"),
        percentile: fc.integer({ min: 0, max: 100 }),
        operator,
        bound,
      }),
      fc.record({
        metric: fc.constant("http_req_failed"),
        aggregation: fc.constant("rate"),
        operator,
        bound,
      }),
      fc.record({ budget: fc.constantFrom(...budgets), operator, bound }),
      fc.record({ budget: fc.constantFrom(...budgets), noMoreThan: fc.constant("base") }),
      fc.record({
        metric: fc.constant("http_reqs"),
        aggregation: fc.constantFrom("count", "rate"),
        operator,
        bound,
      }),
    );
    const scope = fc.constantFrom(
      {},
      { isOverall: true as const },
      { endpoint: "/a" },
      { endpoint: "PUT /a" },
    );
    fc.assert(
      fc.property(scope, condition, (place, each) => {
        const threshold = { ...place, condition: conditionSchema.parse(each) };
        expect(parseThreshold(thresholdText(threshold))).toEqual({ threshold });
      }),
    );
  });
});

describe("the input", () => {
  const files = {
    resolve: (path: string) => path,
    isFile: () => true,
    isFolder: () => true,
    findApps: () => [],
  };
  const checkOf = (yaml: string, raw: Record<string, string> = {}) => {
    const file = parseConfigurationFile("loadtest.yml", "/", yaml);
    return parseConfig("run", { app: "a:b", ...raw }, files, { file });
  };
  const texts = (yaml: string) => checkOf(yaml).workload?.check.thresholds?.map(thresholdText);

  test.for([
    {
      what: "lines",
      yaml: "thresholds: |\n  p(95)<300\n  rate<0.01\n",
      expected: ["p(95)<300", "rate<0.01"],
    },
    {
      what: "a list, also with metrics that YAML takes for mappings",
      yaml: "thresholds:\n  - p(95)<300\n  - http_req_failed: rate<0.01\n",
      expected: ["p(95)<300", "rate<0.01"],
    },
    {
      what: "k6's own mapping",
      yaml: "thresholds:\n  http_req_duration: [p(95)<300, avg<100]\n  http_req_failed: rate<0.01\n",
      expected: ["p(95)<300", "avg<100", "rate<0.01"],
    },
    {
      what: "budgets",
      yaml: "thresholds:\n  - sql_per_request <= 5\n  - sql_per_request: no more than base\n  - /a: outside_calls == 0\n  - POST /b: { response_bytes: <= 900 }\n",
      expected: [
        ...[
          "sql_per_request<=5",
          "sql_per_request<=base",
          "/a: outside_calls==0",
          "POST /b: response_bytes<=900",
        ],
      ],
    },
    {
      what: "endpoints with metrics",
      yaml: "thresholds:\n  /a: slower than base by 5%\n  POST /b:\n    http_req_failed: [rate<0.1]\n  overall: p(95)<9\n",
      expected: ["/a: slower than base by 5%", "POST /b: rate<0.1", "overall: p(95)<9"],
    },
  ])("takes $what", ({ yaml, expected }) => {
    expect(texts(yaml)).toEqual(expected);
  });

  test("goes into the plan's check and the report's", () => {
    const { workload, reporting } = checkOf("", { thresholds: "p(95)<300" });
    expect(workload?.check.thresholds).toHaveLength(1);
    expect(reporting.check.thresholds).toEqual(workload?.check.thresholds);
  });

  test("is refused with every mistake and its place", () => {
    expect(() => checkOf("thresholds: [p95<300, 5]\n")).toThrow(InputError);
    expect(() => checkOf("thresholds: { nothing: rate<1 }\n")).toThrow(
      /loadtest\.yml:1:1: thresholds: "nothing: rate<1" uses the metric nothing, which is not supported/,
    );
    expect(() => checkOf("", { thresholds: Array(101).fill("p(95)<300").join("\n") })).toThrow(
      "thresholds: must be at most 100",
    );
  });
});
