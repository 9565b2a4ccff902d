import { expect, test } from "vitest";

import { offsetOf, placeAt, statementStart } from "../../../src/adapters/postgres/seed-file.ts";

test.for([
  ["plain statements", "SELECT 1; SELECT 2;", "SELECT 2;"],
  ["comments", "-- a; b\n/* ; */ SELECT 1 /* ; */; -- ;\nSELECT 2", "SELECT 2"],
  ["strings", "SELECT 'it''s; fine', \"a;b\"; SELECT 2", "SELECT 2"],
  ["strings with escapes", "SELECT E'\\';', e'\\\\'; SELECT 2", "SELECT 2"],
  ["dollar quotes", "DO $$ a; $x$ b; $$; SELECT 2", "SELECT 2"],
  ["tagged dollar quotes", "DO $a$ x; $$ y; $a$; SELECT 2", "SELECT 2"],
  ["names and parameters with dollars", "SELECT a$b, $1; SELECT 2, $b$;$b$", "SELECT 2, $b$;$b$"],
  ["empty statements", ";; SELECT 1;; ;SELECT 2", "SELECT 2"],
  ["rules", "CREATE RULE r AS ON INSERT TO t DO ALSO (SELECT 1; SELECT 1); SELECT 2", "SELECT 2"],
] as const)("the second statement is found past %s", ([, sql, second]) => {
  expect(sql.slice(statementStart(sql, 1))).toBe(second);
  expect(statementStart(sql, 2)).toBeUndefined();
});

test("a place is a line from 1 and its text", () => {
  const sql = "SELECT 1;\n\n  SELECT 2,\n    3;";
  expect(placeAt(sql, sql.indexOf("SELECT 2"))).toEqual({ line: 3, excerpt: "SELECT 2," });
  expect(placeAt(sql, 0)).toEqual({ line: 1, excerpt: "SELECT 1;" });
  expect(placeAt("x".repeat(500), 0).excerpt).toHaveLength(120);
});

test.for([
  ["abc", 1, 0],
  ["abc", 3, 2],
  ["😀é😀x", 4, 5],
  ["ab", 9, 2],
] as const)("in %j position %i is offset %i", ([sql, position, offset]) => {
  expect(offsetOf(sql, position)).toBe(offset);
});
