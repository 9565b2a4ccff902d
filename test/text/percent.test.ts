import { expect, test } from "vitest";
import { percent, plusMinusPercent, relativeChange, signedPercent } from "../../src/text/percent.ts";
import { toAscii } from "../../src/text/width.ts";

test.for([
  [0.03, undefined, "3%"],
  [0.99, "plain", "99%"],
  [0.99875, "plain", "99.88%"],
  [1, "plain", "100%"],
  [0.0004, "plain", "0.04%"],
  [0.874, "whole", "87%"],
  [0.001, "whole", "0%"],
  [12.34, "whole", "1,234%"],
  [0.41, "measured", "41%"],
  [0.0996, "measured", "10%"],
  [0.9997, "measured", "99.9%"],
  [1.234, "measured", "123%"],
  [0.00123, "measured", "0.12%"],
  [0, "measured", "0%"],
  [0.999, "chance", "over 99%"],
  [0.99, "chance", "99%"],
  [0.5, "chance", "50%"],
  [0.004, "chance", "under 1%"],
  [Number.NaN, "chance", "–"],
  [Number.POSITIVE_INFINITY, "plain", "–"],
] as const)("a share of %s, %s, is %s", ([share, form, expected]) => {
  expect(percent(share, form)).toBe(expected);
});

test.for([
  [-0.0823, "−8.2%"],
  [0.5, "+50%"],
  [1.2, "+120%"],
  [0.0004, "+0.04%"],
  [-12, "over −1,000%"],
  [0, "0%"],
  [Number.NaN, "–"],
  [undefined, "–"],
] as const)("a change of %s without its interval is %s", ([share, expected]) => {
  expect(signedPercent(share)).toBe(expected);
});

test.for([
  [-0.098, [-0.104, -0.092], "−9.8% ± 0.6"],
  [0.249, [0.236, 0.262], "+25% ± 1"],
  [0.142, [0.139, 0.145], "+14.2% ± 0.3"],
  [0.002, [-0.004, 0.008], "+0.2% ± 0.6"],
  [-0.0001, [-0.0061, 0.0059], "0.0% ± 0.6"],
  [-0.0123, [-0.0128, -0.0118], "−1.23% ± 0.05"],
  [0.5, [-0.02, 1.2], "+50% (−2 to +120)"],
  [12, [11.5, 12.5], "+1,200% ± 50"],
  [1.114, [1.034, 1.194], "+111% ± 8"],
  [0.1, undefined, "–"],
  [0.1, [0, Number.POSITIVE_INFINITY], "+10% (0 to over +1,000)"],
  [-0.01, [-1, 2.76e173], "–"], // says nothing
  [-0.5, [-0.5, 1], "–"],
  [-0.45, [-0.49, 11], "−45% (−49 to over +1,000)"],
  [0.05, [-0.8, 4.43], "–"],
  [0.05, [-0.8, 0.99], "+5% (−80 to +99)"],
  [12, [0, Number.POSITIVE_INFINITY], "–"],
  [0.1, [Number.NEGATIVE_INFINITY, 1], "–"],
  [Number.NaN, [0, 1], "–"],
] as const)("a change of %s in %j is %s", ([value, interval, expected]) => {
  expect(relativeChange({ value, interval: interval && { low: interval[0], high: interval[1] } })).toBe(
    expected,
  );
});

test("says nothing of a change that nobody knows", () => {
  expect(relativeChange(undefined)).toBe("–");
});

test.for([
  [0.008, "±0.8%"],
  [0.12, "±12%"],
  [0.0004, "±0.04%"],
  [Number.POSITIVE_INFINITY, "over ±1,000%"],
] as const)("half an interval of %s is %s", ([half, expected]) => {
  expect(plusMinusPercent(half)).toBe(expected);
});

test("has a minus that every terminal can spell", () => {
  expect(toAscii("−9.8% ± 0.6")).toBe("-9.8% +- 0.6");
});
