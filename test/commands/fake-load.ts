import { growth } from "../../src/core/load/histogram.ts";
import { loadSeconds } from "../../src/core/measurement/cell.ts";
import type { ArmName } from "../../src/core/measurement/measurement.ts";
import type { LoadOutput, LoadRequest } from "../../src/ports.ts";

/** How an arm answers; by default with status 200 after 10 ms. */
export interface Answer {
  readonly status?: string;
  readonly latencyMs?: number;
}
export type Answers = Partial<Record<ArmName, Answer>>;

/** Requests in each slice. */
const perSlice = 5;
/** No test looks at more of them. */
const mostSlices = 16;

/** What k6 would leave behind after `requests` requests in the first second to the head alone. */
export function loadOutput(requests: number, status = "200"): LoadOutput {
  const lines = requests === 0 ? [] : [record(0, "head", requests, { status, latencyMs: 4 })];
  return output(lines, requests, status === "200" ? 0 : requests, 1);
}

/** What k6 would leave behind after a request: arms in turns, both equally long. */
export function answer({ targets, sliceMs, load }: LoadRequest, answers: Answers = {}): LoadOutput {
  const seconds = loadSeconds(load) ?? 1;
  const slices = Array.from({ length: Math.min(mostSlices, Math.floor((seconds * 1_000) / sliceMs)) });
  const arms = slices.map((_, index) => targets[index % targets.length]?.arm ?? "head");
  const failed = arms.filter((arm) => Number(answers[arm]?.status ?? 200) >= 400);
  const lines = arms.map((arm, index) => record(index, arm, perSlice, answers[arm] ?? {}));
  return output(lines, lines.length * perSlice, failed.length * perSlice, seconds);
}

/** One line of the load script, of a user who waited for every reply. */
function record(
  index: number,
  arm: ArmName,
  requests: number,
  { status = "200", latencyMs = 10 }: Answer,
): string {
  const failures = Number(status) >= 400 ? requests : 0;
  const bucket = Math.ceil(Math.log(latencyMs) / Math.log(growth));
  const buckets = Array<number>(requests).fill(bucket);
  const totalMs = requests * latencyMs;
  const counts = [requests, failures, totalMs, latencyMs, 12, { [status]: requests }, buckets];
  return JSON.stringify([index, arm, ...counts, requests, totalMs]);
}

function output(lines: readonly string[], requests: number, failures: number, seconds: number): LoadOutput {
  const count = { values: { count: requests } };
  const summary = {
    state: { testRunDurationMs: seconds * 1_000 },
    metrics: { http_reqs: count, http_req_failed: { values: { passes: failures } }, iterations: count },
  };
  return {
    records: lines.map((line) => `${line}\n`).join(""),
    summary: JSON.stringify(summary),
    cpuSeconds: 0.5,
  };
}
