import { expect, test } from "vitest";

import {
  columnsOf,
  sliceColumnsSchema,
  slicesOfColumns,
} from "../../../src/model/scale/generator-documents.ts";
import { recordsOf } from "./generators.ts";

const { slices } = recordsOf(1, 2);
const [first] = slices;
if (first === undefined) throw new Error("a generator has slices");
const noted = [
  ...slices,
  {
    ...first,
    index: 9,
    arm: "head" as const,
    firstByteMs: 0,
    latency: { buckets: [1, 2, 7], counts: [1, 2, 3] },
  },
];

test("slices come back from their columns as they were", () => {
  const written: unknown = JSON.parse(JSON.stringify(columnsOf(noted)));
  expect(slicesOfColumns(sliceColumnsSchema.parse(written))).toEqual(noted);
});

const columns = columnsOf(noted);
test.for<readonly [what: string, change: Partial<typeof columns>]>([
  ["a column that is shorter", { requests: columns.requests.slice(1) }],
  ["no statuses of a slice", { statuses: columns.statuses.slice(1) }],
  ["more counts than buckets", { counts: columns.counts.map((each) => [...each, 1]) }],
])("there are no slices in %s", ([, change]) => {
  expect(slicesOfColumns({ ...columns, ...change })).toBeUndefined();
});

test.for<readonly [what: string, change: object]>([
  ["a third arm", { arm: columns.arm.map(() => 2) }],
  ["half a request", { requests: columns.requests.map(() => 0.5) }],
  ["less than nothing", { counts: columns.counts.map((each) => each.map(() => -1)) }],
  ["no list of lists", { bodyBytes: columns.index }],
  ["another status", { statuses: columns.statuses.map(() => ({ ok: 1 })) }],
])("columns may not have %s", ([, change]) => {
  expect(sliceColumnsSchema.safeParse({ ...columns, ...change }).success).toBe(false);
});
