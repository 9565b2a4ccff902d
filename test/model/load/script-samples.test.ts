import { expect, test } from "vitest";

import { parseLoadRecords } from "../../../src/model/load/load-records.ts";
import { countSamples } from "../../../src/model/load/script-samples.ts";

const head =
  "metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,status";
const request = (time: number, ms: number, status: string, code = "", name = "GET,/") =>
  `http_req_duration,${time},${ms},,"a, ""quoted"" error",${code},,,${name},${status}`;
/** The tool's own judgement of the request before it. */
const judged = (isFailed: boolean) =>
  `http_req_failed,1000,${isFailed ? "1.000000" : "0.000000"},,,,,,GET,/,`;

function counted(...lines: readonly string[]) {
  const samples = countSamples("head", "http://127.0.0.1:80");
  for (const line of [head, ...lines]) samples.add(line);
  return {
    slices: parseLoadRecords(samples.records()),
    counts: samples.counts(),
    ...samples.times(),
  };
}

test("requests are counted in slices, from when the first was sent", () => {
  const { slices, counts } = counted(
    "http_reqs,1000,1,,,,true,,GET,/,200",
    request(1_000, 10, "200"),
    request(1_230, 40, "503"),
    request(1_260, 20, "201"),
    request(1_300, 0, "0", "1212"),
  );
  expect(
    slices.map(({ index, arm, requests, failures, latencyMaxMs, statuses, printedMs }) => ({
      ...{ index, arm, requests, failures, latencyMaxMs, statuses, printedMs },
    })),
  ).toEqual([
    {
      ...{ index: 0, arm: "head", requests: 2, failures: 1, latencyMaxMs: 40, printedMs: 240 },
      statuses: { "200": 1, "503": 1 },
    },
    {
      ...{ index: 1, arm: "head", requests: 2, failures: 1, latencyMaxMs: 20, printedMs: 310 },
      statuses: { "201": 1, "error 1212": 1 },
    },
  ]);
  expect(slices.map(({ latency }) => latency.counts)).toEqual([[1, 1], [1]]);
  expect(counts).toEqual({ requests: 4, failures: 2 });
});

test("groups are timed, but for those of k6 itself", () => {
  const { groups } = counted(
    "group_duration,1000,100,,,,,::setup,,,",
    "group_duration,1000,50,,,,,,,,",
    "group_duration,1100,10,,,,,::list,,,",
    'group_duration,1200,30,,,,,"::list, all",,,',
    "group_duration,1300,20,,,,,::list,,,",
    "group_duration,1300,0,,,,,::none,,,",
  );
  expect(groups).toEqual([
    { name: "::list", count: 2, meanMs: 15, p95Ms: expect.closeTo(20, 0) },
    { name: "::list, all", count: 1, meanMs: 30, p95Ms: expect.closeTo(30, 0) },
    { name: "::none", count: 1, meanMs: 0, p95Ms: 0 },
  ]);
});

test("a status that is none, and no code, is an error of its own", () => {
  const { slices } = counted(request(1_000, 5, "x"));
  expect(slices[0]?.statuses).toEqual({ "error 0": 1 });
});

test.for([
  ["200", "", undefined, { "200": 1 }, 0],
  ["200", "", false, { "200": 1 }, 0],
  ["200", "", true, { "200 failed": 1 }, 1],
  ["404", "1404", undefined, { "404": 1 }, 1],
  ["404", "1404", false, { "404 expected": 1 }, 0],
  ["404", "1404", true, { "404": 1 }, 1],
  ["0", "1212", false, { "error 1212 expected": 1 }, 0],
  ["", "", undefined, { "error 0": 1 }, 1],
  ["", "", true, { "error 0": 1 }, 1],
  ["no status", "1000", false, { "no status": 1 }, 0],
] as const)("status %j (%s), judged as failed: %s", ([status, code, isFailed, statuses, failures]) => {
  const { slices, counts } = counted(
    request(1_000, 5, status, code),
    ...(isFailed === undefined ? [] : [judged(isFailed)]),
  );
  expect(slices[0]?.statuses).toEqual(statuses);
  expect(counts).toEqual({ requests: 1, failures });
});

test("a judgement is that of the request before it, and of no other", () => {
  const { counts, slices } = counted(
    judged(true), // of no request that is known
    request(1_000, 1, "200"),
    request(1_000, 1, "200"),
    judged(true),
    judged(false),
    request(1_000, 1, "500"),
    judged(false),
    request(1_000, 1, "500"),
  );
  expect(counts).toEqual({ requests: 4, failures: 2 });
  expect(slices[0]?.statuses).toEqual({ "200": 1, "200 failed": 1, "500 expected": 1, "500": 1 });
});

test("a name may have line breaks and quotes, in rows that are counted and in others", () => {
  const name = 'GET,"a ""b""\n';
  const { counts, requests } = counted(
    ...`http_reqs,1000,1,,,,,,${name}c",200`.split("\n"),
    ...request(1_000, 1, "200", "", `${name}c\rd\u2028e"`).split("\n"),
    judged(true),
    request(1_000, 1, "200"),
  );
  expect(counts).toEqual({ requests: 2, failures: 1 });
  expect(requests?.map((each) => each.name)).toEqual(['GET a "b"\nc\rd\u2028e', "GET /"]);
});

test("a row that is cut short is a request without a status", () => {
  const { counts, slices } = counted("http_req_duration,1000,5");
  expect([counts.failures, slices[0]?.statuses]).toEqual([1, { "error 0": 1 }]);
});

test("hosts other than the app's and the first failure are known", () => {
  const samples = countSamples("head", "http://127.0.0.1:80");
  expect(samples.firstFailure()).toBeUndefined();
  const row = (status: number, url: string) => `http_req_duration,1000,1,POST,${url},${status},${url}`;
  for (const line of [
    "metric_name,timestamp,metric_value,method,name,status,url",
    row(200, "http://127.0.0.1:80/a"),
    row(404, "http://127.0.0.1:80/login"),
    row(0, "http://localhost:8000/b"),
    ...Array.from({ length: 20 }, (_, index) => row(200, `http://h${index}/`)),
  ])
    samples.add(line);
  expect(samples.firstFailure()).toEqual(["POST /login", "404"]);
  expect(samples.hosts().slice(0, 2)).toEqual(["localhost:8000", "h0"]);
  expect(samples.hosts()).toHaveLength(9);
});

test("a quote that nobody closes does not hold the whole file", () => {
  const { counts } = counted('x,"', "y".repeat(1_000_000), request(1_000, 1, "200"));
  expect(counts.requests).toBe(1);
});

test("requests are timed by their kinds, the most frequent ones first", () => {
  const of = (name: string, ms: number) => request(1_000, ms, "200", "", name);
  const { requests } = counted(
    of("GET,http://127.0.0.1:80", 1),
    of("POST,http://127.0.0.1:80/orders", 10),
    of('POST,"http://127.0.0.1:80/orders"', 30),
    of("GET,one item", 5),
  );
  expect(requests?.map(({ name, count, meanMs }) => [name, count, meanMs])).toEqual([
    ["POST /orders", 2, 20],
    ["GET /", 1, 1],
    ["GET one item", 1, 5],
  ]);
  expect(counted(of("GET,/", 1), of("GET,/", 2)).requests).toBeUndefined();
});

test("kinds of requests have a limit", () => {
  const many = Array.from({ length: 6_000 }, (_, index) => request(1_000, 1, "200", "", `GET,/${index}`));
  expect(counted(...many).requests).toHaveLength(50);
});

test("the time to the first byte is that of its request", () => {
  const waiting = (time: number, ms: number) => `http_req_waiting,${time},${ms},,,,true,,GET,/,200`;
  const { slices } = counted(
    waiting(900, 1), // of no request that is known
    request(1_000, 10, "200"),
    waiting(1_000, 7),
    request(1_010, 10, "200"),
    waiting(1_010, 8),
  );
  expect(slices.map(({ firstByteMs }) => firstByteMs)).toEqual([15]);
});
