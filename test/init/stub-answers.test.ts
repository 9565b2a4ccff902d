import { expect, test } from "vitest";

import type { Project } from "../../src/init/project.ts";
import { withStubAnswers } from "../../src/init/stub-answers.ts";

function project(body: Record<string, string | number> | undefined): Project {
  const route = { path: "/*", delay: "50ms", ...(body && { body }) };
  return {
    files: [],
    installer: undefined,
    openRequirements: [],
    findings: [
      { key: "app", value: "main:app", reason: "" },
      { key: "stubs", value: { rates: { "app-env": { URL: "{url}" }, routes: [route] } }, reason: "" },
    ],
    hasData: false,
    variables: [],
    examples: new Map(),
    lacks: [],
    proposals: [],
  };
}

function bodyAfter(said: string, before: Record<string, string | number> | undefined) {
  const after = withStubAnswers(project(before), said);
  const [, stubs] = after?.project.findings ?? [];
  return Object(stubs?.value).rates?.routes[0].body;
}

test.for<readonly [what: string, said: string, before: Record<string, string | number>, after: unknown]>([
  ["what a mapping lacks", "Traceback\nKeyError: 'net'", {}, { net: 1 }],
  ["what a group of errors names", "  |   KeyError: 'net'", { a: "b" }, { a: "b", net: 1 }],
  ["what a model lacks", "1 error for Rate\nrate\n  Field required [type=missing, in", {}, { rate: 1 }],
  ["a text", "1 error for Rate\nname\n  Input should be a valid string", { name: 1 }, { name: "text" }],
  ["no text of somebody else", "name\n  Input should be a valid string", { name: "x" }, undefined],
  ["what it has", "KeyError: 'net'", { net: 2 }, undefined],
  ["another failure", "ValueError: net", {}, undefined],
])("%s", ([, said, before, after]) => {
  expect(bodyAfter(said, before)).toEqual(after);
});

test("only an answer that has a body is filled, and it is told", () => {
  expect(bodyAfter("KeyError: 'net'", undefined)).toBeUndefined();
  expect(withStubAnswers({ ...project({}), findings: [] }, "KeyError: 'net'")).toBeUndefined();
  expect(withStubAnswers(project({}), "KeyError: 'net'")?.told).toBe(
    "the app looks for net in what others answer, so its stubs answer with made-up values; correct them in `stubs`",
  );
});
