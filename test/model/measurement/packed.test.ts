import { expect, test } from "vitest";

import { versusOf } from "../../../src/compare/cell-comparison.ts";
import { documentText } from "../../../src/model/measurement/documents.ts";
import { packed } from "../../../src/model/measurement/packed.ts";
import { recording } from "../../recordings/recording.ts";

test.for(["shop", "change", "same"] as const)("packed documents of %s say the same, in less", (name) => {
  const { plan, measurements } = recording(name);
  const short = measurements.map(packed);
  expect(short.map(documentText)).toEqual(measurements.map(documentText));
  if (plan.design === undefined) throw new Error("a recording compares two arms");
  expect([...versusOf(short, plan.design)]).toEqual([...versusOf(measurements, plan.design)]);
});
