import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";

import { resultsSchemas } from "../../scripts/lib/results-schema.ts";
import { compare } from "../../src/compare/compare.ts";
import { figuresOf } from "../../src/report/figures/figures.ts";
import { recording } from "../recordings/recording.ts";
import { textOf } from "./files.ts";

test.for([...resultsSchemas()])("%s is what the program reads by", ([path, text]) => {
  expect(textOf(path)).toBe(text);
});

function validatorOf(name: string) {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(textOf(`schema/${name}.json`)));
}

test.for(["shop", "workers", "heads", "same"] as const)("what a real run left fits: %s", (name) => {
  const { plan, measurements } = recording(name);
  const [isPlan, isMeasurement, isFigures] = ["plan", "measurement", "figures"].map(validatorOf);
  if (!isPlan || !isMeasurement || !isFigures) throw new Error("there are three schemas");
  expect(isPlan(plan), JSON.stringify(isPlan.errors)).toBe(true);
  for (const each of measurements)
    expect(isMeasurement(each), JSON.stringify(isMeasurement.errors)).toBe(true);
  const figures = JSON.parse(JSON.stringify(figuresOf(compare(plan, measurements))));
  expect(isFigures(figures), JSON.stringify(isFigures.errors)).toBe(true);
});

test("what the program refuses does not fit", () => {
  const [first] = recording("heads").measurements;
  const isMeasurement = validatorOf("measurement");
  expect(isMeasurement({ ...first, schemaVersion: 2 })).toBe(false);
  expect(isMeasurement({ ...first, comment: "hello" })).toBe(false);
  expect(isMeasurement({ ...first, replicates: undefined })).toBe(false);
});
