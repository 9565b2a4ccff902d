import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";

import { root, textOf } from "./files.ts";

const page = textOf("docs/architecture.md");
const rows = [...page.matchAll(/^\| `([\w-]+)\/`(?:, `([\w-]+)\/`)? \|.*\| (.*?) ?\|$/gm)].map(
  ([, name = "", second, mayImport = ""]) => ({
    names: second === undefined ? [name] : [name, second],
    mayImport,
  }),
);
const folders = (path: string) =>
  readdirSync(join(root, path), { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** Rooms of `src/` in the order of the document, with what each row says. */
const rooms = rows
  .map(({ names: [name = ""], mayImport }) => ({ name, mayImport }))
  .filter(({ name }) => folders("src").some((folder) => folder.name === name));
const order = rooms.map(({ name }) => name);

/** What the words of a row mean: `a/` to `b/`, single rooms, or all above. */
function documented(name: string, mayImport: string): readonly string[] {
  if (mayImport.startsWith("all above")) return order.slice(0, order.indexOf(name));
  const between = /^`([\w-]+)\/` to `([\w-]+)\/`/.exec(mayImport);
  if (between !== null)
    return order.slice(order.indexOf(between[1] ?? ""), order.indexOf(between[2] ?? "") + 1);
  return [...mayImport.matchAll(/`([\w-]+)\/`/g)].map(([, each = ""]) => each);
}

const configuration = z
  .object({
    overrides: z.array(
      z.looseObject({
        includes: z.array(z.string()),
        linter: z
          .looseObject({
            rules: z.looseObject({
              style: z
                .looseObject({
                  noRestrictedImports: z.object({
                    options: z.object({ patterns: z.array(z.object({ group: z.array(z.string()) })) }),
                  }),
                })
                .optional(),
            }),
          })
          .optional(),
      }),
    ),
  })
  .parse(JSON.parse(textOf("biome.json")));

/** What the linter lets a room import. */
function allowed(name: string): readonly string[] {
  const own = configuration.overrides.filter(({ includes }) => includes.includes(`src/${name}/**`));
  const groups = own.flatMap(
    ({ linter }) =>
      linter?.rules.style?.noRestrictedImports.options.patterns.flatMap(({ group }) => group) ?? [],
  );
  const forbidden = groups.flatMap(
    (pattern) => /^(?:\.\.\/)*(?:\*\*\/)?([\w-]+)\/\*\*$/.exec(pattern)?.[1] ?? [],
  );
  return order.filter((other) => other !== name && !forbidden.includes(other));
}

describe("docs/architecture.md", () => {
  test("has a row for every folder", () => {
    const named = rows.flatMap(({ names }) => names);
    const ours = folders(".").filter(({ name }) => !/^(?:\.|node_modules$|coverage$)/.test(name));
    const told = new Set([...named, "src", "dist", "docs", "examples", "scripts"]);
    expect(ours.map(({ name }) => name).filter((name) => !told.has(name))).toEqual([]);
    expect(order.toSorted()).toEqual(
      folders("src")
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  test("names every subject of the adapters", () => {
    const row = rows.find(({ names }) => names.includes("adapters"));
    expect(row).toBeDefined();
    for (const { name } of folders("src/adapters"))
      expect(page).toMatch(new RegExp(`^\\| \`adapters/\`.*\`${name}\``, "m"));
  });

  test.for(rooms.filter(({ name }) => name !== "wiring"))("says of $name/ what the linter says", (room) => {
    expect(allowed(room.name)).toEqual(
      order.filter((each) => documented(room.name, room.mayImport).includes(each)),
    );
  });
});
