import { expect, test } from "vitest";

import { action, textOf, workflow, workflowPaths } from "./files.ts";

const page = textOf("THIRD-PARTY.md");
const actions = new Set(
  [
    ...action.runs.steps,
    ...workflowPaths.flatMap((path) => Object.values(workflow(path).jobs).flatMap(({ steps = [] }) => steps)),
  ]
    .flatMap(({ uses }) => uses ?? [])
    .filter((uses) => !uses.startsWith("$/"))
    .map((uses) => uses.split("@")[0]?.split("/").slice(0, 2).join("/") ?? ""),
);

test("every action that we use is named with its licence", () => {
  expect(actions).toContain("grafana/setup-k6-action");
  const rows = new Map(
    [...page.matchAll(/^\| \[`([\w./-]+)`\]\(\S+\) \| (\S+) \|$/gm)].map(([, name, licence]) => [
      name,
      licence,
    ]),
  );
  expect([...rows.keys()].toSorted()).toEqual([...actions].toSorted());
  for (const licence of rows.values()) expect(licence).toMatch(/^(?:MIT|Apache-2\.0)$/);
});

test("k6 is named with its licence, and as a program that nothing of ours is linked with", () => {
  expect(page).toMatch(/^\| \[k6\]\(\S+\) \| AGPL-3\.0 \| .*runs as a program and is never linked/m);
  // The engine asks no package of k6's but its types, which are not in the bundle.
  for (const bundle of ["dist/engine.js", "reproduce/dist/reproduce.js", "dist/page.js"])
    expect(textOf(`${bundle}.LEGAL.txt`)).not.toMatch(/AGPL|go\.k6\.io/);
});

test("every program that a run can fetch is named", () => {
  const tools = /tools = \{ (.*) \} as const/.exec(textOf("src/adapters/python/installer.ts"))?.[1] ?? "";
  const names = [...tools.matchAll(/(\w+): "/g)].map(([, each = ""]) => each);
  expect(names).toEqual(["uv", "poetry", "pdm"]);
  for (const each of [...names, "k6", "postgresql", "otava", "redis"])
    expect(page.toLowerCase()).toMatch(new RegExp(`^\\| \\[?(?:apache )?${each}\\b`, "m"));
});
