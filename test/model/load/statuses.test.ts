import { expect, test } from "vitest";
import * as z from "zod";

import {
  isAbsent,
  isBroken,
  isFailure,
  judgedStatus,
  mergeStatuses,
  statusCountsSchema,
  statusWords,
} from "../../../src/model/load/statuses.ts";

test("mergeStatuses adds counts up, status by status", () => {
  expect(mergeStatuses([])).toEqual({});
  expect(mergeStatuses([{ "200": 3, "503": 1 }, {}, { "200": 2, "error 1212": 4 }])).toEqual({
    "200": 5,
    "503": 1,
    "error 1212": 4,
  });
});

test.for([
  ["100", false],
  ["200", false],
  ["204", false],
  ["302", false],
  ["399", false],
  ["400", true],
  ["404", true],
  ["503", true],
  ["000", true],
  ["error 1212", true],
  ["cut off", true],
  ["200 failed", true],
  ["404 expected", false],
  ["error 1212 expected", false],
  ["no status", false],
] as const)("isFailure: %s is %s", ([status, expected]) => {
  expect(isFailure(status)).toBe(expected);
});

test.for([
  ["200", true, "200 failed"],
  ["200", false, "200"],
  ["200", undefined, "200"],
  ["404", false, "404 expected"],
  ["404", true, "404"],
  ["500", undefined, "500"],
  ["error 1212", false, "error 1212 expected"],
  ["no status", true, "no status failed"],
] as const)("%s judged as failed: %s is %s", ([status, isFailed, name]) => {
  expect(judgedStatus(status, isFailed)).toBe(name);
});

test.for([
  ["200", "200"],
  ["cut off", "cut off"],
  ["no status", "no status"],
  ["200 failed", "200 that the script calls a failure"],
  ["404 expected", "404 that the script expects"],
  ["error 0", "no response"],
  ["error 1000", "no response"],
  ["error 1111", "host other than the app's"],
  ["error 1212 expected", "connection refused that the script expects"],
  ["error 1633", "HTTP/2 error 1633"],
  ["error 1999", "error 1999"],
  ["<b>", "other"],
] as const)("%s reads %s", ([status, words]) => {
  expect(statusWords(status)).toBe(words);
});

test.for([
  { statuses: {}, broken: true, absent: false },
  { statuses: { "200": 1 }, broken: false, absent: false },
  { statuses: { "200": 1, "500": 99 }, broken: false, absent: false },
  { statuses: { "500": 1, "error 1050": 1 }, broken: true, absent: false },
  { statuses: { "404": 5, "cut off": 1 }, broken: true, absent: false },
  { statuses: { "404": 5 }, broken: true, absent: true },
  { statuses: { "404": 5, "405": 1 }, broken: true, absent: true },
  { statuses: { "404": 5, "500": 1 }, broken: true, absent: false },
  { statuses: { "404": 5, "200": 1 }, broken: false, absent: false },
  { statuses: { "200 failed": 5 }, broken: true, absent: false },
  { statuses: { "404 expected": 5 }, broken: false, absent: false },
])("$statuses: broken $broken, absent $absent", ({ statuses, broken, absent }) => {
  expect(isBroken(statuses)).toBe(broken);
  expect(isAbsent(statuses)).toBe(absent);
});

const counts = z.strictObject({ statuses: statusCountsSchema });

test("counts by status are passed as they are", () => {
  const statuses = {
    "200": 0,
    "503": 1e12,
    "error 1212": 4,
    "cut off": 1,
    "404 expected": 2,
    "200 failed": 3,
    "no status": 1,
  };
  expect(counts.parse({ statuses }).statuses).toBe(statuses);
});

test.for([
  [undefined],
  [null],
  ["200"],
  [[]],
  [[1]],
  [{ "20": 1 }],
  [{ "200": -1 }],
  [{ "200": 0.5 }],
  [{ "200": 2e12 }],
  [{ "200": "1" }],
  [{ "200  failed": 1 }],
  [{ "cut off expected": 1 }],
  [{ "200": 1, other: 1 }],
])("%j is refused as counts by status", ([statuses]) => {
  expect(counts.safeParse({ statuses }).success).toBe(false);
});

test("a hostile name among statuses does not get in", () => {
  const read = counts.safeParse(JSON.parse('{"statuses": {"200": 1, "__proto__": {"500": 1}}}'));
  expect(read.data).toEqual({ statuses: { "200": 1 } });
});
