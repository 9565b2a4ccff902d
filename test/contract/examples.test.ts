import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { settingsOf } from "../../src/config/file/configuration-file.ts";
import { action, examplePaths, ourRepository, root, textOf, workflow, workflowPaths } from "./files.ts";
import { yamlBlocks } from "./trust-rules.ts";

const readme = textOf("examples/README.md");
const ours = ourRepository;

/** What the action, or one of our workflows, takes under `with:`. */
function inputsOf(uses: string): readonly string[] {
  const [, path] = /(\.github\/workflows\/[\w-]+\.yml)/.exec(uses) ?? [];
  return Object.keys(path === undefined ? action.inputs : (workflow(path).on.workflow_call?.inputs ?? {}));
}

/** Jobs and steps that use ours: of the examples, our own workflows, and blocks of the docs, by where they stand. */
const docs = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith(".md"))
  .flatMap((path) => yamlBlocks(textOf(path)).map((text) => [path, text] as const));
const shipped = [...examplePaths, ...workflowPaths].map((path) => [path, textOf(path)] as const);
const uses = [...docs, ...shipped].flatMap(([path, text]) =>
  usesIn(parse(text)).map(({ uses: used, given }) => ({ path, used, given })),
);

interface Use {
  readonly uses: string;
  readonly given: Readonly<Record<string, unknown>>;
}

function usesIn(value: unknown): readonly Use[] {
  if (typeof value !== "object" || value === null) return [];
  const node: Readonly<Record<string, unknown>> = { ...value };
  const { uses: name, with: given = {} } = node;
  const isOurs = typeof name === "string" && (name.startsWith(ours) || name.startsWith("$/"));
  const own = isOurs && typeof given === "object" ? [{ uses: name, given: { ...given } }] : [];
  return [...own, ...Object.values(node).flatMap(usesIn)];
}

describe("examples/", () => {
  test("has one for each way of use, and its README names them all", () => {
    expect(examplePaths.length).toBeGreaterThanOrEqual(10);
    for (const path of examplePaths) expect(readme).toContain(`(${path.replace("examples/", "")})`);
  });

  test.for(uses)("$path gives $used what it takes", ({ used, given }) => {
    expect(inputsOf(used)).toEqual(expect.arrayContaining(Object.keys(given)));
    const { settings } = given;
    if (typeof settings === "string" && !settings.includes("${{")) settingsOf({ settings }, "/");
    if (used.startsWith(ours)) expect(used).toMatch(/@v1$/);
  });

  test("of all places there is something to look at", () => {
    const places = new Set(uses.map(({ path }) => path));
    // That one runs nothing of ours: it starts the failed jobs again.
    expect(examplePaths.filter((path) => !places.has(path))).toEqual(["examples/accept.yml"]);
    expect([...places]).toEqual(
      expect.arrayContaining(["README.md", "docs/configuration.md", "docs/running-app.md"]),
    );
  });

  test.for(examplePaths)("%s compares only where the base is checked out", (path) => {
    const measuring = Object.values(workflow(path).jobs).filter(({ steps = [] }) =>
      steps.some(
        ({ uses = "", with: given }) =>
          uses.startsWith(ours) &&
          !given?.["settings"]?.includes("base-url:") &&
          given?.["base-ref"] !== "none" &&
          !["report", "trends"].includes(given?.["command"] ?? ""),
      ),
    );
    for (const { steps = [] } of measuring) {
      const checkout = steps.find(({ uses }) => uses?.startsWith("actions/checkout@"));
      const action = steps.find(({ uses }) => uses?.startsWith(ours));
      const depth = action?.with?.["base-ref"] === undefined ? 2 : 0;
      expect(checkout?.with).toMatchObject({ "fetch-depth": depth });
    }
  });

  test("post what the example beside them is called", () => {
    const { name }: { readonly name: string } = parse(textOf("examples/forks.yml"));
    expect(textOf("examples/forks-post.yml")).toContain(`workflows: [${name}]`);
  });
});
