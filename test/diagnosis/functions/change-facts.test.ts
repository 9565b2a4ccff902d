import { expect, test } from "vitest";
import {
  callsKey,
  callsPerRequest,
  changedNames,
  loneLines,
  packageKey,
  turnedFunctions,
} from "../../../src/diagnosis/functions/change-facts.ts";

const diff = `diff --git a/settings.py b/settings.py
--- a/settings.py
+++ b/settings.py
@@ -3 +3,2 @@ """Settings."""
-ROUNDS = 40
+ROUNDS = 60
+LIMIT: int = 5
@@ -9,0 +11,3 @@
+def f():
+    INNER = 1
+SAME == 2
`;

test("names that a diff assigns at the left margin, with their lines", () => {
  expect(changedNames("settings.py", diff).map(({ name, line }) => [name, line])).toEqual([
    ["ROUNDS", 3],
    ["LIMIT", 4],
  ]);
  expect(changedNames("settings.py", "")).toEqual([]);
});

test("functions that a diff makes plain ones or asynchronous", () => {
  const turned = `@@ -3 +3 @@
-async def plain():
+def plain():
@@ -8 +8 @@
-    def method(self):
+    async def method(self):
@@ -12,2 +12,2 @@
-def same(a):
+def same(b):
+def new():
`;
  expect(turnedFunctions("app.py", turned).map(({ name, line }) => [name, line])).toEqual([
    ["plain", 3],
    ["method", 8],
  ]);
});

test("lines that a diff only takes away, with the line that follows them", () => {
  const taken = `--- a/shop.py
+++ b/shop.py
@@ -4 +3,0 @@ import re
-@lru_cache(maxsize=None)
@@ -9,3 +7,0 @@ def slug(name):
-    # Each name once.
-    if name in KNOWN:
-        return KNOWN[name]
@@ -20 +15 @@
-    a = 1
+    a = 2
@@ -26 +22,0 @@
-    # said already
@@ -30,0 +26,2 @@
+
+@cache
@@ -40 +36,0 @@
-    colour = "#fff"  # white
`;
  expect(loneLines("shop.py", taken)).toEqual([
    { kind: "removed", file: "shop.py", before: 4, line: 4, text: "@lru_cache(maxsize=None)" },
    { kind: "removed", file: "shop.py", before: 8, line: 8, text: "if name in KNOWN:" },
    { kind: "added", file: "shop.py", before: 31, line: 27, text: "@cache" },
    { kind: "removed", file: "shop.py", before: 37, line: 37, text: 'colour = "#fff"  # white' },
  ]);
  const [added] = loneLines("shop.py", diff);
  expect(added).toEqual({ kind: "added", file: "shop.py", before: 10, line: 11, text: "def f():" });
});

test("calls in one request of each arm, over all processes", () => {
  const document = (window: string, count: number | undefined) => ({
    ...{ schemaVersion: 1 as const, windows: [], doubts: [], opened: [] },
    files: [
      { file: "none.py", functions: null, empty: [] },
      {
        file: "shop.py",
        empty: [],
        functions: [
          {
            name: "Shop.close.inner",
            first: 1,
            last: 2,
            ran: ["start", window],
            ...(count !== undefined && { calls: [1, count] }),
          },
        ],
      },
    ],
  });
  const calls = callsPerRequest(
    {
      base: [document("w", 12), document("other", 99), document("w", undefined)],
      head: [document("w", 300), document("w", 60)],
    },
    "w",
    { base: 12, head: 12 },
  );
  expect([...calls]).toEqual([[callsKey("shop.py", "Shop.close.<locals>.inner"), { base: 1, head: 30 }]]);
});

test("packages by the name of their module", () => {
  expect(packageKey("Pydantic-Core")).toBe("pydantic_core");
});
