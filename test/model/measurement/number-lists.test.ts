import { expect, test } from "vitest";
import * as z from "zod";

import { numberList } from "../../../src/model/measurement/amounts.ts";

const whole = numberList({ least: -1, most: 9, isWhole: true }, 3);
const list = z.strictObject({ whole, any: numberList({ least: 0, most: 1 }, 3) });

test("a list that is as it should be is passed as it is", () => {
  const given = { whole: [-1, 0, 9], any: [0.25] };
  const read = list.parse(given);
  expect(read).toEqual(given);
  expect(read.whole).toBe(given.whole);
  expect(list.parse({ whole: [], any: [0, 1] })).toEqual({ whole: [], any: [0, 1] });
});

test.for<readonly [value: unknown, path: readonly PropertyKey[]]>([
  [undefined, ["whole"]],
  ["1,2", ["whole"]],
  [{ 0: 1, length: 1 }, ["whole"]],
  [[1, 2, 3, 4], ["whole"]],
  [
    [1, "2"],
    ["whole", 1],
  ],
  [
    [1, null],
    ["whole", 1],
  ],
  [[10], ["whole", 0]],
  [
    [0, 0, -2],
    ["whole", 2],
  ],
  [[0.5], ["whole", 0]],
  [[Number.NaN], ["whole", 0]],
  [[Number.POSITIVE_INFINITY], ["whole", 0]],
])("%j is refused in zod's words", ([value, path]) => {
  const { error } = list.safeParse({ whole: value, any: [] });
  expect(error?.issues.map((issue) => issue.path)).toEqual([path]);
  const plain = z.strictObject({ whole: z.array(z.int().min(-1).max(9)).max(3) });
  expect(error?.issues).toEqual(plain.safeParse({ whole: value }).error?.issues);
});

test("the JSON Schema is that of a plain list", () => {
  expect(z.toJSONSchema(whole)).toEqual(z.toJSONSchema(z.array(z.int().min(-1).max(9)).max(3)));
});
