import { defined } from "../../lists/defined.ts";
import { confirm, type Finding } from "../../model/findings/finding.ts";
import type { Place } from "../../model/findings/probe-document.ts";
import { figure } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { figureOf, predictionOf } from "../wording.ts";
import type { ArmCpu, OwnerCpu } from "./arm-cpu.ts";
import { ownerWords } from "./function-words.ts";

interface RequestLoad {
  readonly endpoint: string;
  readonly requestsPerSecond: number;
  /** CPUs that the server may use, and its workers: a worker's Python runs on one CPU at a time. */
  readonly appCpus: number;
  readonly workers: number;
}

const mostParts = 4;
const leastShare = 0.03;

/** Where a request's CPU time goes; `undefined` where CPU is not the limit. `cpu`: in a single turn. */
export function requestCpu(cpu: ArmCpu, load: RequestLoad): Finding | undefined {
  const [totalMs = 0] = cpu.turnsMs;
  const owners = [...cpu.owners.values()].toSorted((a, b) => msOf(b) - msOf(a));
  const [most] = owners;
  if (most === undefined || totalMs <= 0) return undefined;
  const parts = owners
    .filter((each) => msOf(each) >= leastShare * totalMs)
    .slice(0, mostParts)
    .map(
      (each) =>
        `${ownerWords(each.owner)} ${figure(msOf(each))} ms (${percent(msOf(each) / totalMs, "whole")})`,
    );
  const place = placeOf(most, cpu);
  return confirm({
    cause: "CPU time of a request",
    severity: "note",
    endpoint: load.endpoint,
    ...defined({ place }),
    summary: `takes ${figure(totalMs)} ms of CPU: ${parts.join(", ")}`,
    advice: `Start with ${ownerWords(most.owner)}: more workers help only with more CPUs.`,
    figures: [
      figureOf("CPU time", totalMs, "ms per request"),
      figureOf("largest share", msOf(most) / totalMs, "share"),
    ],
    prediction: predictionOf(
      "requests per second",
      (Math.min(load.appCpus, load.workers) * 1_000) / totalMs,
      load.requestsPerSecond,
    ),
    weight: Math.min(1, msOf(most) / totalMs),
  });
}

function msOf({ turnsMs: [ms = 0] }: OwnerCpu): number {
  return ms;
}

/** The user's line that takes most of it; where nobody of the user's does, the function that answers. */
function placeOf({ owner, linesMs }: OwnerCpu, { handler, texts }: ArmCpu): Place | undefined {
  const [hottest] = [...linesMs].toSorted(([, a], [, b]) => b - a);
  const place = (file: string, line: number, name: string): Place => ({
    ...{ file, line: Math.max(1, line), function: name },
    code: texts.get(`${file}:${line}`) ?? "",
  });
  if (owner.kind === "own") return place(owner.where, hottest?.[0] ?? owner.first, owner.function);
  const file = handler?.frame.file;
  return file == null || handler === undefined
    ? undefined
    : place(file, handler.frame.first, handler.frame.function);
}
