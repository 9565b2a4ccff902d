import { expect, test } from "vitest";
import { insertOf, renderRows, type TestRow } from "../../../src/init/tests/recording.ts";

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

test("rows are added to those of a file, whose numbers go on after all of them", () => {
  const [early, late] = [rows.slice(0, 2), rows.slice(2)];
  expect(renderRows(late, renderRows(early))).toBe(renderRows(rows));
  expect(renderRows(late, `${renderRows(early)}INSERT 9; -- mine\n`)).toContain(
    "INSERT 9; -- mine\n\n-- a b\n",
  );
});

test("only a row's own statement says whether it is new", () => {
  const statements = ["INSERT INTO a (b) VALUES (1) ON CONFLICT DO NOTHING;", "CREATE TRIGGER a;"];
  expect(statements.map((sql) => insertOf({ sql, test: "" }))).toEqual([
    "INSERT INTO a (b) VALUES (1) ON CONFLICT DO NOTHING RETURNING 1",
    undefined,
  ]);
});
