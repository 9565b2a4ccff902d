import { growth } from "../../src/model/load/histogram.ts";
import type { ArmName } from "../../src/model/measurement/measurement.ts";
import { loadSeconds } from "../../src/model/plan/cell.ts";
import type { LoadOutput, LoadRequest } from "../../src/ports/load.ts";

/** An arm's answer; by default status 200 after 10 ms. */
export interface Answer {
  readonly status?: string;
  readonly latencyMs?: number;
}
export type Answers = Partial<Record<ArmName, Answer>>;

/** Requests in each slice. */
const perSlice = 5;

/** k6's output after `requests` requests in the first second to the head alone. */
export function loadOutput(requests: number, status = "200"): LoadOutput {
  const lines = requests === 0 ? [] : [record(0, "head", requests, { status, latencyMs: 4 }, 1)];
  return output(lines, requests, status === "200" ? 0 : requests, 1);
}

/** Five replies within a load of a second, and one after it. */
export function lateOutput(): LoadOutput {
  const lines = [record(0, "head", 5, {}, 1), record(8, "head", 1, {}, 2.1)];
  return output(lines, 6, 0, 1);
}

/** k6's output after a request: arms in turns, both equally long. */
export function answer({ targets, sliceMs, load }: LoadRequest, answers: Answers = {}): LoadOutput {
  const seconds = loadSeconds(load) ?? 1;
  const slices = Array.from({ length: Math.max(1, Math.floor((seconds * 1_000) / sliceMs)) });
  const arms = slices.map((_, index) => targets[index % targets.length]?.arm ?? "head");
  const failed = arms.filter((arm) => Number(answers[arm]?.status ?? 200) >= 400);
  const lines = arms.map((arm, index) => record(index, arm, perSlice, answers[arm] ?? {}, seconds));
  return output(lines, lines.length * perSlice, failed.length * perSlice, seconds);
}

/** One line of the load script, of a user who waited for every reply. */
function record(
  index: number,
  arm: ArmName,
  requests: number,
  { status = "200", latencyMs = 10 }: Answer,
  seconds: number,
): string {
  const failures = Number(status) >= 400 ? requests : 0;
  const bucket = Math.ceil(Math.log(latencyMs) / Math.log(growth));
  const buckets = Array<number>(requests).fill(bucket);
  const totalMs = requests * latencyMs;
  const counts = [requests, failures, totalMs, latencyMs, 12, { [status]: requests }, buckets];
  return JSON.stringify([index, arm, ...counts, requests, totalMs, seconds * 1_000]);
}

function trend(count: number) {
  return { values: { count, avg: 3, min: 1, med: 2, max: 9, "p(90)": 5, "p(95)": 6, "p(99)": 8 } };
}

function output(lines: readonly string[], requests: number, failures: number, seconds: number): LoadOutput {
  const count = { values: { count: requests } };
  const summary = {
    state: { testRunDurationMs: seconds * 1_000 },
    metrics: {
      http_reqs: count,
      http_req_failed: { values: { passes: failures } },
      iterations: { values: { count: requests, rate: requests / seconds } },
      // Written when a load asked for them, and read only then.
      "http_req_duration{expected_response:true}": trend(requests - failures),
      http_req_blocked: trend(requests),
      http_req_connecting: trend(requests),
      iteration_duration: trend(requests),
    },
  };
  return {
    records: lines.map((line) => `${line}\n`).join(""),
    summary: JSON.stringify(summary),
    cpuSeconds: 0.5,
  };
}
