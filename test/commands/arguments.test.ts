import { describe, expect, test } from "vitest";

import { parseArguments } from "../../src/commands/arguments.ts";
import { variableOf } from "../../src/config/command-line.ts";
import { inputs } from "../../src/config/inputs.ts";
import { InputError } from "../../src/errors/errors.ts";

const given = (argv: readonly string[], environment = {}) => {
  const parsed = parseArguments(argv, environment);
  if (parsed.kind !== "run") return parsed;
  const raw = Object.fromEntries(Object.entries(parsed.raw).filter(([, value]) => value !== undefined));
  return { ...parsed, raw };
};

/** Problems of a command line: thrown, or kept to be told with those of the values. */
function problemsOf(argv: readonly string[], environment = {}): readonly string[] {
  try {
    const parsed = parseArguments(argv, environment);
    return parsed.kind === "run" ? parsed.problems : [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

describe("parseArguments", () => {
  test.for([
    {
      argv: ["run", "--app", "a:b"],
      expected: { kind: "run", verb: "run", raw: { app: "a:b" }, problems: [] },
    },
    {
      argv: ["plan", "--endpoints=/a?b=c"],
      expected: { kind: "run", verb: "plan", raw: { endpoints: "/a?b=c" }, problems: [] },
    },
    { argv: ["report"], expected: { kind: "run", verb: "report", raw: {}, problems: [] } },
    {
      argv: ["run", "--base-ref", "main"],
      expected: { kind: "run", verb: "run", raw: { "base-ref": "main" }, problems: [] },
    },
    {
      argv: ["run", "--base-ref=v1"],
      expected: { kind: "run", verb: "run", raw: { "base-ref": "v1" }, problems: [] },
    },
    {
      argv: ["run", "--config", "a.yml", "--config=b.yml"],
      expected: { kind: "run", verb: "run", raw: { config: "a.yml\nb.yml" }, problems: [] },
    },
    { argv: ["check"], expected: { kind: "check", raw: {}, isJson: false, isWatching: false } },
    {
      argv: ["check", "--json", "--watch", "--app", "a:b"],
      expected: { kind: "check", raw: { app: "a:b" }, isJson: true, isWatching: true },
    },
    {
      argv: ["announce"],
      expected: { kind: "announce", reportId: "default", mode: "always", isWithdrawal: false },
    },
    {
      argv: ["announce", "--withdraw", "--report-id", "x"],
      expected: { kind: "announce", reportId: "x", mode: "always", isWithdrawal: true },
    },
    {
      argv: ["trends", "--history=origin/h"],
      expected: { kind: "trends", history: "origin/h", resultsDirectory: "loadtest-results", python: "auto" },
    },
    { argv: ["post"], expected: { kind: "post", reportId: "default" } },
    {
      argv: ["run", "--control", "--no-only-affected", "--separate-cpus", "--app", "a:b"],
      expected: {
        kind: "run",
        verb: "run",
        raw: { control: "true", "only-affected": "false", "separate-cpus": "true", app: "a:b" },
        problems: [],
      },
    },
    {
      argv: ["run", "--json", "--app", "a:b"],
      expected: { kind: "run", verb: "run", raw: { app: "a:b" }, problems: [], isJson: true },
    },
    {
      argv: ["again", "get-a-w1-abc", "--base-ref", "main"],
      expected: {
        kind: "again",
        verb: "run",
        cell: "get-a-w1-abc",
        raw: { "base-ref": "main" },
        problems: [],
      },
    },
    {
      argv: ["again", "get-a-w1-abc", "--reported-slowdown", "12.5%"],
      expected: { kind: "again", verb: "run", cell: "get-a-w1-abc", reported: 0.125, raw: {}, problems: [] },
    },
    {
      argv: ["bisect", "--good", "v1", "--bad=main", "--endpoint", "/a", "--vus", "4"],
      expected: expect.objectContaining({
        ...{ kind: "bisect", verb: "run", good: "v1", bad: "main", endpoint: "/a" },
        raw: expect.objectContaining({ vus: "4" }),
      }),
    },
    {
      argv: ["explain", "out", "--all"],
      expected: { kind: "explain", resultsDirectory: "out", isAll: true, isMarkdown: false },
    },
    { argv: [], expected: { kind: "help" } },
    { argv: ["--help"], expected: { kind: "help" } },
    { argv: ["help"], expected: { kind: "help" } },
    { argv: ["help", "init"], expected: { kind: "help", of: "init" } },
    { argv: ["run", "-h"], expected: { kind: "help", of: "run" } },
    { argv: ["run", "--vus", "2", "--help"], expected: { kind: "help", of: "run" } },
    { argv: ["--version"], expected: { kind: "version" } },
    {
      argv: ["init", "--app", "a:b"],
      expected: { kind: "init", apps: ["a:b"], appFolders: [], overwrites: false },
    },
  ])("$argv", ({ argv, expected }) => {
    expect(given(argv)).toEqual(expected);
  });

  test.for<readonly [argv: readonly string[], problems: readonly string[]]>([
    [["runn", "--help"], ['unknown command "runn"; did you mean run?']],
    [["runn"], ['unknown command "runn"; did you mean run?']],
    [
      ["everything"],
      [
        'unknown command "everything"; choose from init, check, run, explain, again, bisect, plan, measure, report, announce, post, trends',
      ],
    ],
    [
      ["reproduce", "one-keyword", "--size", "full"],
      ["reproduce: is a separate program; run `node reproduce/dist/reproduce.js one-keyword --size full`"],
    ],
    [["run", "app"], ['"app" is not an option of run; `help run` lists them']],
    [["run", "--app"], ["--app needs a value"]],
    [
      ["bisect", "--good", "v1"],
      [
        "bisect: needs `--good` and `--bad`, commits before and after the change, e.g. --good v1.2 --bad main",
      ],
    ],
    [
      ["again", "get-a-w1-abc", "--reported-slowdown", "12"],
      ['--reported-slowdown must be a percentage above 0% and up to 100%, e.g. 3% (got "12")'],
    ],
    [["again"], ['again: must be followed by the id of a cell, as shown in the comment (got "")']],
    [
      ["again", "--base-ref"],
      ['again: must be followed by the id of a cell, as shown in the comment (got "--base-ref")'],
    ],
    [
      ["run", "--workres", "1", "x", "--vus", "2", "--app"],
      [
        "--workres is not an option of run; did you mean --workers?",
        '"x" is not an option of run; `help run` lists them',
        "--app needs a value",
      ],
    ],
    [
      ["run", "--env-file", ".env"],
      [
        "--env-file is not an option: Node would take it for its own and read that file into this program. Write --settings 'env-file: PATH', or set it in the configuration file",
      ],
    ],
    [["measure", "--histori", "x"], ["--histori is not an option of measure; `help measure` lists them"]],
    [["post", "--x"], ["--x is not an option of post; choose from --report-id"]],
    [["post", "--report-ib=x"], ["--report-ib is not an option of post; did you mean --report-id?"]],
    [["announce", "--withdraw=no"], ['--withdraw takes no value; leave it out (got "no")']],
    [["run", "--control", "true"], ['--control takes no value; use --control (got "true")']],
    [
      ["run", "--only-affected", "false", "--target-cap=no", "--no-control=true"],
      [
        '--only-affected takes no value; use --no-only-affected (got "false")',
        '--target-cap takes no value; use --no-target-cap (got "no")',
        '--no-control takes no value; use --no-control (got "true")',
      ],
    ],
    [["run", "--no-workers"], ["--no-workers is not an option of run; did you mean --workers?"]],
    [
      ["run", "--no-only-afected"],
      ["--no-only-afected is not an option of run; did you mean --no-only-affected?"],
    ],
    [
      ["announce", "--histori", "x"],
      [
        "--histori is not an option of announce; choose from --report-id, --no-comment, --comment-mode, --check-name, --history-branch, --withdraw",
      ],
    ],
    [
      ["init", "x"],
      [
        '"x" is not an option of init; choose from --app, --working-directory, --python, --script, --tests, --replace-login, --overwrite',
      ],
    ],
    [
      ["trends", "--history", "-x"],
      ['history: must be a folder or a ref, e.g. origin/loadtest-history (got "-x")'],
    ],
  ])("%j is refused, for all that is wrong", ([argv, problems]) => {
    expect(problemsOf(argv)).toEqual(problems);
  });

  test("a variable of an input that the action does not declare says where to set it", () => {
    const environment = { INPUT_PYTHON: "python3.12", INPUT_BASE_URL: "x", INPUT_COMMENT: "false" };
    for (const verb of ["run", "report", "announce", "post", "trends"]) {
      expect(problemsOf([verb], environment)).toEqual([
        "python: is not an action input; set it in .github/loadtest.yml, or in the `settings` input (docs/configuration.md)",
        "base-url: is not an action input; set it in the `settings` input (docs/configuration.md)",
        "comment: is not an action input; set `comment-mode: never` instead (docs/configuration.md)",
      ]);
    }
    expect(given(["run"], { INPUT_PYTHON: "" })).toMatchObject({ raw: {} });
  });

  test("a plan is for those that take one, also where a workflow sets it for another command", () => {
    const environment = { INPUT_PLAN: "{}" };
    expect(given(["measure"], environment)).toMatchObject({ raw: { plan: "{}" }, problems: [] });
    for (const verb of ["run", "plan"])
      expect(problemsOf([verb], environment)).toEqual([
        `plan: cannot be set for ${verb}, only for measure and report`,
      ]);
    expect(problemsOf(["run", "--plan", "{}"])).toEqual([
      "--plan is not an option of run; it belongs to measure, report",
    ]);
  });

  test("takes the action's inputs from variables; the command line wins", () => {
    const environment = { INPUT_WORKING_DIRECTORY: "api", INPUT_WORKERS: "4", INPUT_CONFIG: "a.yml" };
    expect(given(["run", "--workers", "1", "--config", "b.yml"], environment)).toEqual({
      kind: "run",
      verb: "run",
      raw: { "working-directory": "api", workers: "1", config: "b.yml" },
      problems: [],
    });
  });
});

test("options and variables of all inputs differ", () => {
  expect(new Set(inputs.map(({ name }) => variableOf(name))).size).toBe(inputs.length);
});
