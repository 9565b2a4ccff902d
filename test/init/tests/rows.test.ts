import { expect, test } from "vitest";
import { renderRows, type TestRow, withoutFailed } from "../../../src/init/tests/recording.ts";

const rowOf = (number: number, sql: string, at = "tests/test_a.py::a"): TestRow => ({
  kind: "row",
  ...{ number, key: String(number), sql, test: at },
});
const rows = [
  rowOf(0, "INSERT 0;"),
  rowOf(1, "INSERT\n1;"),
  rowOf(2, "INSERT 2;", "a\nb"),
  rowOf(3, "INSERT 3;", "a\nb"),
];

test("each row stands below its test", () => {
  expect(
    renderRows(rows).split("\nDO $$")[0],
  ).toBe(`-- What \`init\` adds to the database, and why. Change it as you like.

-- tests/test_a.py::a
INSERT 0;
INSERT
1;

-- a b
INSERT 2;
INSERT 3;
`);
});

test.for<readonly [problem: string, left: readonly number[] | undefined]>([
  ["seed: seed file rows.sql, line 4 (at: INSERT): no", [1, 2, 3]],
  ["seed: seed file rows.sql, line 5: no", [0, 2, 3]],
  ["seed: seed file rows.sql, line 6: no", [0, 2, 3]],
  ["seed: seed file rows.sql, line 9: no", [0, 1, 3]],
  ["seed: seed file rows.sql, line 10: no", [0, 1, 2]],
  ["seed: seed file rows.sql, line 12: no", undefined],
  ["start app: no", undefined],
])("the row that was refused is left out: %s", ([problem, left]) => {
  expect(withoutFailed(rows, problem)).toEqual(left?.map((number) => rows[number]));
});
