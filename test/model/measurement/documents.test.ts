import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/errors/errors.ts";
import { parseMeasurements, parsePlan, planOf } from "../../../src/model/measurement/documents.ts";
import { makeCell } from "../../../src/model/plan/cell.ts";

const cell = makeCell({
  endpoint: { method: "GET", path: "/" },
  workers: 1,
  server: "uvicorn {app} --port {port}",
  load: { kind: "constant", virtualUsers: 1, durationSeconds: 1 },
});
const measurement = {
  schemaVersion: 1,
  cell,
  status: "failed",
  failure: { phase: "start app", reason: "no", logTail: "" },
  startedAt: "2026-01-01T00:00:00.000Z",
  commits: {},
  replicates: [],
};
const document = (value: unknown, name = `cells/${cell.id}.json`) => ({ name, text: JSON.stringify(value) });

describe("parseMeasurements", () => {
  test("reads what measure wrote", () => {
    expect(parseMeasurements([document(measurement)])).toEqual({ measurements: [measurement], warnings: [] });
  });

  test.for([
    {
      name: "one that could not be read",
      bad: { name: "cells/x.json", text: "", problem: "is not a plain file" },
    },
    {
      name: "a key without end",
      bad: document({ ...measurement, ["x".repeat(1_000_000)]: 1 }),
    },
    { name: "half a document", bad: { name: "cells/x.json", text: '{"schemaVersion":1' } },
    { name: "another version", bad: document({ ...measurement, schemaVersion: 2 }) },
    { name: "a key nobody knows", bad: document({ ...measurement, markdown: "[x](http://evil)" }) },
    { name: "another cell's name", bad: document(measurement, "cells/other.json") },
    {
      name: "a number that is none",
      bad: document({ ...measurement, replicates: [{ arms: {}, generator: null }] }),
    },
  ])("leaves out $name with a warning, and keeps the rest", ({ bad }) => {
    const { measurements, warnings } = parseMeasurements([bad, document(measurement)]);
    expect(measurements).toHaveLength(1);
    expect(warnings).toEqual([expect.stringMatching(/^Ignored /)]);
    expect(warnings[0]?.length).toBeLessThan(400);
  });

  test("T15: reads the same document once, and each of two that claim one cell", () => {
    const other = { ...measurement, startedAt: "2026-01-02T00:00:00.000Z" };
    const found = [
      document(measurement),
      document(measurement, `job-1/cells/${cell.id}.json`),
      document(other, `job-2/cells/${cell.id}.json`),
    ];
    expect(parseMeasurements(found)).toEqual({ measurements: [measurement, other], warnings: [] });
  });

  test("never fails, whatever the text", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json())), (texts) => {
        const documents = texts.map((text) => ({ name: "cells/x.json", text }));
        expect(parseMeasurements(documents).measurements).toEqual([]);
      }),
    );
  });
});

test("a plan is read, or refused in words", () => {
  const plan = { schemaVersion: 1, cells: [cell] };
  expect(parsePlan(JSON.stringify(plan))).toEqual(plan);
  for (const text of ["", "{}", '{"schemaVersion":1,"cells":[]}']) {
    expect(() => parsePlan(text)).toThrow(InputError);
  }
});

test("results imply a plan", () => {
  expect(planOf([])).toBeUndefined();
  expect(planOf(parseMeasurements([document(measurement)]).measurements)?.cells).toEqual([cell]);
});
