import { expect, test } from "vitest";

import { parseLoadRecords } from "../../../src/model/load/load-records.ts";
import { countSamples } from "../../../src/model/load/script-samples.ts";

const head = "metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,status";
const request = (time: number, ms: number, status: string, group = "", code = "", good = "true") =>
  `http_req_duration,${time},${ms},,"a, ""quoted"" error",${code},${good},${group},${status}`;

function counted(...lines: readonly string[]) {
  const samples = countSamples("head");
  for (const line of [head, ...lines]) samples.add(line);
  return { slices: parseLoadRecords(samples.records()), groups: samples.groups() };
}

test("requests are counted in slices, from when the first was sent", () => {
  const { slices } = counted(
    "http_reqs,1000,1,,,,true,,200",
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
});

test("groups are timed, but for those of k6 itself", () => {
  const { groups } = counted(
    "group_duration,1000,100,,,,,::setup,",
    "group_duration,1000,50,,,,,,",
    "group_duration,1100,10,,,,,::list,",
    'group_duration,1200,30,,,,,"::list, all",',
    "group_duration,1300,20,,,,,::list,",
    "group_duration,1300,0,,,,,::none,",
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
