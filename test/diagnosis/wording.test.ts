import { expect, test } from "vitest";
import { measuredRate } from "../../src/diagnosis/load-facts.ts";
import { at, milliseconds } from "../../src/diagnosis/wording.ts";
import { missOf } from "../../src/model/findings/finding.ts";
import { line, load } from "./samples.ts";

test.for<[value: number, text: string]>([
  [0.42, "0.4 ms"],
  [9.94, "9.9 ms"],
  [480.4, "480 ms"],
  [2_130, "2.1 s"],
])("%d ms is %s", ([value, text]) => {
  expect(milliseconds(value)).toBe(text);
});

test("a place is said with what is written there, if anything is known", () => {
  expect(at(line)).toBe(" at `app/orders.py:37` (`time.sleep(0.1)`)");
  expect(at({ ...line, code: "" })).toBe(" at `app/orders.py:37`");
  expect(at({ ...line, code: "f`x`" })).toBe(" at `app/orders.py:37` (`f'x'`)");
  expect([at(null), at(undefined)]).toEqual(["", ""]);
});

test("nothing measured confirms nothing", () => {
  expect(missOf({ what: "x", predicted: 1, observed: 0 })).toBe(Number.POSITIVE_INFINITY);
  expect(measuredRate(load({ seconds: 0 }))).toBe(0);
});
