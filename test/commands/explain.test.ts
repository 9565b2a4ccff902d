import { expect, test } from "vitest";

import { type ExplainPorts, explain, parseExplaining } from "../../src/commands/explain.ts";
import { explainSchema } from "../../src/report/explain/explain-schema.ts";
import { recording } from "../recordings/recording.ts";
import { documentOf, keepingPorts } from "./keeping-ports.ts";

const usual = { resultsDirectory: "out", isAll: false, isMarkdown: false };

function explaining(overrides: Partial<ExplainPorts> = {}) {
  const answers: string[] = [];
  const { ports, texts, saved, events } = keepingPorts(overrides);
  return {
    answers,
    texts,
    saved,
    events,
    ports: { ...ports, answer: (text: string) => void answers.push(text) },
  };
}

const change = recording("change");
const ofChange = {
  readPlan: async () => JSON.stringify(change.plan),
  readCells: async () => change.measurements.map(documentOf),
};

test("prints JSON, and publishes nothing", async () => {
  const { ports, answers, texts, saved } = explaining(ofChange);
  await explain(usual, ports);
  const [text = ""] = answers;
  expect(explainSchema.parse(JSON.parse(text)).causes.length).toBeGreaterThan(0);
  expect([texts, saved.size]).toEqual([[], 0]);
});

test("prints the comment for people", async () => {
  const { ports, answers } = explaining(ofChange);
  await explain({ ...usual, isMarkdown: true }, ports);
  expect(answers.join("")).toMatch(/^## .*got slower[\s\S]*Measure it again/);
});

const missing = "explain: out contains no results; name another folder";
const cells = async () => [{ ...documentOf(), text: '{"schemaVersion":2}' }];

test.for<[what: string, problem: RegExp | string, overrides: Partial<ExplainPorts>]>([
  ["no results", missing, { readCells: async () => [] }],
  [
    "a plan without results",
    missing,
    { readCells: async () => [], readPlan: async () => JSON.stringify(change.plan) },
  ],
  [
    "results of another version",
    /^results-directory: Ignored \S+\.json: not a result of this version \(/,
    { readCells: cells },
  ],
  [
    "results of another version, and a plan",
    /^explain: out contains no results of this version\. Ignored \S+\.json: not a result/,
    { readCells: cells, readPlan: ofChange.readPlan },
  ],
  [
    "another version's plan",
    /^plan: is not a plan that this version wrote/,
    { readPlan: async () => '{"schemaVersion":2}' },
  ],
  ["a broken file", /^plan: is not a plan that this version wrote/, { readPlan: async () => "{" }],
])("one sentence about %s", async ([, problem, overrides]) => {
  const { ports, answers } = explaining(overrides);
  await expect(explain(usual, ports)).rejects.toMatchObject({
    problems: [typeof problem === "string" ? problem : expect.stringMatching(problem)],
  });
  expect(answers).toEqual([]);
});

test.for([
  [[], { ...usual, resultsDirectory: "loadtest-results" }],
  [["out"], usual],
  [["--all", "out"], { ...usual, isAll: true }],
  [["out", "--markdown"], { ...usual, isMarkdown: true }],
] as const)("%j", ([argv, expected]) => {
  expect(parseExplaining(argv)).toEqual(expected);
});

test.for([
  [["a", "b"], 'explain: takes a single results folder (got "a b")'],
  [["--al"], "--al is not an option of explain; did you mean --all?"],
  [["--al", "x"], "--al is not an option of explain; did you mean --all?"],
  [["--all=yes"], '--all takes no value; use --all (got "yes")'],
] as const)("%j is refused", ([argv, problem]) => {
  expect(() => parseExplaining(argv)).toThrow(problem);
});
