import { expect, test } from "vitest";

import { folders, order, page, rows } from "./rooms.ts";

test("docs/architecture.md has a row for every folder", () => {
  const told = new Set([
    ...rows.flatMap(({ names }) => names),
    ...["src", "dist", "docs", "examples", "scripts", "node_modules", "loadtest-results", "coverage"],
  ]);
  expect(folders(".").filter((name) => !name.startsWith(".") && !told.has(name))).toEqual([]);
  expect(order.toSorted()).toEqual(folders("src").toSorted());
});

test("docs/architecture.md names every subject of the adapters", () => {
  const [row = ""] = /^\| `adapters\/`.*$/m.exec(page) ?? [];
  for (const subject of folders("src/adapters")) expect(row).toContain(`\`${subject}\``);
});
