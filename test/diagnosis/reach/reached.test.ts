import { expect, test } from "vitest";
import type { ChangedFile } from "../../../src/diagnosis/reach/changed-files.ts";
import { type ReachDocument, unreachedBy } from "../../../src/diagnosis/reach/reached.ts";

type Function = NonNullable<ReachDocument["files"][number]["functions"]>[number];

const ranIn = (ran: readonly string[], functions: Partial<Function> = {}): Function => ({
  name: "close",
  first: 10,
  last: 19,
  ran: [...ran],
  ...functions,
});

/** A process that loaded shop.py with these functions; line 5 is a comment. */
const process = (functions: Function[] | null, opened: string[] = []): ReachDocument => ({
  schemaVersion: 1,
  windows: ["start", "cell 0", "cell 1"],
  doubts: [],
  opened,
  files: [{ file: "shop.py", functions, empty: [5] }],
});

const change = (path: string, head: number[], base: number[] = [], isUntracked = false): ChangedFile => ({
  path,
  lines: {
    base: base.map((line) => ({ first: line, last: line })),
    head: head.map((line) => ({ first: line, last: line })),
  },
  ...(isUntracked && { isUntracked: true }),
});

const idle = process([ranIn([])]);
const runs = undefined;
const closeIdle = { functions: ["shop.py: close"], files: [] };

test.for<
  [
    what: string,
    files: ChangedFile[],
    base: ReachDocument[],
    head: ReachDocument[],
    isFilled: boolean,
    found: object | undefined,
  ]
>([
  ["a function that does not run", [change("shop.py", [12])], [idle], [idle], false, closeIdle],
  ["one that runs for these", [change("shop.py", [12])], [idle], [process([ranIn(["cell 0"])])], false, runs],
  [
    "one that runs for others",
    [change("shop.py", [12])],
    [idle],
    [process([ranIn(["cell 1"])])],
    false,
    closeIdle,
  ],
  [
    "one that ran at the start",
    [change("shop.py", [12])],
    [idle],
    [process([ranIn(["start"])])],
    false,
    runs,
  ],
  [
    "one that ran in the base only",
    [change("shop.py", [], [12])],
    [process([ranIn(["cell 0"])])],
    [idle],
    false,
    runs,
  ],
  [
    "one that ran in another process",
    [change("shop.py", [12])],
    [idle],
    [idle, process([ranIn(["cell 0"])])],
    false,
    runs,
  ],
  ["a line outside of functions", [change("shop.py", [3])], [idle], [idle], false, runs],
  [
    "a comment outside of functions",
    [change("shop.py", [5])],
    [idle],
    [idle],
    false,
    { functions: [], files: [] },
  ],
  [
    "a function within one that ran",
    [change("shop.py", [15])],
    [idle],
    [process([ranIn(["cell 0"]), ranIn([], { name: "close.inner", first: 14, last: 16 })])],
    false,
    { functions: ["shop.py: close.inner"], files: [] },
  ],
  ["a file with unknown lines", [change("shop.py", [12])], [idle], [process(null)], false, runs],
  [
    "a file that is not loaded",
    [change("other.py", [1])],
    [idle],
    [idle],
    false,
    { functions: [], files: ["other.py"] },
  ],
  ["one that commands may run", [change("other.py", [1])], [idle], [idle], true, runs],
  [
    "a test beside commands",
    [change("tests/a.py", [1])],
    [idle],
    [idle],
    true,
    { functions: [], files: ["tests/a.py"] },
  ],
  ["a file that is read", [change("README.md", [])], [idle], [process([], ["README.md"])], false, runs],
  [
    "a file among more that are read than the probe lists",
    [change("web/app.tsx", [1])],
    [idle],
    [
      process(
        [],
        Array.from({ length: 2_000 }, (_, index) => `${index}.html`),
      ),
    ],
    false,
    runs,
  ],
  [
    "one that no commit has",
    [change("out.log", [1], [], true)],
    [idle],
    [idle],
    true,
    { functions: [], files: [] },
  ],
  [
    "one of those that is read",
    [change("out.log", [1], [], true)],
    [idle],
    [process([], ["out.log"])],
    false,
    runs,
  ],
  [
    "two files",
    [change("README.md", []), change("shop.py", [12], [12])],
    [idle],
    [idle],
    false,
    { functions: ["shop.py: close"], files: ["README.md"] },
  ],
])("%s", ([, files, base, head, isFilled, found]) => {
  expect(unreachedBy("cell 0", files, { base, head }, isFilled)).toEqual(found);
});
