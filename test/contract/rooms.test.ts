import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { root, textOf } from "./files.ts";
import { folders, order, page, rows } from "./rooms.ts";

test("docs/internals/architecture.md has a row for every folder", () => {
  const told = new Set([
    ...rows.flatMap(({ names }) => names),
    ...["src", "dist", "docs", "examples", "scripts", "node_modules", "loadtest-results", "coverage"],
  ]);
  expect(folders(".").filter((name) => !name.startsWith(".") && !told.has(name))).toEqual([]);
  expect(order.toSorted()).toEqual(folders("src").toSorted());
});

test("docs/internals/architecture.md names every subject of the adapters", () => {
  const [row = ""] = /^\|`adapters\/`.*$/m.exec(page) ?? [];
  for (const subject of folders("src/adapters")) expect(row).toContain(`\`${subject}\``);
});

test("a function of measure/ takes the ports that it uses: only the room's entry takes them all", () => {
  const files = readdirSync(join(root, "src/measure"), { recursive: true, encoding: "utf8" });
  const narrow = /^import [^;]*;$|\bPick<\s*MeasurePorts\b/gm;
  const wide = files
    .filter((name) => name.endsWith(".ts"))
    .filter((name) => textOf(`src/measure/${name}`).replaceAll(narrow, "").includes("MeasurePorts"));
  expect(wide.toSorted()).toEqual(["measure.ts"]);
});
