import { expect, test } from "vitest";

import { parseLoadRecords } from "../../../src/model/load/load-records.ts";
import { countSamples } from "../../../src/model/load/script-samples.ts";

const head =
  "metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,status";
const request = (
  time: number,
  ms: number,
  status: string,
  group = "",
  code = "",
  good = "true",
  name = "GET,/",
) => `http_req_duration,${time},${ms},,"a, ""quoted"" error",${code},${good},${group},${name},${status}`;

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
    request(1_230, 40, "503", "", "", "false"),
    request(1_260, 20, "201"),
    request(1_300, 0, "0", "", "1212", "false"),
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

test("requests are timed by their kinds, the most frequent ones first", () => {
  const of = (name: string, ms: number) => request(1_000, ms, "200", "", "", "true", name);
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
  const many = Array.from({ length: 6_000 }, (_, index) =>
    request(1_000, 1, "200", "", "", "true", `GET,/${index}`),
  );
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
