import { groupBy } from "../lists/group.ts";
import type { EndpointReport, Place, ProbeDocument } from "../model/findings/probe-document.ts";
import { type Evidence, sumOf } from "./evidence.ts";
import { type LoopTimes, lostMs } from "./merging.ts";

type LoopLine = EndpointReport["onLoop"][number];

export interface LoopFunction {
  /** Its line at which the loop was seen for longest; of others' code the function that answers. */
  readonly place: Place;
  /** Others' code that no line of the user's called: it reads the request, or writes what a function returned. */
  readonly isForeign: boolean;
  /** Endpoints whose requests ran it; none for work outside of requests. */
  readonly endpoints: readonly EndpointReport[];
  /** Time for which it held the loop, in milliseconds; `cpuMs` of it at work. */
  readonly totalMs: number;
  readonly cpuMs: number;
  /** Time of it in which the machine let something else run. */
  readonly lostMs: number;
}

/** Functions that held a loop, over all endpoints; the one that held it longest is first. */
export function loopFunctions({ endpoints, workers }: Evidence): readonly LoopFunction[] {
  const lines = [
    ...endpoints.flatMap((endpoint) => endpoint.onLoop.map((line) => ({ ...line, endpoint }))),
    ...workers.flatMap(({ outside }) => outside.onLoop.map((line) => ({ ...line, endpoint: undefined }))),
  ];
  const loops = {
    loopCpuMs: sumOf(workers, ({ loopCpuMs }) => loopCpuMs ?? 0),
    loopLostMs: sumOf(workers, ({ loopLostMs }) => loopLostMs),
  };
  const keyOfLine = (line: (typeof lines)[number]) =>
    `${keyOf(line)}${line.place === null ? `\n${functionKey(line.endpoint?.handler)}` : ""}`;
  return [...groupBy(lines, keyOfLine).values()]
    .flatMap((same): readonly LoopFunction[] => {
      const [longest] = same.toSorted((a, b) => Math.max(b.totalMs, b.cpuMs) - Math.max(a.totalMs, a.cpuMs));
      const place = longest?.place ?? longest?.endpoint?.handler;
      if (longest === undefined || place == null) return [];
      const endpoints = new Set(same.flatMap(({ endpoint }) => endpoint ?? []));
      return [
        { place, isForeign: longest.place === null, endpoints: [...endpoints], ...timesOf(same, loops) },
      ];
    })
    .toSorted((a, b) => heldMs(b) - heldMs(a));
}

type Times = Pick<LoopFunction, "totalMs" | "cpuMs" | "lostMs">;

/** Work that was seen late, at the end of a step, may be more than the time for which it was seen. */
export function heldMs({ totalMs, cpuMs, lostMs: lost }: Times): number {
  return Math.max(totalMs - lost, cpuMs);
}

/** True for a function that waits while it holds the loop, more than it works. */
export function isBlocking({ totalMs, cpuMs, lostMs: lost }: Times): boolean {
  return totalMs - lost > 2 * cpuMs;
}

/** Time for which a worker's loop worked or lost its turn, and was blocked, as far as it was seen in samples. */
export function loopSeenMs({ endpoints, outside, ...loop }: ProbeDocument): number {
  const lines = [...endpoints.flatMap((each) => each.onLoop), ...outside.onLoop];
  const functions = [...groupBy(lines, keyOf).values()].map((same) => timesOf(same, loop));
  const blockedMs = sumOf(functions.filter(isBlocking), (each) => each.totalMs - each.cpuMs - each.lostMs);
  return (loop.loopCpuMs ?? 0) + loop.loopLostMs + blockedMs;
}

/** The same for all lines of a function. */
export function functionKey(place: Place | null | undefined): string {
  return place == null ? "" : `${place.file}\n${place.function}`;
}

function keyOf({ place }: LoopLine): string {
  return functionKey(place);
}

function timesOf(lines: readonly LoopLine[], loop: LoopTimes): Times {
  const times = { totalMs: sumOf(lines, (line) => line.totalMs), cpuMs: sumOf(lines, (line) => line.cpuMs) };
  return { ...times, lostMs: lostMs(times, loop) };
}
