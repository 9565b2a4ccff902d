import { describe, expect, test } from "vitest";

import { root } from "./files.ts";

const { findingsIn } = await import(`${root}/scripts/lib/vocabulary.mjs`);
/** Lines and words, as `3 told`. */
const found = (path: string, text: string): string[] =>
  findingsIn(path, text).map(({ line, words }: { line: number; words: string }) => `${line} ${words}`);

/** As it stands in the template of a program. */
const placeholder = "$".concat("{b}");

describe("the words that we do not write", () => {
  test.for([
    ["a space before the percent sign", "a.md", "It is 3 % slower.", ["1 3 %"]],
    ["percent of a placeholder", "a.ts", `const a = \`${placeholder} %\`;`, ["1 } %"]],
    ["a word that is two", "a.md", "Two slow-downs.", ["1 slow-downs"]],
    ["in a name", "a.ts", "const wasTold = tellsApart(surely);", ["1 Told", "1 tells", "1 surely"]],
    ["in a name of Python", "a.py", "told_late = 1", ["1 told"]],
    [
      "over two lines of a comment",
      "a.ts",
      "// It runs in the\n// place of another.",
      ["1 in the // place of"],
    ],
    ["an order to say something", "a.ts", 'const a = "no port; say `port` of the app";', ["1 say"]],
    ["what a report says", "a.md", "The report says why.", ["1 report says"]],
    ["a file that is stood beside", "a.md", "It stands beside it.", ["1 stands", "1 beside"]],
    ["what was never released", "a.yml", "with:\n  app-folder: api", ["2 app-folder"]],
    ["two in one line", "a.md", "For sure none of ours.", ["1 none of ours"]],
    ["certain enough", "a.md", "It is not sure.", ["1 not sure"]],
  ] as const)("are found: %s", ([, path, text, expected]) => {
    expect(found(path, text)).toEqual(expected);
  });

  test.for([
    ["percent without a space, and a remainder", "a.ts", 'const a = "3%", b = 5 % two;'],
    ["a slowdown", "a.md", "One slowdown, and max-slowdown."],
    ["part of another word", "a.ts", "const untold = recommended + stand_in;"],
    ["a stand-in", "a.md", "It stands for a stand-in, as it stands."],
    ["what is made sure", "a.md", "Make sure that it runs."],
    ["a person who says", "a.md", "A member may say why. The maintainer says yes."],
  ] as const)("are not found: %s", ([, path, text]) => {
    expect(found(path, text)).toEqual([]);
  });
});

describe("the sentences that we do not write", () => {
  test.for([
    ["opened by Of", "a.md", "One.\nOf two apps one.", ["2 Of"]],
    ["opened by Whether in a comment", "a.ts", "/** Whether it runs. */\nexport {};", ["1 Whether"]],
    ["in a second line of a comment", "a.yml", "# It runs.\n# Of two one does.", ["2 Of"]],
    ["in a docstring", "a.py", 'def a():\n    """Of two one."""', ["2 Of"]],
    ["in a text of a program", "a.ts", 'const a = "What is missing fails.";', ["1 What"]],
    [
      "in a description",
      "a.yml",
      "a:\n  description: >-\n    It runs. Where it\n    stops it fails.",
      ["3 Where"],
    ],
    ["in a cell of a table", "a.md", "| a | b |\n|---|---|\n| x | Whether it runs |", ["3 Whether"]],
    ["in a list", "a.md", "- one\n- Who runs it pays.", ["2 Who"]],
    ["a chain", "a.md", "It is one; it is `two`; it is three.", ["1 It is one; it is `two`; it is three."]],
    [
      "a chain in a template",
      "a.ts",
      `const a = \`the ${placeholder}; the two; the three\`;`,
      [`1 the ${placeholder}; the two; the three`],
    ],
  ] as const)("are found: %s", ([, path, text, expected]) => {
    expect(found(path, text)).toEqual(expected);
  });

  test.for([
    ["a question", "a.md", "What does it cost? Ten minutes."],
    ["a heading", "a.md", "# What it costs\n\nTen minutes."],
    ["the first line of a comment", "a.ts", "/** What it costs. */\nexport {};"],
    ["a name that begins so", "a.md", "Offset. Whatever."],
    ["one semicolon in each sentence", "a.md", "It is one; it is two. It is three; it is four."],
    ["semicolons of code", "a.ts", "for (let the = 0; the < 1; the++) {}"],
    ["semicolons of a block of code", "a.md", "```sh\nis a; of b; to c\n```"],
    ["commands", "a.ts", 'const a = "import os; import sys; run()";'],
    ["names in a cell", "a.md", '| `a.ts` "the one"; `b.ts` "the two"; `c.ts` "the three" |'],
  ] as const)("are not found: %s", ([, path, text]) => {
    expect(found(path, text)).toEqual([]);
  });
});
