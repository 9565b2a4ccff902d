import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { root as folder, textOf, workflow } from "./files.ts";

interface Package {
  readonly workspaces?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const read = (path: string): Package => JSON.parse(textOf(path));
const versionsOf = ({ dependencies, devDependencies }: Package) => ({ ...dependencies, ...devDependencies });
const root = read("package.json");

describe.for(root.workspaces ?? [])("the workspace %s", (name) => {
  const own = read(`${name}/package.json`);

  test("has its packages in the versions of the engine", () => {
    expect(versionsOf(root)).toMatchObject(versionsOf(own));
  });

  test("has tests, and a job that runs them", () => {
    expect(own.scripts?.["test"]).toBe('node ../scripts/test.mjs "$PWD/test"');
    const { steps = [] } = workflow(".github/workflows/ci.yml").jobs[name] ?? {};
    expect(steps.at(-1)?.run).toBe(`npm test --workspace ${name}`);
  });
});

test("the engine's door has nothing that no workspace asks for", () => {
  const names = [...textOf("src/engine.ts").matchAll(/\b(\w+)(?=,? \}|,)/g)].map(([name]) => name);
  const texts = (root.workspaces ?? []).flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => textOf(join(name, file))),
  );
  expect(names.length).toBeGreaterThan(100);
  const isUsed = (name: string) => texts.some((text) => new RegExp(`\\b${name}\\b`).test(text));
  expect(names.filter((name) => !isUsed(name))).toEqual([]);
});

test("workspaces hide no package of the bundle from a release's list", () => {
  const steps = workflow(".github/workflows/release.yml").jobs["attest"]?.steps ?? [];
  const [, words = ""] = /npm (sbom .*) >/.exec(steps.flatMap(({ run = "" }) => run).join("\n")) ?? [];
  const { stdout } = spawnSync("npm", words.split(" "), { cwd: folder, encoding: "utf8" });
  const { packages }: { readonly packages: readonly { readonly name: string }[] } = JSON.parse(stdout);
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["jstat", "pg", "string-argv", "yauzl", "zod"]));
});
