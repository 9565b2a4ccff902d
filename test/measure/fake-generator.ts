import { growth } from "../../src/model/load/histogram.ts";
import { loadSeconds } from "../../src/model/plan/cell.ts";
import { lineMark } from "../../src/model/scale/generator-records.ts";
import type { LoadOutput, LoadRequest } from "../../src/ports/load.ts";
import type { Answers } from "./fake-load.ts";

/** k6's output as one of several generators: two users who wait for every reply, arms in turns. */
export function generatorOutput(
  { generator, load, sliceMs, targets }: LoadRequest,
  answers: Answers = {},
): LoadOutput {
  if (generator === undefined) throw new Error("no generator was asked for");
  const { cell, run, plan, segment, sequence, startMs = 0 } = generator;
  const process = `process-${segment.replaceAll(/\W/g, "-")}`;
  const slices = Math.round(((loadSeconds(load) ?? 1) * 1_000) / sliceMs);
  const lines = Array.from({ length: 2 * slices }, (_, index) => {
    const [slice, user] = [index >> 1, (index & 1) + 1];
    const arm = targets[slice % targets.length]?.arm ?? "head";
    const { latencyMs = 10, status = "200" } = answers[arm] ?? {};
    // A replicate differs a little from the next, as real ones do.
    const requests = Math.round(400 / latencyMs) + ((slice >> 3) % 3);
    const bucket = Math.ceil(Math.log(latencyMs) / Math.log(growth));
    const totalMs = requests * latencyMs;
    const failures = Number(status) >= 400 ? requests : 0;
    const record = [
      ...[slice, arm, requests, failures, totalMs, latencyMs, 12, { [status]: requests }],
      ...[
        Array(requests).fill(bucket),
        requests,
        totalMs * (1 + ((slice >> 3) % 3) / 500),
        slice * sliceMs + 900,
      ],
    ];
    return { requests, line: { of: [process, user, slice], record } };
  });
  const requests = lines.reduce((total, each) => total + each.requests, 0);
  const identity = {
    ...{ process, cell, run, plan, script: "script1", version: "0.0.0", segment, sequence, startMs },
    ...{ readyMs: startMs - 2_000, begunMs: startMs + 1, clock: { offsetMs: 3, errorMs: 12 } },
  };
  const durationSeconds = (slices * sliceMs) / 1_000;
  const end = { process, requests, droppedIterations: 0, durationSeconds };
  const all = [{ generator: identity }, ...lines.map(({ line }) => line), { end }];
  const log = all.map((line) => lineMark + JSON.stringify(line)).join("\n");
  return { records: `${log}\nlevel=info\n`, summary: "{}", cpuSeconds: 2 };
}
