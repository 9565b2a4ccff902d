import { expect, test } from "vitest";
import { turnsOf } from "../../../src/diagnosis/functions/arm-cpu.ts";
import { parseLoadRecords, parseLoadStart } from "../../../src/model/load/load-records.ts";

const record = (index: number, arm: string, requests = 5) =>
  JSON.stringify([index, arm, requests, 0, 10, 3, -1, { "200": requests }, [], 0, 0, 100]);

/** Base and head by turns, in another order in the second pair. */
const log = [
  ...["start 1000000", record(0, "base"), record(1, "head"), record(2, "head"), record(3, "base")],
  ...[record(4, "base"), record(5, "head", 0), record(6, "base"), record(7, "head"), record(8, "base")],
].join("\n");

test("turns last until the arm's next one, in pairs in which both answered", () => {
  const startedMs = parseLoadStart(log) ?? 0;
  const turns = turnsOf(parseLoadRecords(log), { startedMs, sliceMs: 100, warmupPairs: 1, endMs: 800 });
  const told = (arm: "base" | "head") => turns[arm].map(({ pair, fromMs, toMs }) => [pair, fromMs, toMs]);
  expect(startedMs).toBe(1_000_000);
  expect(told("base")).toEqual([
    [1, 1_000_300, 1_000_400],
    [3, 1_000_600, 1_000_800],
  ]);
  expect(told("head")).toEqual([
    [1, 1_000_200, 1_000_500],
    [3, 1_000_700, 1_000_900],
  ]);
});

test("a log without a start", () => {
  expect(parseLoadStart("started\nstart x")).toBeUndefined();
});
