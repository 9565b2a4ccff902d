import { groupBy } from "../lists/group.ts";
import {
  type EndpointReport,
  type PartName,
  type Place,
  type ProbeDocument,
  partNames,
} from "../model/findings/probe-document.ts";
import { sum } from "../statistics/estimate.ts";
import { endpointName } from "./wording.ts";

/** How often something was done at a place, and how long it took. */
export interface Amount {
  readonly place: Place | null;
  readonly count: number;
  readonly requests: number;
  readonly mostInOne: number;
  readonly totalMs: number;
  readonly longestMs: number;
}

/** Adds up items of the same key; the one that took most of the time is first. */
export function mergeAmounts<T extends Amount>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const merged = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const other = merged.get(key);
    merged.set(key, other === undefined ? item : { ...item, ...addAmounts(other, item) });
  }
  return [...merged.values()].toSorted((a, b) => b.totalMs - a.totalMs);
}

export function placeKey(place: Place | null): string {
  return place === null ? "" : `${place.file}:${place.line}`;
}

function addAmounts(a: Amount, b: Amount) {
  return {
    count: a.count + b.count,
    requests: a.requests + b.requests,
    mostInOne: Math.max(a.mostInOne, b.mostInOne),
    totalMs: a.totalMs + b.totalMs,
    longestMs: Math.max(a.longestMs, b.longestMs),
  };
}

export interface Stall extends Amount {
  readonly cpuMs: number;
  /** CPU time of the holds among them whose line was not seen. */
  readonly foreignCpuMs: number;
  /** Time of them in which the machine let something else run. */
  readonly lostMs: number;
  /** Method and route; empty for work outside of requests. */
  readonly endpoint: string;
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

/** Merges several workers' reports on the same endpoint; the one that took most of the time is first. */
export function mergeEndpoints(reports: readonly EndpointReport[]): readonly EndpointReport[] {
  const merged = new Map<string, EndpointReport>();
  for (const report of reports) {
    const key = `${report.method} ${report.route}`;
    const other = merged.get(key);
    merged.set(key, other === undefined ? report : addReports(other, report));
  }
  return [...merged.values()].toSorted((a, b) => b.partsMs.total - a.partsMs.total);
}

function addReports(a: EndpointReport, b: EndpointReport): EndpointReport {
  return {
    ...a,
    handler: a.handler ?? b.handler,
    requests: a.requests + b.requests,
    failures: a.failures + b.failures,
    longestMs: Math.max(a.longestMs, b.longestMs),
    partsMs: addParts(a.partsMs, b.partsMs),
    stalls: [...a.stalls, ...b.stalls],
    onLoop: addLines(
      [...a.onLoop, ...b.onLoop],
      (line, other) => ({
        ...line,
        totalMs: line.totalMs + other.totalMs,
        cpuMs: line.cpuMs + other.cpuMs,
      }),
      ({ totalMs }) => totalMs,
    ),
    spent: addTimes([...a.spent, ...b.spent]),
    waited: addTimes([...a.waited, ...b.waited]),
    statements: mergeAmounts([...a.statements, ...b.statements], (each) => each.text + placeKey(each.place)),
    made: mergeAmounts([...a.made, ...b.made], (each) => each.what + placeKey(each.place)),
  };
}

function addParts(a: Readonly<Record<PartName, number>>, b: Readonly<Record<PartName, number>>) {
  const sums = { ...a };
  for (const part of partNames) sums[part] += b[part];
  return sums;
}

function addTimes<T extends { readonly place: Place | null; readonly totalMs: number }>(lines: readonly T[]) {
  return addLines(
    lines,
    (line, other) => ({ ...line, totalMs: line.totalMs + other.totalMs }),
    ({ totalMs }) => totalMs,
  );
}

function addLines<T extends { readonly place: Place | null }>(
  lines: readonly T[],
  add: (a: T, b: T) => T,
  sizeOf: (line: T) => number,
): T[] {
  const merged = new Map<string, T>();
  for (const line of lines) {
    const other = merged.get(placeKey(line.place));
    merged.set(placeKey(line.place), other === undefined ? line : add(line, other));
  }
  return [...merged.values()].toSorted((a, b) => sizeOf(b) - sizeOf(a));
}

/** A loop's CPU time and the time that it lost, or those of several loops together, in milliseconds. */
export type LoopTimes = Pick<ProbeDocument, "loopCpuMs" | "loopLostMs">;

/** Milliseconds of some work in which the machine ran something else, by its share of the loop's CPU time. */
export function lostMs(
  { totalMs, cpuMs }: { readonly totalMs: number; readonly cpuMs: number },
  { loopCpuMs, loopLostMs }: LoopTimes,
): number {
  if (loopCpuMs === null || loopCpuMs <= 0) return 0;
  return Math.max(0, Math.min(totalMs - cpuMs, loopLostMs * Math.min(1, cpuMs / loopCpuMs)));
}
