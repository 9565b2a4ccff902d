import { expect, test } from "vitest";

import { alarmRate, alarmShares } from "../../src/compare/alarm-shares.ts";
import { sum } from "../../src/statistics/estimate.ts";
import { design } from "./two-arms.ts";

test("all that a report judges has one false-alarm rate together", () => {
  expect(sum(Object.values(alarmShares))).toBeCloseTo(1, 12);
  const rates = (Object.keys(alarmShares) as (keyof typeof alarmShares)[]).map((kind) =>
    alarmRate(kind, design({ falseAlarmRate: 0.02 })),
  );
  expect(Math.min(...rates)).toBeGreaterThan(0);
  expect(sum(rates)).toBeCloseTo(0.02, 12);
});
