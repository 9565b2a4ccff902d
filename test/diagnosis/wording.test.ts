import { expect, test } from "vitest";
import { measuredRate } from "../../src/diagnosis/evidence.ts";
import { at, milliseconds, phrase } from "../../src/diagnosis/wording.ts";
import { missOf, textOf } from "../../src/model/findings/finding.ts";
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
  expect(textOf(at(line))).toBe(" at `app/orders.py:37` (`time.sleep(0.1)`)");
  expect(textOf(at({ ...line, code: "" }))).toBe(" at `app/orders.py:37`");
  expect(textOf(at({ ...line, code: "f`x`" }))).toBe(" at `app/orders.py:37` (`f'x'`)");
  expect([at(null), at(undefined)]).toEqual(["", ""]);
});

test("a sentence with a line of code has it as a piece of its own", () => {
  const where = at({ ...line, code: "" });
  expect(phrase`It waits ${5} times${where}.`).toEqual([
    "It waits 5 times at ",
    { line: "app/orders.py:37" },
    ".",
  ]);
  expect(phrase`It waits ${5} times${at(null)}.`).toBe("It waits 5 times.");
});

test("nothing measured confirms nothing", () => {
  expect(missOf({ what: "x", predicted: 1, observed: 0 })).toBe(Number.POSITIVE_INFINITY);
  expect(measuredRate(load({ seconds: 0 }))).toBe(0);
});
