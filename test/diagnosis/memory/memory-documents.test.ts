import { expect, test } from "vitest";
import { parseMemoryDocuments } from "../../../src/diagnosis/probe-documents.ts";
import { keeping, place } from "./samples.ts";

const file = (text: unknown, name = "worker-1-ab.json") => ({ name, text: JSON.stringify(text) });
const told = keeping([[place(), 100]]);

test("documents of the window are read, those of another are behind, and other files are none of ours", () => {
  const before = keeping([], { window: "start" });
  expect(parseMemoryDocuments([file(told), file(before), file({}, "start-1-ab.json")], "w")).toEqual({
    documents: [told],
    behind: 1,
    doubts: [],
  });
});

test.for<[what: string, text: string, doubts: readonly string[]]>([
  ["no JSON", "{", ["worker-1-ab.json was not written by this version of the probe"]],
  [
    "of another form",
    JSON.stringify({ ...told, keptBytes: "many" }),
    ["worker-1-ab.json was not written by this version of the probe"],
  ],
  [
    "one that could not trace",
    JSON.stringify(keeping([], { unseen: ["the app uses tracemalloc for itself"] })),
    ["the app uses tracemalloc for itself"],
  ],
])("a doubt: %s", ([, text, doubts]) => {
  expect(parseMemoryDocuments([{ name: "worker-1-ab.json", text }], "w").doubts).toEqual(doubts);
});
