import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

import { root } from "./files.ts";

const { choices } = await import(`${root}/scripts/lib/test-choices.mjs`);

/** Projects of each test file, as Vitest itself gives them out. */
function projectsByFile(): Map<string, string[]> {
  const words = [join(root, "node_modules/vitest/vitest.mjs"), "list", "--filesOnly", "--json"];
  const { stdout } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
  const found: readonly { readonly file: string; readonly projectName: string }[] = JSON.parse(stdout);
  const projects = new Map<string, string[]>();
  for (const { file, projectName } of found) {
    const path = relative(root, file);
    projects.set(path, [...(projects.get(path) ?? []), projectName]);
  }
  return projects;
}

test("each test file belongs to exactly one project, and `npm run test:all` runs every project", () => {
  const projects = projectsByFile();
  const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.(?:ts|mjs)$/.test(name))
    .map((name) => join("test", name));
  expect([...projects.keys()].toSorted()).toEqual(files.toSorted());
  expect([...projects].filter(([, names]) => names.length !== 1)).toEqual([]);
  const names = new Set([...projects.values()].flat());
  expect(new Set(Object.values(choices.all.vitest).flat())).toEqual(names);
  names.delete("long");
  names.delete("long-alone");
  expect(new Set(Object.values(choices.usual.vitest).flat())).toEqual(names);
});

test.for(Object.entries(choices) as [string, { vitest: object; order: string[][] }][])(
  "%s has each of its parts in one place of its order",
  ([, { vitest, order }]) => {
    const parts = order.flat();
    expect(parts.length).toBe(new Set(parts).size);
    expect(parts).toEqual(expect.arrayContaining(Object.keys(vitest)));
  },
);
