import { expect, test } from "vitest";
import { secondsForAge } from "../../../src/model/plan/minutes.ts";

test.for([
  { serverAgeSeconds: 60, maxMinutes: 15, expected: 66 },
  { serverAgeSeconds: 300, maxMinutes: 15, expected: 225 },
  { serverAgeSeconds: 60, maxMinutes: 4, expected: 60 },
  { serverAgeSeconds: 60, maxMinutes: 3, expected: 0 },
  { serverAgeSeconds: 0, maxMinutes: 15, expected: 0 },
  { serverAgeSeconds: undefined, maxMinutes: 15, expected: 0 },
])("of $maxMinutes minutes $expected s are kept for a pair of $serverAgeSeconds s", ({ expected, ...of }) => {
  expect(secondsForAge(of)).toBe(expected);
});
