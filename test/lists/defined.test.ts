import { expect, test } from "vitest";

import { defined } from "../../src/lists/defined.ts";

const cases: readonly (readonly [fields: object, expected: object])[] = [
  [{}, {}],
  [{ a: undefined }, {}],
  [
    { a: 1, b: undefined, c: "" },
    { a: 1, c: "" },
  ],
  [
    { a: null, b: false, c: 0 },
    { a: null, b: false, c: 0 },
  ],
];

test.each(cases)("of %o what has a value stays", (fields, expected) => {
  expect(Object.entries(defined(fields))).toEqual(Object.entries(expected));
});

test("a record with optional fields takes the result", () => {
  const name: string | undefined = undefined;
  const record: { readonly id: number; readonly name?: string } = { id: 1, ...defined({ name }) };
  expect("name" in record).toBe(false);
});
