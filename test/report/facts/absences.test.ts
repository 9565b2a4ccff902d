import { expect, test } from "vitest";
import { sharedProblems } from "../../../src/report/facts/absences.ts";
import { cell, failure, measurement } from "../../fixtures/measurement.ts";
import { comparisonOf } from "../example.ts";

const log = (time: string, process: number, port: number) =>
  `${time},042 [${process}] INFO: http://127.0.0.1:${port}\nConnectionError: redis:6379 at 0x7f${process}`;

test.for<[what: string, logs: readonly [string, string], times: number]>([
  ["times, ports and processes", [log("10:00:01", 17, 41_000), log("10:01:59", 2_345, 39_999)], 1],
  ["more than that", [log("10:00:01", 17, 41_000), "ConnectionError: mongo"], 2],
])("a failure whose logs differ in %s stands %j times", ([, logs, times]) => {
  const cells = logs.map((_, index) => cell({ path: `/${index}` }));
  const failed = logs.map((logTail, index) => ({
    ...measurement({ cell: cells[index] ?? cell() }),
    ...{ status: "failed" as const, replicates: [], failure: failure({ logTail }) },
  }));
  const shared = sharedProblems(comparisonOf(cells, failed).rows);
  expect(shared.map(({ rows }) => rows.length)).toEqual(times === 1 ? [2] : [1, 1]);
});
