import { groupBy } from "../lists/group.ts";
import type { EndpointReport, ProbeDocument } from "../model/findings/probe-document.ts";
import { sum } from "../statistics/estimate.ts";
import { type LoopTimes, lostMs } from "./lost-time.ts";
import { type Amount, mergeAmounts, placeKey } from "./merged-amounts.ts";
import { endpointName } from "./wording.ts";

/** A line that held the event loop. */
export interface Stall extends Amount {
  readonly cpuMs: number;
  /** CPU time of the holds among them whose line was not seen. */
  readonly foreignCpuMs: number;
  /** Time of them in which the machine let something else run. */
  readonly lostMs: number;
  /** Method and route; empty for work outside of requests. */
  readonly endpoint: string;
  /** Requests of that endpoint. */
  readonly endpointRequests: number;
}

/** All lines that held a loop, in requests or outside; the one that took most of the time is first. */
export function mergeStalls(workers: readonly ProbeDocument[]): readonly Stall[] {
  const stalls = workers.flatMap((worker) => [
    ...worker.endpoints.flatMap((endpoint) => stallsOf(endpoint, worker)),
    ...worker.outside.stalls.map((stall) => ({
      ...stall,
      foreignCpuMs: foreignCpuMs(stall),
      lostMs: lostMs(stall, worker),
      endpoint: "",
      endpointRequests: 0,
    })),
  ]);
  const same = groupBy(stalls, keyOf);
  return mergeAmounts(stalls, keyOf).map((stall) => {
    const each = same.get(keyOf(stall)) ?? [stall];
    return {
      ...stall,
      cpuMs: sum(each.map(({ cpuMs }) => cpuMs)),
      foreignCpuMs: sum(each.map((one) => one.foreignCpuMs)),
      lostMs: sum(each.map((one) => one.lostMs)),
      endpointRequests: sum(each.map(({ endpointRequests }) => endpointRequests)),
    };
  });
}

/**
 * Gives each hold a line. A hold whose line was not seen in time goes to the line that held the endpoint most, or else
 * to the function that answers. A function in a thread cannot hold the loop: where the loop did not work, it waited for
 * the interpreter, which the threads had, and no line is to blame; where it did, others' code worked on what the function
 * returned.
 */
function stallsOf({ stalls, handler, kind, ...endpoint }: EndpointReport, loop: LoopTimes): Stall[] {
  const seen = stalls.filter(({ place }) => place !== null).toSorted((a, b) => b.totalMs - a.totalMs);
  const counted = new Set<string>();
  return stalls
    .map((stall) => ({ ...stall, lostMs: lostMs(stall, loop) }))
    .filter((stall) => stall.place !== null || kind !== "sync" || isWork(stall))
    .map((stall) => {
      const place = stall.place ?? (kind === "sync" ? handler : (seen[0]?.place ?? handler));
      const isCounted = counted.has(placeKey(place)); // some holds of the same requests were seen, others not
      counted.add(placeKey(place));
      return {
        ...stall,
        place,
        foreignCpuMs: foreignCpuMs(stall),
        endpoint: endpointName(endpoint),
        endpointRequests: isCounted ? 0 : endpoint.requests,
      };
    });
}

/** True for holds in which the loop worked, rather than waited for something. */
export function isWork({
  totalMs,
  cpuMs,
  lostMs: lost,
}: Pick<Stall, "totalMs" | "cpuMs" | "lostMs">): boolean {
  return cpuMs >= (totalMs - lost) / 2;
}

function foreignCpuMs({ place, cpuMs }: EndpointReport["stalls"][number]): number {
  return place === null ? cpuMs : 0;
}

function keyOf(stall: Stall): string {
  return `${placeKey(stall.place)} ${stall.endpoint}`;
}
