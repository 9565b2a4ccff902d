import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/engine.ts";
import { parseScenario } from "../../scenario/scenario-parser.ts";
import { claims } from "../published.ts";

const minimal = `
title: T
report: r
sizes: { quick: {}, full: {} }
cases:
  - id: a
`;

const read = (yaml: string, size: "quick" | "full" = "quick") => parseScenario("x", yaml, size, claims);

function problemsOf(yaml: string): readonly string[] {
  try {
    read(yaml);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

describe("parseScenario", () => {
  test("a title, a report and a case are enough", () => {
    expect(read(minimal)).toEqual({
      name: "x",
      title: "T",
      report: "r",
      cases: [{ id: "a", also: [], inputs: {}, parameters: {}, facts: {}, beside: undefined, turns: 1 }],
      claims: {},
    });
  });

  const layered = `
title: T
report: r
inputs: { vus: 1, endpoints: /file, app-env: { A: 1, B: 1 } }
parameters: { S: 1 }
facts: { a: file }
beside: { command: "serve --sleep {S} {port}", variable: URL }
sizes:
  quick: { inputs: { vus: 2 }, parameters: { S: 0.5 }, claims: { P10: { predicted: 3 } } }
  full: { facts: { a: full } }
cases:
  - id: a
    inputs: { endpoints: "/case?s={S}&b={unknown}", app-env: { B: 2 } }
    quick: { facts: { b: case of size } }
  - id: b
    beside: null
    inputs: { endpoints: [/1, /2], comment: false }
`;

  test("a case takes what the file says, then its size, then its own", () => {
    const { cases, claims: overrides } = read(layered);
    expect(cases[0]).toEqual({
      id: "a",
      also: [],
      inputs: { vus: "2", endpoints: "/case?s=0.5&b={unknown}", "app-env": "A=1\nB=2" },
      parameters: { S: 0.5 },
      facts: { a: "file", b: "case of size" },
      turns: 1,
      beside: { command: "serve --sleep 0.5 {port}", variable: "URL" },
    });
    expect(overrides).toEqual({ P10: { predicted: 3 } });
  });

  test("sizes do not mix", () => {
    const { cases, claims: overrides } = read(layered, "full");
    expect(cases[0]).toMatchObject({ inputs: { vus: "1" }, parameters: { S: 1 }, facts: { a: "full" } });
    expect(overrides).toEqual({});
  });

  test("a list is one line each, and null takes a server beside the app away", () => {
    expect(read(layered).cases[1]).toMatchObject({
      inputs: { endpoints: "/1\n/2", comment: "false", vus: "2" },
      beside: undefined,
    });
  });

  test("turns are of a case, and may be of one size only", () => {
    const yaml = `${minimal}    quick: { turns: 2 }\n  - id: b\n    turns: 3\n`;
    const turnsAt = (size: "quick" | "full") => read(yaml, size).cases.map(({ turns }) => turns);
    expect([turnsAt("quick"), turnsAt("full")]).toEqual([
      [2, 3],
      [1, 3],
    ]);
    expect(problemsOf(`${minimal}    turns: 0\n`).join()).toContain("turns");
  });

  test.for([
    { name: "no YAML", yaml: "a: [", problem: "Flow sequence" },
    { name: "a key that appears twice", yaml: `${minimal}title: again\n`, problem: "unique" },
    { name: "an unknown key", yaml: `${minimal}nosuch: 1\n`, problem: "nosuch" },
    {
      name: "an unknown input",
      yaml: `${minimal}    inputs: { worker: 1 }\n`,
      problem: "reproduce/scenarios/x.yml: a: worker: is not an input; did you mean workers?",
    },
    { name: "two cases of one name", yaml: `${minimal}  - id: a\n`, problem: "a appears twice" },
    { name: "a case with another's name", yaml: `${minimal}    also: [a]\n`, problem: "a appears twice" },
    { name: "no cases", yaml: minimal.replace(/cases:.*/s, "cases: []\n"), problem: "cases" },
    {
      name: "a claim that is not there",
      yaml: minimal.replace("quick: {}", "quick: { claims: { Z99: {} } }"),
      problem: "there is no claim Z99",
    },
  ])("refuses $name", ({ yaml, problem }) => {
    expect(problemsOf(yaml).join("\n")).toContain(problem);
  });
});
