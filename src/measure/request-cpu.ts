import { loadSeconds, phaseLoad, phaseSliceMs, startWithinSeconds } from "../diagnosis/diagnosis-phase.ts";
import { armCpu } from "../diagnosis/functions/arm-cpu.ts";
import { flameOf } from "../diagnosis/functions/flame.ts";
import { foldedStacks } from "../diagnosis/functions/folded.ts";
import { requestCpu } from "../diagnosis/functions/request-cpu.ts";
import { endpointLabel } from "../model/endpoint/endpoint.ts";
import type { Finding } from "../model/findings/finding.ts";
import type { Flame } from "../model/findings/flame.ts";
import { slicesInTime } from "../model/load/load-records.ts";
import { cpuCount } from "../model/measurement/cpu-list.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { Probe } from "../ports/app.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { sum } from "../statistics/estimate.ts";
import { shortenEnd } from "../text/length.ts";
import { putLoad } from "./load.ts";
import type { Prepared } from "./prepared.ts";
import { type RunningArm, targetOf, withRunningArms } from "./running-arms.ts";
import { readStacks } from "./stack-samples.ts";

const sampledSeconds = 3;
const warmupSeconds = 1;
const besidesSeconds = 5;
const longestEndpoint = 300;

export interface RequestCpu {
  /** Absent where CPU time is not what limits the requests. */
  readonly finding: Finding | undefined;
  readonly flame: Flame | undefined;
}

/** Where the CPU time of the head's requests goes; `undefined` where nothing was seen. */
export async function lookAtCpu(
  cell: Cell,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<RequestCpu | undefined> {
  const readyWithinSeconds = Math.min(prepared.workload.server.readyWithinSeconds, startWithinSeconds);
  using deadline = ports.startDeadline(ports.signal, readyWithinSeconds + loadSeconds + besidesSeconds);
  const limited = { ...ports, signal: deadline.signal };
  const leaving: Promise<void>[] = [];
  await using probe = await ports.openProbe("stacks");
  // No database is watched for it.
  const options = { probes: { base: probe, head: probe } };
  try {
    return await withRunningArms(cell, ["head"], { ...prepared, leaving }, options, limited, (runningArms) =>
      sample(cell, runningArms, probe, limited),
    );
  } finally {
    await Promise.allSettled(leaving);
  }
}

async function sample(
  cell: Cell,
  runningArms: ReadonlyMap<"base" | "head", RunningArm>,
  probe: Probe,
  ports: MeasurePorts,
): Promise<RequestCpu | undefined> {
  const name = `${cell.id}-cpu`;
  const load = (seconds: number) => ({
    targets: [targetOf(runningArms, "head")] as const,
    endpoint: cell.endpoint,
    load: phaseLoad(cell.load, seconds),
    ...{ sliceMs: phaseSliceMs, seed: 1, cpus: ports.cpuSets?.others, name },
  });
  await putLoad(runningArms, "warm up", load(warmupSeconds), ports);
  await probe.openWindow(name);
  const { slices } = await putLoad(runningArms, "load", load(sampledSeconds), ports);
  await probe.openWindow(`${name} after`);
  const documents = await readStacks(probe, name, cell.workers);
  if (typeof documents === "string") return undefined;
  await ports.save(`stacks/${cell.id}-head.folded`, foldedStacks(documents));
  const inTime = slicesInTime(slices, phaseSliceMs, sampledSeconds * 1_000);
  const requests = sum(inTime.map((slice) => slice.requests));
  if (requests === 0) return undefined;
  const turn = { pair: 0, fromMs: 0, toMs: Number.POSITIVE_INFINITY, requests };
  const finding = requestCpu(armCpu(documents, [turn]), {
    endpoint: shortenEnd(endpointLabel(cell.endpoint), longestEndpoint),
    requestsPerSecond: requests / sampledSeconds,
    appCpus: ports.cpuSets === undefined ? ports.machine.cores : cpuCount(ports.cpuSets.app),
    workers: cell.workers,
  });
  return { finding, flame: flameOf({ documents, turns: [turn] }) };
}
