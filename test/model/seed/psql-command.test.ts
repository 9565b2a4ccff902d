import { expect, test } from "vitest";
import { type PsqlCommand, readCommand, withVariables } from "../../../src/model/seed/psql-command.ts";

const nothing: PsqlCommand = { kind: "nothing" };
const reaching = "is not run, because a seed file may not run programs, or read or write other files";
const unknown = "is a command that only psql knows";
const remedy = "dump the filled database with pg_dump --format=plain, or use seed-command";

test.for<[string, PsqlCommand]>([
  ["\\restrict Zk3", nothing],
  ["\\unrestrict Zk3", nothing],
  ["\\.", nothing],
  ["\\echo 'a;' :b", nothing],
  ["\\dt+ public.*", nothing],
  ["\\encoding LATIN1", nothing],
  ["\\set", nothing],
  ["\\unset a", nothing],
  ["\\i", nothing],
  ["\\connect", nothing],
  ["\\connect -reuse-previous=on", nothing],
  ["\\q", { kind: "end" }],
  ["\\g", { kind: "run" }],
  ["\\;", { kind: "run" }],
  ["\\ir 'my tables.sql';", { kind: "include", name: "my tables.sql" }],
  ['\\include "a""b".sql', { kind: "include", name: 'a"b.sql' }],
  ["\\i :folder/b.sql", { kind: "include", name: "sql/b.sql" }],
  ["\\c harbour;", { kind: "connect", name: "harbour" }],
  ["\\connect -reuse-previous=on \"dbname='a\\'b' user=x\"", { kind: "connect", name: "a'b" }],
  ["\\c dbname=harbour", { kind: "connect", name: "harbour" }],
  ["\\! rm -rf /", { kind: "problem", problem: `\\! ${reaching}; ${remedy}` }],
  ["\\o | cat", { kind: "problem", problem: `\\o ${reaching}; ${remedy}` }],
  ["\\g | cat", { kind: "problem", problem: `\\g ${reaching}; ${remedy}` }],
  ["\\set a `id`", { kind: "problem", problem: `\\set ${reaching}; ${remedy}` }],
  ["\\set a '`id`'", nothing],
  ["\\gset", { kind: "problem", problem: `\\gset ${unknown}; ${remedy}` }],
  ["\\if :a", { kind: "problem", problem: `\\if ${unknown}; ${remedy}` }],
  ["\\", { kind: "problem", problem: `\\ ${unknown}; ${remedy}` }],
  [
    "\\copy t FROM 'x.csv' CSV",
    {
      kind: "problem",
      problem: `\\copy ${reaching}; put the rows below COPY ... FROM stdin, as pg_dump does, or use seed-command`,
    },
  ],
])("%s", ([line, command]) => {
  expect(readCommand(line, new Map([["folder", "sql"]]))).toEqual(command);
});

test("variables are set from words, texts and other variables, and unset", () => {
  const variables = new Map<string, string>();
  for (const line of ["\\set a 'it''s\\n\\x'", "\\set b :a' '2", "\\set c", "\\set d 1", "\\unset d"])
    readCommand(line, variables);
  expect([...variables]).toEqual([
    ["a", "it's\nx"],
    ["b", "it's\nx 2"],
    ["c", ""],
  ]);
});

const variables = new Map([
  ["n", "3"],
  ["text", "it's"],
  ["path", "a\\b"],
  ["name", 'a"b'],
]);

test.for<[string, string]>([
  ["SELECT :n, :'text', :'path', :\"name\"", "SELECT 3, 'it''s', E'a\\\\b', \"a\"\"b\""],
  [
    "SELECT ':n', \":n\", E'\\':n', $$:n$$, $a$ :n $a$ -- :n",
    "SELECT ':n', \":n\", E'\\':n', $$:n$$, $a$ :n $a$ -- :n",
  ],
  ["SELECT 1::n, a[1:2], :other, /* :n */ :n", "SELECT 1::n, a[1:2], :other, /* :n */ 3"],
])("variables in %s", ([sql, filled]) => {
  expect(withVariables(sql, variables)).toBe(filled);
  expect(withVariables(sql, new Map())).toBe(sql);
});
