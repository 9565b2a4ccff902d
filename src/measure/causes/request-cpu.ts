import { loadSeconds, phaseSliceMs } from "../../diagnosis/diagnosis-phase.ts";
import { armCpu } from "../../diagnosis/functions/arm-cpu.ts";
import { flameOf, foldedStacks } from "../../diagnosis/functions/flame.ts";
import { requestCpu } from "../../diagnosis/functions/request-cpu.ts";
import { messageOf } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { armDiagnosis, type Flame } from "../../model/findings/diagnosis.ts";
import type { Finding } from "../../model/findings/finding.ts";
import { slicesInTime } from "../../model/load/load-records.ts";
import type { Measurement } from "../../model/measurement/measurement.ts";
import type { Cell } from "../../model/plan/cell.ts";
import { cellName } from "../../report/progress/cell-progress.ts";
import { sum } from "../../statistics/estimate.ts";
import { putLoad, type RunningArms } from "../pair/index.ts";
import type { Prepared } from "../preparation/index.ts";
import {
  cpusOf,
  type Diagnosis,
  locateIn,
  nameOf,
  probeOf,
  readStacks,
  readyWithin,
  type WatchPorts,
  watchedLoad,
  within,
  withWatchedArms,
} from "./watched-servers.ts";

const sampledSeconds = 3;
const warmupSeconds = 1;
const besidesSeconds = 5;

interface RequestCpu {
  /** Absent where CPU time is not what limits the requests. */
  readonly finding: Finding | undefined;
  readonly flame: Flame | undefined;
}

/** Adds where the CPU time of a request goes, where there is no base to compare with. A failure costs only that. */
export async function addRequestCpu(
  { cell }: Measurement,
  diagnosis: NonNullable<Diagnosis>,
  prepared: Prepared,
  ports: WatchPorts,
): Promise<Diagnosis> {
  const { base, head } = diagnosis;
  if (base !== undefined || head?.findings === undefined) return diagnosis;
  ports.progress({ kind: "step", text: `profiling ${cellName(cell)}` });
  const found = await requestCpuOf(cell, prepared, ports).catch(messageOf);
  if (ports.signal.aborted) return undefined;
  if (typeof found === "string") {
    const unseen = [...head.unseen, `where its CPU time goes: ${found}`];
    return { head: armDiagnosis(head.findings, unseen, head.seen) };
  }
  if (found === undefined) return diagnosis;
  const { finding, flame } = found;
  const added = await locateIn(armDiagnosis(finding === undefined ? [] : [finding], []), prepared, ports);
  const findings = [...head.findings, ...(added.findings ?? [])];
  return { head: { ...head, findings, ...defined({ flame }) } };
}

/** Where the CPU time of the head's requests goes; `undefined` where nothing was seen. */
export async function requestCpuOf(
  cell: Cell,
  prepared: Prepared,
  ports: WatchPorts,
): Promise<RequestCpu | undefined> {
  const seconds = readyWithin(prepared) + loadSeconds + besidesSeconds;
  const options = { watched: { purpose: "stacks" } } as const;
  return await within(seconds, prepared, ports, (limited) =>
    withWatchedArms(cell, ["head"], prepared, options, limited, (runningArms) =>
      sample(cell, runningArms, limited),
    ),
  );
}

async function sample(
  cell: Cell,
  runningArms: RunningArms,
  ports: WatchPorts,
): Promise<RequestCpu | undefined> {
  const name = `${cell.id}-cpu`;
  const probe = probeOf(runningArms, "head");
  const put = (phase: "warm up" | "load", seconds: number) => {
    const load = { ...watchedLoad(cell, seconds), name };
    return putLoad(runningArms, phase, load, ports);
  };
  await put("warm up", warmupSeconds);
  await probe.openWindow(name);
  const { slices } = await put("load", sampledSeconds);
  await probe.openWindow(`${name} after`);
  const documents = await readStacks(probe, name, cell.workers);
  if (typeof documents === "string") return undefined;
  await ports.save(`stacks/${cell.id}-head.folded`, foldedStacks(documents));
  const inTime = slicesInTime(slices, phaseSliceMs, sampledSeconds * 1_000);
  const requests = sum(inTime.map((slice) => slice.requests));
  if (requests === 0) return undefined;
  const turn = { pair: 0, fromMs: 0, toMs: Number.POSITIVE_INFINITY, requests };
  const finding = requestCpu(armCpu(documents, [turn]), {
    endpoint: nameOf(cell),
    requestsPerSecond: requests / sampledSeconds,
    appCpus: cpusOf("app", ports),
    workers: cell.workers,
  });
  return { finding, flame: flameOf({ documents, turns: [turn] }) };
}
