import { describe, expect, test } from "vitest";

import { declaredInput } from "../../src/config/file/declared-input.ts";
import { inputs } from "../../src/config/inputs.ts";
import { action, type Step, workflow } from "./files.ts";

const loadtest = workflow(".github/workflows/loadtest.yml");
const reportingInputs = [
  "check-run",
  "comment",
  "comment-mode",
  "fail-on",
  "fail-threshold",
  "history-branch",
  "plan",
  "report-id",
  "results-folder",
  "thresholds",
];

/** What the report has no use for. */
const measuringInputs = inputs.map(({ name }) => name).filter((name) => !reportingInputs.includes(name));

/** Beside the program's own: what only an action needs. */
const actionOnly = ["command", "github-token"];
/** What the workflow decides itself: where the parts put their results, and what travels between them. */
/** Nor does it take what needs a permission more, which every caller would have to grant. */
const notOfTheWorkflow = ["check-run", "history", "history-branch", "plan", "results-folder"];
/** What only a workflow needs. */
const workflowOnly = ["postgres-image", "runs-on", "timeout-minutes"];

const declared = Object.fromEntries(inputs.map((input) => [input.name, declaredInput(input)]));
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
    const names = inputs
      .map(({ name }) => name)
      .filter((name) => !["comment", "comment-mode", "report-id"].includes(name));
    expect(without(step("measure").env ?? {}, ["COMMAND", "INPUT_GITHUB-TOKEN", "LOADTEST_K6"])).toEqual(
      handedOver(names),
    );
  });

  test("hands the report its inputs, and it and the announcement alone the token", () => {
    const secrets = Object.keys(loadtest.on.workflow_call?.secrets ?? {}); // blank in each
    expect(without(step("announce").env ?? {}, secrets)).toEqual({
      ...handedOver(["report-id", "comment", "comment-mode", "check-run", "history-branch"]),
      GITHUB_TOKEN: `\${{ inputs.github-token }}`,
    });
    expect(without(step("withdraw").env ?? {}, secrets)).toEqual({
      ...handedOver(["report-id", "comment", "comment-mode"]),
      GITHUB_TOKEN: `\${{ inputs.github-token }}`,
    });
    const holders = action.runs.steps.filter(({ env }) => env?.["GITHUB_TOKEN"] !== undefined);
    expect(holders.map(({ id }) => id)).toEqual(["announce", "report", "withdraw"]);
    expect(without(step("report").env ?? {}, secrets)).toEqual({
      COMMAND: `\${{ inputs.command == 'post' && 'post' || 'report' }}`,
      ...handedOver(reportingInputs),
      // Nor must what was wrong with these keep an earlier run's comment from its correction.
      ...Object.fromEntries(
        ["fail-on", "fail-threshold", "thresholds"].map((name) => [
          variableOf(name),
          `\${{ (inputs.command != 'run' || steps.measure.outputs.plan != '') && inputs.${name} || '' }}`,
        ]),
      ),
      // Without a plan there is nothing to report on: not what an earlier use of the action left.
      INPUT_RESULTS_FOLDER: `\${{ inputs.command == 'run' && steps.measure.outputs.plan == '' && format('{0}/loadtest-nothing', runner.temp) || inputs.results-folder }}`,
      GITHUB_TOKEN: `\${{ inputs.github-token }}`,
    });
    const { "INPUT_GITHUB-TOKEN": taken, ...others } = step("measure").env ?? {};
    expect(taken).toBe(""); // nothing, where a runner would hand it over by itself
    expect(JSON.stringify(others)).not.toMatch(/token/i);
  });

  test("takes each output from the step that makes it", () => {
    const ofThePlan = ["plan", "matrix", "worker-counts", "endpoints", "database", "fetch-depth"];
    for (const [name, { value }] of Object.entries(action.outputs)) {
      const maker = ofThePlan.includes(name) ? "measure" : "report";
      const ofTrends = name === "html" ? ` || steps.measure.outputs.${name}` : "";
      expect(value).toBe(`\${{ steps.${maker}.outputs.${name}${ofTrends} }}`);
    }
  });
});

describe("post-report.yml", () => {
  const { inputs: given = {}, outputs = {} } =
    workflow(".github/workflows/post-report.yml").on.workflow_call ?? {};
  test("takes the report's name, with the default of the load test", () => {
    expect(Object.keys(given)).toEqual(["report-id"]);
    expect(given["report-id"]?.default).toBe(declared["report-id"]?.default);
  });

  test("hands on what the action says of the comment", () => {
    expect(Object.keys(outputs)).toEqual(["comment", "comment-url"]);
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
    ["plan", ["report-id", "comment", "comment-mode"], ["command"]],
    ["measure", ["comment", "comment-mode", "fail-on", "fail-threshold", "thresholds"], ["command", "plan"]],
    ["report", measuringInputs, ["command", "plan"]],
  ] as const)("hands each input to the action in the job %s", ([job, left, added]) => {
    const given = loadtest.jobs[job]?.steps?.find(({ uses }) => uses?.startsWith("org/"))?.with ?? {};
    const names = Object.keys(without(workflowInputs, [...workflowOnly, ...left]));
    expect(Object.keys(without(given, added)).toSorted()).toEqual(names.toSorted());
  });

  test("hands on what it was given, unless a job of the matrix has its own", () => {
    const ownOfMeasure = ["command", "config", "name", "workers", "endpoints", "database-url", "plan"];
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
