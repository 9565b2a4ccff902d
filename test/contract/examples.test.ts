import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { inputs } from "../../src/config/inputs.ts";
import { examplePaths, type Job, textOf, workflow } from "./files.ts";

const readme = textOf("examples/README.md");
const ours = "org/fastapi-loadtest-action";
/** Inputs of the action and its workflows that are no options of the program. */
const others = ["command", "github-token", "runs-on", "timeout-minutes", "postgres-image"];

describe("examples/", () => {
  test("has one for each way of use, and its README names them all", () => {
    expect(examplePaths.length).toBeGreaterThanOrEqual(10);
    for (const path of examplePaths) expect(readme).toContain(`(${path.replace("examples/", "")})`);
  });

  test.for(examplePaths)("%s uses inputs that there are, at one version", (path) => {
    const known = [...inputs.map(({ name }) => name), ...others];
    const used = Object.values(workflow(path).jobs).flatMap((job: Job & { with?: object }) =>
      [job, ...(job.steps ?? [])].filter(({ uses = "" }) => uses.startsWith(ours)),
    );
    expect(used).not.toEqual([]);
    for (const { uses, with: given = {} } of used) {
      expect(uses).toMatch(/@v1$/);
      expect(known).toEqual(expect.arrayContaining(Object.keys(given)));
    }
  });

  test.for(examplePaths)("%s compares only where the base is checked out", (path) => {
    const measuring = Object.values(workflow(path).jobs).filter(({ steps = [] }) =>
      steps.some(
        ({ uses = "", with: given }) =>
          uses.startsWith(ours) &&
          given?.["base-url"] === undefined &&
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
