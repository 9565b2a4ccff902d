import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

import { root, textOf } from "./files.ts";

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

test("each test file belongs to exactly one project, and `npm test` or `npm run test:long` runs it", () => {
  const projects = projectsByFile();
  const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.(?:ts|mjs)$/.test(name))
    .map((name) => join("test", name));
  expect([...projects.keys()].toSorted()).toEqual(files.toSorted());
  expect([...projects].filter(([, names]) => names.length !== 1)).toEqual([]);
  const run = [choices.usual, choices.long].flatMap(({ vitest }) => Object.values(vitest).flat());
  expect(run.toSorted()).toEqual([...new Set([...projects.values()].flat())].toSorted());
});

test.for(Object.entries(choices) as [string, { vitest: object; order: string[][] }][])(
  "%s has each of its parts in one place of its order",
  ([, { vitest, order }]) => {
    const parts = order.flat();
    expect(parts.length).toBe(new Set(parts).size);
    expect(parts).toEqual(expect.arrayContaining(Object.keys(vitest)));
  },
);

test("`.ci/run` calls `npm test`, then the long tests and the linters, and sums up their tests", () => {
  const commands = [...textOf(".ci/run").matchAll(/^(npm .*?) <\/dev\/null \|\| status=1$/gm)].map(
    ([, each]) => each,
  );
  expect(commands).toEqual(["npm test", "npm run --silent test:long", "npm run --silent lint"]);
  expect(textOf(".ci/run")).toContain("sum_of usual; sum_of long");
});
