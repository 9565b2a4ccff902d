import { expect, test } from "vitest";

import { isAbsent, isBroken, isFailure, mergeStatuses } from "../../../src/model/load/statuses.ts";

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
] as const)("isFailure: %s is %s", ([status, expected]) => {
  expect(isFailure(status)).toBe(expected);
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
])("$statuses: broken $broken, absent $absent", ({ statuses, broken, absent }) => {
  expect(isBroken(statuses)).toBe(broken);
  expect(isAbsent(statuses)).toBe(absent);
});
