import { expect, test } from "vitest";

import { parseReachDocuments } from "../../../src/diagnosis/reach/reached.ts";

const plain = { schemaVersion: 1, windows: ["start", "cell 0"], doubts: [], opened: [], files: [] };
const written = (document: unknown, name = "worker-1-ab.json") => ({ name, text: JSON.stringify(document) });

test.for<[what: string, files: Parameters<typeof parseReachDocuments>[0], found: string | number]>([
  ["no process", [], "the probe recorded nothing"],
  ["a start's note alone", [written({}, "start-1-ab.json")], "the probe recorded nothing"],
  ["two processes", [written(plain), written({ ...plain, windows: ["start"] }, "worker-2-ab.json")], 2],
  [
    "a window that none saw",
    [written({ ...plain, windows: ["start"] })],
    "the probe did not see all requests",
  ],
  [
    "a doubt",
    [written({ ...plain, doubts: ["it hides"] })],
    "the probe cannot see everything that runs: it hides",
  ],
  ["another form", [written({ ...plain, files: [{}] })], "the probe could not record what ran"],
  ["no JSON", [{ name: "worker-1-ab.json", text: "{" }], "the probe could not record what ran"],
])("%s", ([, files, found]) => {
  const documents = parseReachDocuments(files, ["cell 0"]);
  expect(typeof documents === "string" ? documents : documents.length).toBe(found);
});
