import { describe, expect, test } from "vitest";

import { inputs } from "../../src/core/config/inputs.ts";
import { action, type Step, workflow } from "./files.ts";

const loadtest = workflow(".github/workflows/loadtest.yml");
const reportingInputs = ["comment", "fail-on", "fail-threshold", "plan", "report-id", "results-folder"];

/** What the report has no use for. */
const measuringInputs = inputs.map(({ name }) => name).filter((name) => !reportingInputs.includes(name));

/** Beside the program's own: what only an action needs. */
const actionOnly = ["command", "github-token"];
/** What the workflow decides itself: where the parts put their results, and what travels between them. */
const notOfTheWorkflow = ["plan", "results-folder"];
/** What only a workflow needs. */
const workflowOnly = ["postgres-image", "runs-on", "timeout-minutes"];

const declared = Object.fromEntries(
  inputs.map(({ name, description, fallback }) => [name, { description, default: fallback }]),
);
const workflowInputs = loadtest.on.workflow_call?.inputs ?? {};

function without<T>(record: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

function variableOf(name: string): string {
  return `INPUT_${name.toUpperCase().replaceAll("-", "_")}`;
}

function step(id: string): Step {
  const found = action.runs.steps.find((each) => each.id === id);
  if (found === undefined) throw new Error(`action.yml has no step ${id}`);
  return found;
}

/** The variables that hand these inputs to the program. */
function handedOver(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [variableOf(name), `\${{ inputs.${name} }}`]));
}

describe("action.yml", () => {
  test("declares the program's inputs, with their defaults and descriptions", () => {
    expect(without(action.inputs, actionOnly)).toEqual(declared);
  });

  test("hands every input to the step that measures but those of the comment", () => {
    const names = inputs.map(({ name }) => name).filter((name) => name !== "comment" && name !== "report-id");
    expect(without(step("measure").env ?? {}, ["COMMAND"])).toEqual(handedOver(names));
  });

  test("hands the report its inputs, and it alone the token", () => {
    expect(step("report").env).toEqual({
      ...handedOver(reportingInputs),
      GITHUB_TOKEN: `\${{ inputs.github-token }}`,
    });
    expect(JSON.stringify(without({ ...step("measure") }, []))).not.toMatch(/token/i);
  });

  test("takes each output from the step that makes it", () => {
    const ofThePlan = ["plan", "worker-counts", "endpoints"];
    for (const [name, { value }] of Object.entries(action.outputs)) {
      const maker = ofThePlan.includes(name) ? "measure" : "report";
      expect(value).toBe(`\${{ steps.${maker}.outputs.${name} }}`);
    }
  });
});

describe("loadtest.yml", () => {
  test("declares the inputs that make sense for it, with the same defaults and descriptions", () => {
    const shared = without(workflowInputs, workflowOnly);
    expect(
      Object.fromEntries(
        Object.entries(shared).map(([name, each]) => [name, without({ ...each }, ["type"])]),
      ),
    ).toEqual(without(declared, notOfTheWorkflow));
  });

  test("takes every input as text", () => {
    expect(new Set(Object.values(workflowInputs).map(({ type }) => type))).toEqual(new Set(["string"]));
  });

  test.for([
    ["plan", ["report-id", "comment"], ["command"]],
    ["measure", ["comment", "fail-on", "fail-threshold"], ["command", "plan"]],
    ["report", measuringInputs, ["command", "plan"]],
  ] as const)("hands each input to the action in the job %s", ([job, left, added]) => {
    const given = loadtest.jobs[job]?.steps?.find(({ uses }) => uses?.startsWith("org/"))?.with ?? {};
    const names = Object.keys(without(workflowInputs, [...workflowOnly, ...left]));
    expect(Object.keys(without(given, added)).toSorted()).toEqual(names.toSorted());
  });

  test("hands on what it was given, unless a job of the matrix has its own", () => {
    const ownOfMeasure = ["command", "workers", "endpoints", "database-url", "plan"];
    for (const job of ["plan", "measure"]) {
      const given = loadtest.jobs[job]?.steps?.find(({ uses }) => uses?.startsWith("org/"))?.with ?? {};
      const copied = without(given, job === "measure" ? ownOfMeasure : ["command"]);
      expect(copied).toEqual(
        Object.fromEntries(Object.keys(copied).map((name) => [name, `\${{ inputs.${name} }}`])),
      );
    }
  });

  test("tells each part what the whole is", () => {
    for (const job of ["measure", "report"]) {
      const given = loadtest.jobs[job]?.steps?.find(({ uses }) => uses?.startsWith("org/"))?.with ?? {};
      expect(given["plan"]).toBe(`\${{ needs.plan.outputs.plan }}`);
    }
  });
});
