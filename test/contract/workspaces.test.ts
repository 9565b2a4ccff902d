import { describe, expect, test } from "vitest";

import { textOf, workflow } from "./files.ts";

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
