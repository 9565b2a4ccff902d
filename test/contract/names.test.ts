import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { root, textOf } from "./files.ts";

const folders = ["src", "reproduce", "page", "k6"];

/** Files that declare an exported type, by its name. */
function exportedTypes(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const folder of folders) {
    for (const path of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!path.endsWith(".ts")) continue;
      const text = textOf(join(folder, path));
      for (const [, name = ""] of text.matchAll(/^export (?:interface|type) (\w+)/gm))
        found.set(name, [...(found.get(name) ?? []), join(folder, path)]);
    }
  }
  return found;
}

test("no two exported types have one name", () => {
  const types = exportedTypes();
  expect(types.size).toBeGreaterThan(300);
  expect([...types].filter(([, paths]) => paths.length > 1)).toEqual([]);
});
