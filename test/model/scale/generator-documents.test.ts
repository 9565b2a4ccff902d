import { expect, test } from "vitest";

import {
  generatorDocument,
  isOfGenerator,
  parseGenerators,
} from "../../../src/model/scale/generator-documents.ts";
import { recordsOf } from "./generators.ts";

test.for([
  ["cells/get-w1-1.generator-2.json", true],
  ["a/cells/get-w1-1.generator-64.json", true],
  ["cells/get-w1-1.json", false],
  ["cells/generator-2.json", false],
] as const)("%s is of a generator: %s", ([name, expected]) => expect(isOfGenerator({ name })).toBe(expected));

test("reads documents, and says which are none", () => {
  const records = recordsOf(1, 2);
  const { records: read, warnings } = parseGenerators([
    { name: "cells/a.generator-1.json", text: generatorDocument(records) },
    {
      name: "cells/a.generator-2.json",
      text: generatorDocument(records).replace('"schemaVersion":1', '"schemaVersion":2'),
    },
    { name: "cells/a.generator-3.json", text: "not JSON" },
    { name: "cells/a.generator-4.json", text: "", problem: "is not a plain file" },
  ]);
  expect(read).toEqual([records]);
  expect(warnings).toEqual([
    "Left out a.generator-2.json: not the records of a generator.",
    "Left out a.generator-3.json: not the records of a generator.",
    "Left out a.generator-4.json: it is not a plain file.",
  ]);
});
