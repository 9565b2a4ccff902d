import { expect, test } from "vitest";
import { isChanged, parseChangedLines, parseFormerLines } from "../../src/diagnosis/reach/changed-files.ts";

const head = "diff --git a/app/a.py b/app/a.py\n--- a/app/a.py\n+++ b/app/a.py\n";

type Ranges = readonly (readonly [first: number, last: number])[];

test.for<[what: string, diff: string, lines: Ranges, former: Ranges]>([
  ["nothing", "", [], []],
  ["one line", `${head}@@ -3 +3 @@ def f():\n-a\n+b\n`, [[3, 3]], [[3, 3]]],
  ["several lines", `${head}@@ -3,0 +4,2 @@\n+a\n+b\n`, [[4, 5]], []],
  ["lines that are gone", `${head}@@ -3,2 +2,0 @@\n-a\n-b\n`, [], [[3, 4]]],
  [
    "two places",
    `${head}@@ -1 +1 @@\n-a\n+b\n@@ -9,0 +10,3 @@\n+c\n+d\n+e\n`,
    [
      [1, 1],
      [10, 12],
    ],
    [[1, 1]],
  ],
  ["contents that look like a hunk", `${head}@@ -1 +1 @@\n-@@ -7 +7 @@\n+@@ -8 +8 @@\n`, [[1, 1]], [[1, 1]]],
  ["a binary file", "diff --git a/x b/x\nBinary files a/x and b/x differ\n", [], []],
])("%s", ([, diff, lines, former]) => {
  expect(parseChangedLines(diff).map(({ first, last }) => [first, last])).toEqual(lines);
  expect(parseFormerLines(diff).map(({ first, last }) => [first, last])).toEqual(former);
});

test("a line is changed within a stretch, ends included", () => {
  const changed = [{ first: 4, last: 6 }];
  expect([3, 4, 6, 7].map((line) => isChanged(line, changed))).toEqual([false, true, true, false]);
});
