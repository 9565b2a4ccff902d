import { expect, test } from "vitest";

import { csvColumn, csvRows } from "../../src/endpoints/csv.ts";

test.for<readonly [text: string, values: readonly string[]]>([
  ["id,name\n1,a\n2,b\n", ["1", "2"]],
  ["\uFEFFid\r\n1\r\n\r\n2", ["1", "2"]],
  ['"id",name\n"a ""b"", c",x\n"two\nlines",y', ['a "b", c', "two\nlines"]],
  ["name, id \nx, 7 \ny,8,\n", ["7", "8"]],
  ["id,name\n1,", ["1"]],
])("%j", ([text, values]) => {
  expect(csvColumn(text, "id")).toEqual(values);
});

test.for<readonly [what: string, text: string, problem: string]>([
  ["an empty file", "", "is empty; its first line must name the columns"],
  ["blank lines", "\n\n", "is empty; its first line must name the columns"],
  ["no such column", "a,b\n1,2", "has no column id, only a, b"],
  ["no rows", "id,name\n", "has no rows after its header"],
  ["a hole", "id,name\n1,a\n,b", "has nothing in column id of row 2"],
  ["a short row", "name,id\na,1\nb", "has nothing in column id of row 2"],
  ["an open quote", 'id\n"1\n', "has an unclosed quote"],
])("tells %s", ([, text, problem]) => {
  expect(csvColumn(text, "id")).toEqual({ problem });
});

test.for<readonly [text: string, rows: unknown]>([
  [
    "\uFEFFname,key\nada,1\n\nbo\n",
    [
      { name: "ada", key: "1" },
      { name: "bo", key: "" },
    ],
  ],
  ["", { problem: "is empty; its first line must name the columns" }],
  ["name\n", { problem: "has no rows after its header" }],
  ['name\n"a', { problem: "has an unclosed quote" }],
])("rows of %j", ([text, rows]) => {
  expect(csvRows(text)).toEqual(rows);
});
