import { describe, expect, test } from "vitest";
import {
  byHand,
  declaredByAction,
  declaredByWorkflow,
  declaredInput,
  namingInputs,
  withActionInputs,
  withWorkflowInputs,
} from "../../scripts/lib/declared-inputs.ts";
import { withInputTables, withReadmeTables, withServerTable } from "../../scripts/lib/input-tables.ts";
import { withPart, withRegion } from "../../scripts/lib/marked-regions.ts";
import { allKeys, isKey } from "../../src/config/file/keys.ts";
import { actionInputs, inputs, workflowInputs } from "../../src/config/inputs.ts";
import { action, type Step, textOf, workflow } from "./files.ts";

const loadtest = workflow(".github/workflows/loadtest.yml");
const declaredInWorkflow = loadtest.on.workflow_call?.inputs ?? {};
const ofAction = Object.keys(action.inputs);
const ofWorkflow = Object.keys(declaredInWorkflow);
/** The most that stand under `with:`. */
const mostInputs = 25;

function without<T>(record: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

function step(id: string): Step {
  const found = action.runs.steps.find((each) => each.id === id);
  if (found === undefined) throw new Error(`action.yml has no step ${id}`);
  return found;
}

function variablesOf(id: string): Readonly<Record<string, string>> {
  const secrets = Object.keys(loadtest.on.workflow_call?.secrets ?? {}); // blank in each
  return without(step(id).env ?? {}, secrets);
}

/** The variables that hand these inputs to the program. */
function handedOver(names: readonly string[]) {
  const variableOf = (name: string) => `INPUT_${name.toUpperCase().replaceAll("-", "_")}`;
  return Object.fromEntries(names.map((name) => [variableOf(name), `\${{ inputs.${name} }}`]));
}

const token = { GITHUB_TOKEN: `\${{ inputs.github-token }}` };

describe("what is written from the rows of inputs", () => {
  test.for([
    ["action.yml", withActionInputs],
    [".github/workflows/loadtest.yml", withWorkflowInputs],
    ["docs/configuration.md", (page: string) => withInputTables(page, action.outputs)],
    ["README.md", withReadmeTables],
    ["docs/servers.md", withServerTable],
  ] as const)("is in %s as they have it", ([path, written]) => {
    expect(written(textOf(path))).toBe(textOf(path));
  });

  test("needs its marks", () => {
    expect(() => withRegion("a: 1\n", "inputs", [])).toThrow("lacks # <inputs> and # </inputs>");
    expect(() => withPart("# Inputs\n", "action", "")).toThrow("lacks <!-- action --> or <!-- /action -->");
  });

  test("keeps a pipe inside its cell", () => {
    const empty = textOf("docs/configuration.md");
    expect(withInputTables(empty, { b: { description: "x | y" } })).toContain("|`b`|x \\| y|");
  });

  test("has no default for what the file may say, which the program fills in", () => {
    const input = { name: "vus", description: "Users.", fallback: "8" };
    const told = { name: "vus", description: "Users. Default: `8`.", default: "" };
    expect(declaredInput(input)).toEqual(told);
    expect(declaredInput({ ...input, fallback: "" })).toEqual({ ...told, description: "Users." });
    expect(declaredInput({ ...input, name: "report-id" })).toMatchObject({
      description: "Users.",
      default: "8",
    });
  });
});

describe("the door", () => {
  test("is narrow", () => {
    expect(ofAction.length).toBeLessThanOrEqual(mostInputs);
    expect(ofWorkflow.length).toBeLessThanOrEqual(mostInputs);
    expect(ofAction).toEqual(declaredByAction.map(({ name }) => name));
    expect(ofWorkflow).toEqual(declaredByWorkflow.map(({ name }) => name));
  });

  test("leaves no input without a place: the file, `settings`, or another that takes its place", () => {
    for (const { name, door, form, instead } of inputs) {
      if (door === undefined) expect([name, form ?? instead]).not.toEqual([name, undefined]);
      expect(instead === undefined || door === undefined, name).toBe(true);
    }
  });

  test("docs say which inputs the reusable workflow lacks", () => {
    const [, said = ""] = /takes the same inputs except (.*):$/m.exec(textOf("docs/configuration.md")) ?? [];
    const [lacks = "", has = ""] = said.split("It adds");
    const names = (text: string) => [...text.matchAll(/`([\w-]+)`/g)].map(([, name]) => name).toSorted();
    expect(names(lacks)).toEqual(ofAction.filter((name) => !ofWorkflow.includes(name)).toSorted());
    expect(names(has)).toEqual(ofWorkflow.filter((name) => !ofAction.includes(name)).toSorted());
  });

  test("of the workflow takes text alone, with the defaults of the action", () => {
    expect(new Set(Object.values(declaredInWorkflow).map(({ type }) => type))).toEqual(new Set(["string"]));
    for (const [name, { default: usual }] of Object.entries(
      without(declaredInWorkflow, Object.keys(workflowInputs)),
    ))
      expect([name, usual]).toEqual([name, action.inputs[name]?.default]);
  });
});

describe("descriptions", () => {
  const { workflow_call: called } = loadtest.on;
  const wholes = {
    ...called?.inputs,
    ...called?.outputs,
    ...called?.secrets,
    ...action.inputs,
    ...action.outputs,
  };

  test("have at most 30 words", () => {
    const described = [
      ...Object.entries(wholes),
      ...[...allKeys, ...inputs].map((each) => [each.name, each] as const),
    ].map(([name, { description }]) => [name, description.split(/\s+/).length] as const);
    expect(described.filter(([, words]) => words > 30)).toEqual([]);
  });

  test("go on in the documentation alone", () => {
    const { description = "", details = "" } = inputs.find(({ name }) => name === "fail-on") ?? {};
    expect(textOf("docs/configuration.md")).toContain(`${description} ${details} Default: \`regression\`.`);
    for (const path of ["action.yml", "README.md", "schema/loadtest.json"])
      expect(textOf(path)).not.toContain(details);
  });
});

describe("action.yml", () => {
  test("reports inputs that it does not declare", () => {
    const { UNDECLARED: undeclared = "" } = step("preflight").env ?? {};
    const told = [...undeclared.matchAll(/\$\{\{ inputs\.([\w-]+) && '([\w-]+)' \}\}/g)];
    for (const [, input, name] of told) expect(input).toBe(name);
    expect(told.map(([, name]) => name)).toEqual(
      inputs.map(({ name }) => name).filter((name) => !ofAction.includes(name)),
    );
  });

  test("hands every input to the step that measures but those of the comment", () => {
    const names = ofAction.filter(
      (name) => !Object.hasOwn(actionInputs, name) && !["comment-mode", "report-id"].includes(name),
    );
    const { COMMAND: _, "INPUT_GITHUB-TOKEN": taken, LOADTEST_K6: __, ...more } = step("measure").env ?? {};
    const { LOADTEST_END: ___, ...others } = more;
    expect(others).toEqual(handedOver(names));
    expect(taken).toBe(""); // nothing, where a runner would hand it over by itself
    expect(JSON.stringify(others)).not.toMatch(/token/i);
  });

  test("hands the report its inputs, and it and the announcement alone the token", () => {
    const named = { INPUT_REPORT_ID: `\${{ steps.preflight.outputs.report-id || inputs.report-id }}` };
    const announced = { ...handedOver(["comment-mode", "check-name", "history-branch"]), ...named };
    // What ran in the same job may have set these for the steps that come after it.
    const unloaded = {
      NODE: `\${{ steps.preflight.outputs.node-path || 'node' }}`,
      PROGRAMS: step("announce").env?.["PROGRAMS"],
      GIVEN: `\${{ steps.preflight.outputs.given }}`,
      // NODE_COMPILE_CACHE names a folder of code that Node runs in place of a file.
      ...{ BASH_ENV: "", NODE_OPTIONS: "", NODE_PATH: "", NODE_COMPILE_CACHE: "" },
      ...{ LD_AUDIT: "", LD_PRELOAD: "", LD_LIBRARY_PATH: "" },
    };
    for (const id of ["announce", "withdraw"])
      expect(variablesOf(id)).toEqual({ ...announced, ...token, ...unloaded });
    const checks = action.runs.steps
      .filter(({ id = "" }) => ["announce", "report", "withdraw"].includes(id))
      .map(({ run = "", shell }) => {
        const [before, start = ""] = run.trimEnd().split(/\n(?=exec )/);
        const check = before?.slice(before.indexOf("# Files that"));
        expect(start).toMatch(/^exec "\$NODE" "\$GITHUB_ACTION_PATH\/dist\/cli\.js" /);
        // By its own path, and without functions or files that variables name.
        expect(shell).toBe("/bin/bash --noprofile --norc -p -eo pipefail {0}");
        return check;
      });
    expect(new Set(checks).size).toBe(1);
    const holders = action.runs.steps.filter(({ env }) => env?.["GITHUB_TOKEN"] !== undefined);
    expect(holders.map(({ id }) => id)).toEqual(["announce", "report", "withdraw"]);
    const whenPlanned = (name: string) =>
      `\${{ (inputs.command != 'run' || steps.measure.outputs.plan != '') && inputs.${name} || '' }}`;
    expect(variablesOf("report")).toEqual({
      COMMAND: `\${{ inputs.command == 'post' && 'post' || 'report' }}`,
      ...handedOver(["plan"]),
      ...announced,
      LOADTEST_JOB: `\${{ github.job }}-\${{ steps.preflight.outputs.job-number }}`,
      // Nor must what was wrong with these keep an earlier run's comment from its correction.
      INPUT_FAIL_ON: whenPlanned("fail-on"),
      INPUT_SETTINGS: whenPlanned("settings"),
      INPUT_THRESHOLDS: whenPlanned("thresholds"),
      // Without a plan there is nothing to report on: not what an earlier use of the action left.
      INPUT_RESULTS_DIRECTORY: `\${{ inputs.command == 'run' && steps.measure.outputs.plan == '' && format('{0}/loadtest-nothing', runner.temp) || inputs.results-directory }}`,
      ...token,
      ...unloaded,
    });
  });

  test("takes each output from the step that makes it", () => {
    const ofThePlan = [
      ...["plan", "plan-id", "matrix", "worker-counts", "endpoints", "database"],
      ...["max-parallel", "fetch-depth"],
    ];
    for (const [name, { value }] of Object.entries(action.outputs)) {
      const maker = name.startsWith("report-")
        ? "preflight"
        : ofThePlan.includes(name)
          ? "measure"
          : "report";
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
    expect(given["report-id"]?.default).toBe(action.inputs["report-id"]?.default);
  });

  test("hands on what the action says of the comment", () => {
    expect(Object.keys(outputs)).toEqual(["comment", "comment-url"]);
  });
});

describe("loadtest.yml", () => {
  const withOf = (job: string) => loadtest.jobs[job]?.steps?.find(({ uses }) => uses === "$/")?.with ?? {};
  const ofReport = ["report-id", "comment-mode", ...namingInputs];

  test.for([
    ["announce", ofReport, []],
    [
      "plan",
      ofWorkflow.filter((name) => isKey(name) || ["config", "settings", "report-id"].includes(name)),
      [],
    ],
    [
      "measure",
      ofWorkflow.filter((name) => isKey(name) || ["config", "settings"].includes(name)),
      ["report-id", "plan"],
    ],
    ["report", [...ofReport, "fail-on", "thresholds", "settings"], ["plan"]],
    ["withdraw", ofReport, []],
  ] as const)("hands each input that it takes to the action in the job %s", ([job, names, added]) => {
    const given = without(withOf(job), ["command", ...added]);
    expect(Object.keys(given).toSorted()).toEqual(names.toSorted());
    const copied = without(given, byHand[`job ${job}`] ?? []);
    expect(copied).toEqual(
      Object.fromEntries(Object.keys(copied).map((name) => [name, `\${{ inputs.${name} }}`])),
    );
  });

  test("gives a job of the matrix its own, and the report nothing that may have been wrong", () => {
    expect(withOf("measure")).toMatchObject({
      config: `\${{ matrix.config }}`,
      name: `\${{ matrix.app }}`,
      workers: `\${{ matrix.workers }}`,
      endpoints: `\${{ matrix.endpoint }}`,
      "database-url": expect.stringContaining("inputs.database-url || (job.services.postgres.id"),
    });
    for (const name of byHand["job report"] ?? [])
      expect(withOf("report")[name]).toBe(`\${{ needs.plan.outputs.plan != '' && inputs.${name} || '' }}`);
  });

  test("tells each part what the whole is", () => {
    expect(withOf("measure")["plan"]).toBe(`\${{ needs.plan.outputs.plan }}`);
    expect(withOf("report")["plan"]).toBe(
      `\${{ (needs.plan.outputs.matrix != '' && needs.plan.outputs.plan) || (needs.plan.result == 'success' && 'lost') || '' }}`,
    );
  });
});
