import { expect, test } from "vitest";

import { jsonOf } from "../../src/text/json.ts";

test.for<readonly [text: string, value: unknown]>([
  ['{"a":[1]}', { a: [1] }],
  ["null", null],
  ["", undefined],
  ["{", undefined],
])("%j is %j", ([text, value]) => {
  expect(jsonOf(text)).toEqual(value);
});
