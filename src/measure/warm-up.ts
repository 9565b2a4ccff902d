import type { Slice } from "../model/load/load-records.ts";
import { armNames } from "../model/measurement/measurement.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { warmupLoad } from "./load.ts";
import { type Pair, putPhase } from "./phases.ts";

const shortestWarmupSeconds = 0.2;
const warmupSliceMs = 50;

/** Warms up both arms and returns their replies, which count in no figure. */
export async function warmUp(
  pair: Pair,
  warmupSeconds: number,
  ports: MeasurePorts,
): Promise<readonly Slice[]> {
  ports.progress({ kind: "step", text: "warming up" });
  const durationSeconds = Math.max(shortestWarmupSeconds, warmupSeconds); // of both arms together
  const phase = {
    load: { ...warmupLoad(pair.cell.load, durationSeconds), durationSeconds },
    slicing: { sliceMs: warmupSliceMs, guard: { startMs: 0, endMs: 0 } },
  };
  const what = { phase: "warm up", name: "warmup" } as const;
  const { slices } = await putPhase(pair, phase, what, ports);
  const all = [...slices];
  // When requests take long, all users may wait for one arm until the end, and the other gets no request.
  for (const arm of armNames.filter((each) => !slices.some((slice) => slice.arm === each))) {
    all.push(...(await putPhase(pair, phase, { ...what, arm }, ports)).slices);
  }
  return all;
}
