import { expect, test } from "vitest";

import { failureCounts, statusCounts } from "../../../src/report/columns/columns.ts";

test.for([
  [{}, "", ""],
  [{ "200": 1_990 }, "1,990 × 200", ""],
  [{ "503": 5, "200": 1_990, "500": 5 }, "1,990 × 200, 5 × 500, 5 × 503", "5 × 500, 5 × 503"],
  [{ "301": 1, "error 1212": 2 }, "2 × connection refused, 1 × 301", "2 × connection refused"],
  [{ "cut off": 3, "200": 1 }, "3 × cut off, 1 × 200", "3 × cut off"],
  [{ "error 1999": 1 }, "1 × error 1999", "1 × error 1999"],
  [{ "<b>@octocat": 1 }, "1 × other", "1 × other"],
  [{ "503": 5, "500": 5, "502": 5 }, "5 × 500, 5 × 502, 5 × 503", "5 × 500, 5 × 502, 5 × 503"],
  [{ b: 5, a: 5 }, "5 × other, 5 × other", "5 × other, 5 × other"],
] as const)("%j reads %j, of which failed %j", ([statuses, all, failed]) => {
  expect(statusCounts(statuses)).toBe(all);
  expect(failureCounts(statuses)).toBe(failed);
});
