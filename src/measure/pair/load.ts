import { EnvironmentError } from "../../errors/errors.ts";
import { isIteration, isScript } from "../../model/endpoint/endpoint.ts";
import { parseK6Summary } from "../../model/load/k6-summary.ts";
import {
  parseLoadRecords,
  parseLoadStart,
  type Slice,
  secondsToLastReply,
} from "../../model/load/load-records.ts";
import type { Generator, ScriptResults } from "../../model/measurement/generator.ts";
import { type ArmName, armNames } from "../../model/measurement/measurement.ts";
import { type Load, loadSeconds, mostVirtualUsers, withSendingOf } from "../../model/plan/cell.ts";
import type { LoadOutput, LoadRequest } from "../../ports/load.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { sum } from "../../statistics/estimate.ts";
import { armError, type RunningArm, type RunningArms, targetOf } from "./running-arms.ts";

export type LoadingPorts = Pick<MeasurePorts, "cpuSets" | "generateLoad" | "signal" | "startDeadline">;

interface ArmsLoad extends Omit<LoadRequest, "cpus" | "seed" | "targets"> {
  /** Absent: all that run. */
  readonly arm?: ArmName | undefined;
  readonly seed?: number;
}

export interface LoadResult {
  readonly generator: Generator;
  readonly slices: readonly Slice[];
  /** Milliseconds since 1970; with two arms only. */
  readonly startedMs: number | undefined;
  /** CPU time of k6, in seconds; `undefined` where there is no procfs. */
  readonly generatorCpuSeconds: number | undefined;
  /** Results of the user's own k6 script, when one sent the load. */
  readonly script: ScriptResults | undefined;
}

/** Runs k6 against the servers, stops it as soon as one of them dies, and reads its counts. */
export async function putLoad(
  runningArms: RunningArms,
  phase: "warm up" | "load",
  { arm: only, seed = 1, ...armsLoad }: ArmsLoad,
  ports: LoadingPorts,
): Promise<LoadResult> {
  const arms = only === undefined ? armNames.filter((arm) => runningArms.has(arm)) : [only];
  const [first, ...others] = arms.map((arm) => targetOf(runningArms, arm));
  const targets = [first ?? targetOf(runningArms, "head"), ...others] as const; // which throws without any
  const request = { ...armsLoad, targets, seed, cpus: ports.cpuSets?.others };
  using stop = ports.startDeadline(ports.signal);
  const load = ports.generateLoad(request, stop.signal);
  const errorOf = (arm: ArmName, { app }: RunningArm, reason: string) =>
    armError(new EnvironmentError(phase, reason, { logTail: app.logTail(), detail: { kind: "exit" } }), arm);
  const deaths = [...runningArms].map(([arm, runningArm]) =>
    runningArm.app.failure.then((reason) => {
      throw errorOf(arm, runningArm, reason);
    }),
  );
  try {
    const output = await Promise.race([load, ...deaths]);
    // A server that died in the load's last moments may not have been noticed yet.
    for (const [arm, runningArm] of runningArms) {
      const reason = await runningArm.app.failureNow();
      if (reason !== undefined) throw errorOf(arm, runningArm, reason);
    }
    return readOutput(output, request);
  } finally {
    stop.abort();
    await load.catch(() => undefined); // k6 ends before the server stops; only the first error is reported
  }
}

/** A load that only warms the servers up, with enough users to reach every worker; more would only queue. */
export function warmupLoad(load: Load, durationSeconds: number): Load {
  return withSendingOf(load, { kind: "constant", virtualUsers: warmupUsers(load), durationSeconds });
}

function warmupUsers(load: Load): number {
  return Math.max(1, Math.min(50, mostVirtualUsers(load)));
}

/**
 * Factor by which requests may take longer in the load than in its warm-up: at saturation each user waits for all
 * others.
 */
export function queueGrowth(load: Load): number {
  return Math.max(1, mostVirtualUsers(load) / warmupUsers(load));
}

function readOutput({ summary, records, cpuSeconds, script }: LoadOutput, request: LoadRequest): LoadResult {
  let generator: Generator;
  let slices: Slice[];
  try {
    generator = parseK6Summary(summary, request);
    slices = parseLoadRecords(records);
  } catch (cause) {
    throw new EnvironmentError("read results", "k6's output cannot be used", { cause });
  }
  // Our records and k6's own count must agree, and a load that sent nothing measured nothing.
  const counted = sum(slices.flatMap(({ statuses }) => Object.values(statuses)));
  if (generator.requests === 0) throw new EnvironmentError("read results", "no request was sent");
  if (counted !== generator.requests) {
    const reason = `the records hold ${counted} requests, but k6 counted ${generator.requests}`;
    throw new EnvironmentError("read results", reason);
  }
  // k6's own duration includes starting users and cleaning up, a large part of a load of few requests.
  const durationSeconds =
    loadSeconds(request.load) === undefined ? secondsToLastReply(slices) : generator.durationSeconds;
  // Users send many requests in one call of the script, which k6 counts as an iteration. It is each request.
  const isEach = request.detailed !== true && !isIteration(request.endpoint) && !isScript(request.endpoint);
  const iterations = isEach ? generator.requests : generator.iterations;
  return {
    generator: { ...generator, iterations, durationSeconds },
    slices,
    startedMs: parseLoadStart(records),
    generatorCpuSeconds: cpuSeconds,
    script,
  };
}
