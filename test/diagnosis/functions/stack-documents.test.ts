import { expect, test } from "vitest";
import { parseStackDocuments } from "../../../src/diagnosis/probe-documents.ts";
import { frame, stacks } from "./samples.ts";

const plain = stacks([{ stack: [[frame(), 12]], microseconds: 1 }]);
const written = (document: unknown, name = "worker-1-ab.json") => ({ name, text: JSON.stringify(document) });

test.for<
  [what: string, files: Parameters<typeof parseStackDocuments>[0], documents: number, warnings: number]
>([
  ["two processes", [written(plain), written(plain)], 2, 0],
  [
    "instructions, as far as they were counted",
    [
      written({
        ...plain,
        samples: [
          [1, 0, 2, 2, 9],
          [1, 0, 2, 2],
        ],
      }),
    ],
    1,
    0,
  ],
  ["fewer than no instructions", [written({ ...plain, samples: [[1, 0, 2, 2, -9]] })], 0, 1],
  ["a start's note", [written({}, "start-1-ab.json")], 0, 0],
  ["another window", [written({ ...plain, window: "other" })], 0, 0],
  ["another form", [written({ ...plain, samples: [[1]] })], 0, 1],
  ["no JSON", [{ name: "worker-1-ab.json", text: "{" }], 0, 1],
  [
    "what could not be seen, once",
    [written({ ...plain, unseen: ["it hides"] }), written({ ...plain, unseen: ["it hides"] })],
    2,
    1,
  ],
])("%s", ([, files, documents, warnings]) => {
  const found = parseStackDocuments(files, "w");
  expect([found.documents.length, found.warnings.length]).toEqual([documents, warnings]);
});
