import { EnvironmentError } from "../core/errors.ts";
import { parseK6Summary } from "../core/load/k6-summary.ts";
import { parseLoadRecords, type Slice } from "../core/load/load-records.ts";
import type { Load } from "../core/measurement/cell.ts";
import type { ArmName, Generator } from "../core/measurement/measurement.ts";
import { sum } from "../core/statistics/estimate.ts";
import type { LoadOutput, LoadRequest, MeasurePorts } from "../ports.ts";
import { armError, type Stand } from "./stand.ts";

/** What one load left behind, checked. */
export interface LoadResult {
  readonly generator: Generator;
  readonly slices: readonly Slice[];
  /** CPU time of k6, in seconds; `undefined` where there is no procfs. */
  readonly generatorCpuSeconds: number | undefined;
}

/** Runs k6 against the servers, but not a moment longer than all of them live, and reads what it counted. */
export async function putLoad(
  stands: ReadonlyMap<ArmName, Stand>,
  phase: "warm up" | "load",
  request: LoadRequest,
  ports: MeasurePorts,
): Promise<LoadResult> {
  const stop = new AbortController();
  const load = ports.generateLoad(request, AbortSignal.any([ports.signal, stop.signal]));
  const deaths = [...stands].map(([arm, { app }]) =>
    app.failure.then((reason) => {
      throw armError(new EnvironmentError(phase, reason, { logTail: app.logTail() }), arm);
    }),
  );
  try {
    return readOutput(await Promise.race([load, ...deaths]));
  } finally {
    stop.abort();
    await load.catch(() => undefined); // k6 is gone before the server is stopped; the first error is the one told
  }
}

/** A load that only wakes the servers up: enough users for every worker; more would only queue. */
export function warmupLoad(load: Load, durationSeconds: number): Load {
  const users =
    load.kind === "stages" ? Math.max(...load.stages.map((stage) => stage.virtualUsers)) : load.virtualUsers;
  return { kind: "constant", virtualUsers: Math.max(1, Math.min(50, users)), durationSeconds };
}

function readOutput({ summary, records, cpuSeconds }: LoadOutput): LoadResult {
  let generator: Generator;
  let slices: Slice[];
  try {
    generator = parseK6Summary(summary);
    slices = parseLoadRecords(records);
  } catch (cause) {
    throw new EnvironmentError("read results", "what k6 wrote cannot be used", { cause });
  }
  // Our records and k6's own count must agree, and a load that sent nothing measured nothing.
  const counted = sum(slices.flatMap(({ statuses }) => Object.values(statuses)));
  if (generator.requests === 0) throw new EnvironmentError("read results", "k6 sent no request");
  if (counted !== generator.requests) {
    const reason = `the records hold ${counted} requests, but k6 counted ${generator.requests}`;
    throw new EnvironmentError("read results", reason);
  }
  return { generator, slices, generatorCpuSeconds: cpuSeconds };
}
