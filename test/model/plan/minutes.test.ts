import { expect, test } from "vitest";
import { secondsForAge } from "../../../src/model/plan/minutes.ts";

test.for([
  { soakSeconds: 60, maxMinutes: 15, expected: 66 },
  { soakSeconds: 300, maxMinutes: 15, expected: 225 },
  { soakSeconds: 60, maxMinutes: 4, expected: 60 },
  { soakSeconds: 60, maxMinutes: 3, expected: 0 },
  { soakSeconds: 0, maxMinutes: 15, expected: 0 },
  { soakSeconds: undefined, maxMinutes: 15, expected: 0 },
])("of $maxMinutes minutes $expected s are kept for a pair of $soakSeconds s", ({ expected, ...of }) => {
  expect(secondsForAge(of)).toBe(expected);
});
