import * as z from "zod";
import { count, mostThings, passed } from "../measurement/amounts.ts";

/** A request that was still under way 30 s after the end of the load, when k6 stops waiting. */
export const cutOff = "cut off";

/** Names under which a request may be counted. `no value`: a reply without a value that it should have held for later steps. */
export const statusPattern = /^(\d{3}|error \d{1,5}|cut off|no value)$/;

/** Requests by HTTP status, or `error N` with k6's error code when no reply came, or `cut off`. */
export type StatusCounts = Readonly<Record<string, number>>;

/** In a copy, where a status is a name like a number, the engine keeps a place for all numbers before it: 2.5 kB. */
export const statusCountsSchema = passed(z.record(z.string().regex(statusPattern), count), isFine);

function isFine(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  // Keys and not entries: a large report has half a million of these.
  return Object.keys(value).every((status) => {
    const each: unknown = Reflect.get(value, status);
    return (
      typeof each === "number" &&
      Number.isInteger(each) &&
      each >= 0 &&
      each <= mostThings &&
      statusPattern.test(status)
    );
  });
}

/** Adds counts up, status by status. */
export function mergeStatuses(all: readonly StatusCounts[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const statuses of all) {
    for (const status of Object.keys(statuses))
      total[status] = (total[status] ?? 0) + (statuses[status] ?? 0);
  }
  return total;
}

/** As k6 counts: transport errors, and statuses from 400 on. */
export function isFailure(status: string): boolean {
  return !/^[1-3]\d\d$/.test(status);
}

/** True when all requests failed, or there were none. */
export function isBroken(statuses: StatusCounts): boolean {
  return Object.keys(statuses).every(isFailure);
}

/** True when the app answered every request with: no such endpoint. */
export function isAbsent(statuses: StatusCounts): boolean {
  const all = Object.keys(statuses);
  return all.length > 0 && all.every((status) => status === "404" || status === "405");
}
