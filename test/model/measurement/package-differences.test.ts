import { expect, test } from "vitest";
import { packageDifferences } from "../../../src/model/measurement/environment.ts";

test.for([
  [{}, {}, undefined],
  [{ a: "1" }, { a: "1" }, undefined],
  [{ a: "1", b: "2" }, { a: "1.1", b: "2" }, { a: "1" }],
  [{ gone: "1" }, { added: "2" }, { gone: "1", added: "" }],
  [{}, { constructor: "1" }, { constructor: "" }],
] as const)("base %j, head %j", ([base, head, expected]) => {
  expect(packageDifferences(base, head)).toEqual(expected);
});
