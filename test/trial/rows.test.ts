import { expect, test } from "vitest";

import { writeRows } from "../../src/trial/rows.ts";

const row = (name: string) => ({ test: "t", sql: `INSERT INTO ${name} ON CONFLICT DO NOTHING;` });

/** A database that takes a row once, and only after the one that it needs. */
function taking(needs: Readonly<Record<string, string>>) {
  const there = new Set<string>();
  const asked: string[] = [];
  const ask = async (query: string) => {
    const [, name = ""] = /^INSERT INTO (\w+) .* RETURNING 1$/.exec(query) ?? [];
    asked.push(name || query.split(" ", 2).join(" "));
    const needed = needs[name];
    if (name === "" || there.has(name) || (needed !== undefined && !there.has(needed))) return [];
    there.add(name);
    return [1];
  };
  return { ask, asked };
}

test("rows are written again after those that they need, in that order", async () => {
  const { ask, asked } = taking({ a: "b", c: "gone" });
  const rows = [row("a"), row("b"), row("b"), row("c")];
  expect(await writeRows(ask, rows)).toEqual([row("b"), row("a")]);
  expect(asked).toEqual(["a", "b", "b", "c", "a", "b", "c", "b", "c", "DO $$"]);
});

test("other statements are taken as they are, and nothing is sent without any", async () => {
  const { ask, asked } = taking({});
  const trigger = { test: "t", sql: "CREATE TRIGGER x;" };
  expect(await writeRows(ask, [trigger])).toEqual([trigger]);
  expect(await writeRows(ask, [])).toEqual([]);
  expect(asked).toEqual(["CREATE TRIGGER", "DO $$"]);
});
