import fc from "fast-check";
import { expect, test } from "vitest";
import { sqlPieces } from "../../../src/model/seed/sql-pieces.ts";

const piecesOf = (text: string) =>
  [...sqlPieces(text)].map(({ kind, start, end }) => `${kind[0]}:${text.slice(start, end)}`);

test.for<[string, string, string[]]>([
  ["statements", " SELECT 1;\nSELECT 2", ["s:SELECT 1;", "s:SELECT 2"]],
  ["comments", "-- a; b\n/* ; /* ; */ ; */ SELECT 1 /* ; */; -- ;", ["s:SELECT 1 /* ; */;"]],
  ["a comment without an end", "SELECT 1; /* ;", ["s:SELECT 1;"]],
  [
    "strings",
    "SELECT 'it''s; fine', \"a;\"\"b\"; SELECT 2",
    ["s:SELECT 'it''s; fine', \"a;\"\"b\";", "s:SELECT 2"],
  ],
  ["strings with escapes", "SELECT E'\\';', e'\\\\', U&'\\';", ["s:SELECT E'\\';', e'\\\\', U&'\\';"]],
  ["a name before a string", "SELECT date'\\'; SELECT 2", ["s:SELECT date'\\';", "s:SELECT 2"]],
  ["strings without an end", "SELECT ';\n", ["s:SELECT ';\n"]],
  ["escaped strings without an end", "SELECT E';\\", ["s:SELECT E';\\"]],
  [
    "dollar quotes",
    "DO $$ a; $x$ b; $$; DO $a$ x; $$ y; $a$;",
    ["s:DO $$ a; $x$ b; $$;", "s:DO $a$ x; $$ y; $a$;"],
  ],
  ["a dollar quote without an end", "DO $$ a; b", ["s:DO $$ a; b"]],
  [
    "names and parameters with dollars",
    "SELECT a$b$, $1; SELECT $b$;$b$",
    ["s:SELECT a$b$, $1;", "s:SELECT $b$;$b$"],
  ],
  ["empty statements", ";; SELECT 1;; ;", ["s:SELECT 1;"]],
  ["a statement that begins with a quote", "'a'; (SELECT 1);", ["s:'a';", "s:(SELECT 1);"]],
  [
    "rules",
    "CREATE RULE r AS ON INSERT TO t DO ALSO (SELECT 1; SELECT 1);",
    ["s:CREATE RULE r AS ON INSERT TO t DO ALSO (SELECT 1; SELECT 1);"],
  ],
  ["parentheses too many", "SELECT 1); SELECT 2", ["s:SELECT 1);", "s:SELECT 2"]],
  [
    "routines in SQL",
    "CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END; SELECT 2;",
    [
      "s:CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END;",
      "s:SELECT 2;",
    ],
  ],
  [
    "transactions",
    "BEGIN; SELECT CASE WHEN true THEN 1 END; END;",
    ["s:BEGIN;", "s:SELECT CASE WHEN true THEN 1 END;", "s:END;"],
  ],
  [
    "a word too many in a routine",
    "CREATE PROCEDURE p() END; SELECT 1;",
    ["s:CREATE PROCEDURE p() END;", "s:SELECT 1;"],
  ],
  [
    "commands",
    "\\set a 1\r\nSELECT 1 \\gset\nSELECT 2;",
    ["c:\\set a 1", "s:SELECT 1 ", "c:\\gset", "s:SELECT 2;"],
  ],
  [
    "rows",
    'COPY t (a, "b c") FROM stdin;\n1\t\';\n\\.x\n\\.\nSELECT 1;',
    ['s:COPY t (a, "b c") FROM stdin;', "r:1\t';\n\\.x\n", "c:\\.", "s:SELECT 1;"],
  ],
  ["rows as on Windows", "copy t from STDIN;\r\n1\r\n\\.\r\n", ["s:copy t from STDIN;", "r:1\r\n", "c:\\."]],
  ["no rows", "COPY t FROM stdin;\n\\.\n", ["s:COPY t FROM stdin;", "r:", "c:\\."]],
  ["rows without an end", "COPY t FROM stdin;\n1\n2", ["s:COPY t FROM stdin;", "r:1\n2"]],
  ["a file that ends before its rows", "COPY t FROM stdin;", ["s:COPY t FROM stdin;", "r:"]],
  [
    "no rows after a copy of a query",
    "COPY (SELECT 1 AS from stdin) TO stdout;\nSELECT 1;",
    ["s:COPY (SELECT 1 AS from stdin) TO stdout;", "s:SELECT 1;"],
  ],
])("%s", ([, text, pieces]) => {
  expect(piecesOf(text)).toEqual(pieces);
});

test("a script whose rows were cut out has none", () => {
  const kinds = [...sqlPieces("COPY t FROM stdin;\nSELECT 1;", false)].map(({ kind }) => kind);
  expect(kinds).toEqual(["statement", "statement"]);
});

test("the beginning of a statement is known without comments, strings and names", () => {
  const [piece] = [...sqlPieces("COPY /* ( */ \"a b\" FROM 'x' -- y\n;")];
  expect(piece?.plain).toMatch(/^COPY +"" FROM '' +\n$/);
  expect([...sqlPieces(`SELECT ${"x, ".repeat(9_000)}1`)][0]?.plain.length).toBeLessThan(9_000);
});

test("pieces follow each other, and only space, comments and semicolons lie between", () => {
  const part = fc.constantFrom(
    "'",
    '"',
    "$$",
    "$a$",
    ";",
    "\\",
    "\n",
    " ",
    "--",
    "/*",
    "*/",
    "(",
    ")",
    "E'",
    "COPY t FROM stdin;\n",
    "\\.",
    "a",
    "1",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const text = parts.join("");
      let at = 0;
      for (const { start, end } of sqlPieces(text)) {
        expect(start).toBeGreaterThanOrEqual(at);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(text.slice(at, start)).toMatch(/^(?:[\s;]|--.*|\/\*[\s\S]*)*$/);
        at = end;
      }
      expect(at).toBeLessThanOrEqual(text.length);
    }),
  );
});
