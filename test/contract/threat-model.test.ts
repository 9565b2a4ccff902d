import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { root, textOf } from "./files.ts";
import { type NamedTest, testsOf, testsOfKinds } from "./threats.ts";

const text = textOf("docs/internals/threat-model.md");
const rows = [...text.matchAll(/^\|([TF]\d+)\|.*\|(.*)\|$/gm)].map(([, id = "", answer = ""]) => ({
  id,
  answer,
}));
const numbered = (letter: string, last: number) =>
  Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);

/** A test's or a group's start, up to its title: `test.for<Row>([...])(`, `describe.concurrent(`. */
const start = /^[ \t]*(?:test|describe)((?:\.\w+)*)/gm;
const titleAs = (quoted: string, name: string) => `(${quoted}${name}${quoted}`;

/**
 * Whether a file has a test, or a group of tests, of that title that is not passed over: nothing but its own start may
 * stand between the title and the `test` before it, so a title in a comment, or as a string, is none.
 */
function runsTest(file: string, name: string): boolean {
  const starts = [...file.matchAll(start)].map(({ index, 1: form = "" }) => ({ index, form }));
  return starts.some(({ index, form }, at) => {
    if (/\.(?:skip|todo|fails)/.test(form)) return false;
    const own = withoutComments(file.slice(index, starts[at + 1]?.index)).replaceAll(/\(\s+/g, "(");
    const isTable = /\.(?:for|each|runIf|skipIf)/.test(form);
    return ['"', "'", "`"].some((quote) => {
      const found = own.indexOf(titleAs(quote, name));
      // The title is the first argument: of the call itself, or of what a table or a condition gives.
      return found >= 0 && (isTable ? own[found - 1] === ")" : !own.slice(0, found).includes("("));
    });
  });
}

function withoutComments(code: string): string {
  return code.replaceAll(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, "");
}

test.for<[what: string, file: string, runs: boolean]>([
  ["a test", 'test("it holds", () => {', true],
  ["a group", "describe('it holds', () => {", true],
  ["a table", 'test.for([\n  ["a", 1],\n])("it holds", ([a]) => {', true],
  [
    "a table with its form",
    "  test.for<readonly [string, () => void]>(rows)(\n    `it holds`,\n    () => {",
    true,
  ],
  ["where it can run", 'test.runIf(hasProcfs)("it holds", () => {', true],
  ["side by side", 'describe.concurrent("it holds", () => {', true],
  ["a comment", '// test("it holds", () => {', false],
  ["a comment within another's start", 'test.for([\n  // as ("it holds")\n])("other", () => {', false],
  ["a string", 'test("other", () => {\n  expect("it holds").toBe(text("it holds"));', false],
  ["a test that is skipped", 'test.skip("it holds", () => {', false],
  ["a table that is skipped", 'test.skip.for([1])("it holds", () => {', false],
  ["a test to be written", 'test.todo("it holds");', false],
  ["another's start", 'test("it holds not", () => {', false],
])("a test is told from what only looks like it: %s", ([, file, runs]) => {
  expect(runsTest(file, "it holds")).toBe(runs);
});

test("no group or test of any file is passed over for good, or alone", () => {
  const names = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".test.ts"));
  expect(files.length).toBeGreaterThan(100);
  const passedOver = /^[ \t]*(?:test|describe)(?:\.\w+)*\.(?:skip|todo|only)\b/m;
  expect(files.filter((name) => passedOver.test(readFileSync(join(root, "test", name), "utf8")))).toEqual([]);
});

test("the table has each row once, in order", () => {
  const ids = rows.map(({ id }) => id);
  expect(ids).toEqual([...numbered("T", 45), ...numbered("F", 46)]);
  expect(Object.keys(testsOf).filter((id) => !ids.includes(id))).toEqual([]);
});

describe("each row has tests that exist, or says why it has none", () => {
  test.for(rows)("$id", ({ id, answer }) => {
    const tests = testsOf[id] ?? [];
    if (/^(?:Does not apply|Not refused here|Open): /.test(answer)) expect(answer.length).toBeGreaterThan(30);
    else expect(tests.length).toBeGreaterThan(0);
    for (const each of tests) expectRun(each);
  });
});

test("each kind of case has tests that exist", () => {
  for (const tests of Object.values(testsOfKinds)) for (const each of tests) expectRun(each);
});

function expectRun([path, title]: NamedTest): void {
  const file = join(root, "test", path);
  expect([path, existsSync(file)]).toEqual([path, true]);
  const runs = runsTest(readFileSync(file, "utf8"), title);
  expect({ path, title, runs }).toEqual({ path, title, runs: true });
}

test("says how many rows are open", () => {
  const open = rows.filter(({ answer }) => answer.startsWith("Open")).length;
  expect(text).toContain(`Rows that begin with "Open" are known gaps: ${open} of ${rows.length}.`);
});
