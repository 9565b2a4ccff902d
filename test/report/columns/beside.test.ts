import { expect, test } from "vitest";

import { besideColumn } from "../../../src/report/columns/columns.ts";
import { cell } from "../../fixtures/measurement.ts";
import { row } from "../compared.ts";

test("what ran beside each server is told by its name, or not known", () => {
  const beside = (redis: number, worker: number) => ({ besideCpuSeconds: { redis, worker } });
  const both = row({ cell: cell(), arm: beside(1, 2), headArm: beside(1, 4) });
  expect(besideColumn.isKnown?.(both)).toBe(true);
  expect(besideColumn.text(both)).toMatch(/^redis [\d.]+, worker [\d.]+ → redis [\d.]+, worker [\d.]+$/);
  const none = row({ cell: cell() });
  expect(besideColumn.isKnown?.(none)).toBe(false);
  expect(
    besideColumn.text(row({ cell: cell(), arm: beside(1, 2), headArm: { besideCpuSeconds: {} } })),
  ).toMatch(/ → –$/);
});
