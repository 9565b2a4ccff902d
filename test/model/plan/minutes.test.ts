import { expect, test } from "vitest";
import { countableIn, secondsForAge, secondsForCounting } from "../../../src/model/plan/minutes.ts";

test.for([
  { soakSeconds: 60, maxMinutes: 15, expected: 31 },
  { soakSeconds: 60, maxMinutes: 2, expected: 30 },
  { soakSeconds: 60, maxMinutes: 1.6, expected: 24 },
  { soakSeconds: 60, maxMinutes: 1.5, expected: 0 },
  { soakSeconds: 60, pairs: 1, maxMinutes: 15, expected: 66 },
  { soakSeconds: 300, maxMinutes: 15, expected: 225 },
  { soakSeconds: 60, pairs: 1, maxMinutes: 4, expected: 60 },
  { soakSeconds: 60, pairs: 1, maxMinutes: 3, expected: 0 },
  { soakSeconds: 0, maxMinutes: 15, expected: 0 },
  { soakSeconds: undefined, maxMinutes: 15, expected: 0 },
])(
  "of $maxMinutes minutes $expected s are kept for a soak test of $soakSeconds s",
  ({ expected, pairs, ...of }) => {
    expect(secondsForAge(of, pairs)).toBe(expected);
  },
);

test.for([
  { endpoints: 0, maxMinutes: 15, seconds: 0, counted: 0 },
  { endpoints: 1, maxMinutes: 15, seconds: 14, counted: 1 },
  { endpoints: 12, maxMinutes: 15, seconds: 58, counted: 12 },
  { endpoints: 100, maxMinutes: 4, seconds: 60, counted: 12 },
])("$seconds s of $maxMinutes minutes are kept to count $counted of $endpoints endpoints", (each) => {
  expect(secondsForCounting(each.endpoints, each.maxMinutes)).toBe(each.seconds);
  expect(countableIn(each.seconds)).toBe(each.counted);
});
