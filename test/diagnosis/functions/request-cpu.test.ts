import { expect, test } from "vitest";
import { armCpu } from "../../../src/diagnosis/functions/arm-cpu.ts";
import { requestCpu } from "../../../src/diagnosis/functions/request-cpu.ts";
import { saying } from "../samples.ts";
import { foreign, frame, type Sampled, stacks } from "./samples.ts";

const rows = frame({ file: "app/rows.py", function: "rows", first: 5, last: 9 });
const serialise = foreign("fastapi", "serialize_response");
const asked = foreign("fastapi", "run_endpoint_function");
const router = foreign("starlette", "Router.app", { isApp: true });
const turn = { pair: 0, fromMs: 0, toMs: Number.POSITIVE_INFINITY, requests: 8 };
const inRows = (microseconds: number, line = 7): Sampled => ({
  stack: [
    [rows, line],
    [asked, 0],
    [router, 0],
  ],
  microseconds,
});
const inReply = (microseconds: number): Sampled => ({
  stack: [
    [serialise, 0],
    [router, 0],
  ],
  microseconds,
});

const load = { endpoint: "/rows", requestsPerSecond: 76, appCpus: 2, workers: 1 };
const find = (sampled: readonly Sampled[], changes: Partial<typeof load> = {}) =>
  requestCpu(armCpu(sampled.length === 0 ? [] : [stacks(sampled)], [turn]), { ...load, ...changes });

test("the reply's part is told at the function that answers", () => {
  const found = find([inReply(12_000), inRows(1_000)]);
  expect(found).toMatchObject({ cause: "CPU time of a request", severity: "note", confidence: "high" });
  expect(found?.place).toMatchObject({ file: "app/rows.py", line: 5, function: "rows" });
  expect(saying(found)).toMatch(
    /^`\/rows` takes 13\.1 ms of CPU: serialising the response \(fastapi\) 12\.0 ms \(92%\), `rows\(\)` 1\.00 ms \(8%\)\.$/,
  );
});

test.for<[what: string, sampled: readonly Sampled[], line: number]>([
  ["the only one", [inRows(12_000), inReply(1_000)], 7],
  ["the one that takes most, seen last", [inRows(2_000, 6), inRows(10_000, 8), inReply(1_000)], 8],
  ["the one that takes most, seen first", [inRows(10_000, 6), inRows(2_000, 8), inReply(1_000)], 6],
])("the user's own part is told at its line: %s", ([, sampled, line]) => {
  expect(find(sampled)?.place).toMatchObject({ line, function: "rows" });
});

test("a request of the framework alone has no line", () => {
  expect(find([inReply(13_000)])).not.toHaveProperty("place");
});

test.for<[what: string, sampled: readonly Sampled[], changes: Partial<typeof load>]>([
  ["something else limits the requests", [inRows(13_000)], { requestsPerSecond: 20 }],
  ["more workers could use more CPUs", [inRows(13_000)], { workers: 2 }],
  ["nothing was seen", [], {}],
])("nothing is told where %s", ([, sampled, changes]) => {
  expect(find(sampled, changes)).toBeUndefined();
});
