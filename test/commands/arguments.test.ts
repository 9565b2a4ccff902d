import { describe, expect, test } from "vitest";

import { helpText, parseArguments, variableOf } from "../../src/commands/arguments.ts";
import { inputs } from "../../src/config/inputs.ts";

const given = (argv: readonly string[], environment = {}) => {
  const parsed = parseArguments(argv, environment);
  if (parsed.kind !== "run") return parsed;
  const raw = Object.fromEntries(Object.entries(parsed.raw).filter(([, value]) => value !== undefined));
  return { ...parsed, raw };
};

describe("parseArguments", () => {
  test.for([
    { argv: ["run", "--app", "a:b"], expected: { kind: "run", verb: "run", raw: { app: "a:b" } } },
    {
      argv: ["plan", "--endpoints=/a?b=c"],
      expected: { kind: "run", verb: "plan", raw: { endpoints: "/a?b=c" } },
    },
    { argv: ["report"], expected: { kind: "run", verb: "report", raw: {} } },
    { argv: ["run", "--workres", "1"], expected: { kind: "run", verb: "run", raw: { workres: "1" } } },
    {
      argv: ["run", "--base", "main"],
      expected: { kind: "run", verb: "run", raw: { "base-ref": "main" } },
    },
    { argv: ["run", "--base=v1"], expected: { kind: "run", verb: "run", raw: { "base-ref": "v1" } } },
    {
      argv: ["run", "--config", "a.yml", "--config=b.yml"],
      expected: { kind: "run", verb: "run", raw: { config: "a.yml\nb.yml" } },
    },
    {
      argv: ["announce"],
      expected: { kind: "announce", reportId: "default", mode: "always", isWithdrawal: false },
    },
    {
      argv: ["announce", "7"],
      expected: { kind: "wrong", problem: "announce takes one option, --report-id NAME" },
    },
    {
      argv: ["trends", "--history=origin/h"],
      expected: { kind: "trends", history: "origin/h", resultsFolder: "loadtest-results", python: "auto" },
    },
    {
      argv: ["trends", "--history", "-x"],
      expected: {
        kind: "wrong",
        problem: 'history: must be a folder or a ref, e.g. origin/loadtest-history (got "-x")',
      },
    },
    { argv: ["post"], expected: { kind: "post", reportId: "default" } },
    {
      argv: ["post", "--x"],
      expected: { kind: "wrong", problem: "post takes one option, --report-id NAME" },
    },
    { argv: [], expected: { kind: "help" } },
    { argv: ["run", "--help"], expected: { kind: "help" } },
    { argv: ["--version"], expected: { kind: "version" } },
    {
      argv: ["runn"],
      expected: {
        kind: "wrong",
        problem: 'unknown command "runn"; known are run, plan, measure, report, announce, init, post, trends',
      },
    },
    {
      argv: ["reproduce", "one-keyword", "--size", "full"],
      expected: {
        kind: "wrong",
        problem: "reproduce: is a program of its own; run `node dist/reproduce.js one-keyword --size full`",
      },
    },
    {
      argv: ["run", "app"],
      expected: { kind: "wrong", problem: '"app" is not an option; options are --name value' },
    },
    {
      argv: ["init", "--app", "a:b"],
      expected: { kind: "init", apps: ["a:b"], appFolders: [], overwrites: false },
    },
    {
      argv: ["init", "x"],
      expected: {
        kind: "wrong",
        problem: '"x" is not an option of init; known are --app, --app-folder, --overwrite',
      },
    },
    { argv: ["run", "--app"], expected: { kind: "wrong", problem: "--app needs a value" } },
  ])("$argv", ({ argv, expected }) => {
    expect(given(argv)).toEqual(expected);
  });

  test("takes the action's inputs from variables; the command line wins", () => {
    const environment = { INPUT_APP_FOLDER: "api", INPUT_WORKERS: "4", INPUT_CONFIG: "a.yml" };
    expect(given(["run", "--workers", "1", "--config", "b.yml"], environment)).toEqual({
      kind: "run",
      verb: "run",
      raw: { "app-folder": "api", workers: "1", config: "b.yml" },
    });
  });
});

test("help names every input", () => {
  for (const { name } of inputs) expect(helpText()).toMatch(new RegExp(`^  --${name}(, --\\w+)?$`, "m"));
  expect(helpText()).toContain("  --base-ref, --base\n");
  expect(new Set(inputs.map(({ name }) => variableOf(name))).size).toBe(inputs.length);
  const words = inputs.flatMap(({ name, alias }) => [name, ...(alias === undefined ? [] : [alias])]);
  expect(new Set(words).size).toBe(words.length);
});
