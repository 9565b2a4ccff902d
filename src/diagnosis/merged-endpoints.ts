import {
  type EndpointReport,
  type PartName,
  type Place,
  partNames,
} from "../model/findings/probe-document.ts";
import { mergeAmounts, placeKey } from "./merged-amounts.ts";

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
